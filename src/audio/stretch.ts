/** Seconds of a window, and how far from its place it may be taken. */
const WINDOW = 0.03;
const SEARCH = 0.01;
/** Coarse steps of the search, in samples. */
const STRIDE = 4;

/**
 * Changes the tempo of sound and keeps its pitch, by waveform-similarity overlap-add (Verhelst and Roelands 1993,
 * https://doi.org/10.1109/ICASSP.1993.319366): windows are laid at an even distance, and each is taken from near its
 * place in the input, where it best continues the one before. Processes audio in pieces; their sizes do not affect the
 * result.
 */
export class Stretcher {
  readonly #tempo: number;
  /** Samples between windows in the output; a window is twice as long. */
  readonly #hop: number;
  readonly #search: number;
  readonly #fade: Float32Array;
  /** Input from `#from` on. */
  #input = new Float32Array(0);
  #from = 0;
  #received = 0;
  #written = 0;
  /** Index of the next window. */
  #next = 0;
  /** Where the last window was taken. */
  #taken = 0;

  /** @param tempo above 1 is faster */
  constructor(tempo: number, sampleRate: number) {
    this.#tempo = tempo;
    this.#hop = Math.round((WINDOW / 2) * sampleRate);
    this.#search = Math.round(SEARCH * sampleRate);
    this.#fade = Float32Array.from(
      { length: this.#hop },
      (_, index) => (1 - Math.cos((Math.PI * (index + 0.5)) / this.#hop)) / 2,
    );
  }

  /** @returns the sound that is ready: all but some hundredths of a second */
  write(samples: Float32Array): Float32Array {
    this.#append(samples);
    const pieces: Float32Array[] = [];
    for (;;) {
      const reach = this.#place(this.#next) + this.#search + 2 * this.#hop;
      // A window of fast sound may be longer than the rest of the output.
      const isWhole = (this.#next + 1) * this.#hop * this.#tempo <= this.#received;
      if (reach > this.#received || !isWhole) break;
      pieces.push(this.#window());
    }
    return this.#counted(pieces);
  }

  /** Returns the rest, so that there are `received / tempo` samples in all, and starts over. */
  flush(): Float32Array {
    const total = Math.round(this.#received / this.#tempo);
    const missing = this.#place(Math.ceil(total / this.#hop) + 1) + this.#search + 3 * this.#hop - this.#received;
    this.#append(new Float32Array(Math.max(0, missing)));
    const pieces: Float32Array[] = [];
    for (let left = total - this.#written; left > 0; left -= this.#hop) pieces.push(this.#window().subarray(0, left));
    const rest = this.#counted(pieces);
    this.#input = new Float32Array(0);
    this.#from = this.#received = this.#written = this.#next = this.#taken = 0;
    return rest;
  }

  #append(samples: Float32Array): void {
    // Drop input that no later window reaches.
    const needed = Math.max(0, Math.min(this.#taken, this.#place(this.#next) - this.#search) - this.#from);
    const input = new Float32Array(this.#input.length - needed + samples.length);
    input.set(this.#input.subarray(needed));
    input.set(samples, this.#input.length - needed);
    this.#input = input;
    this.#from += needed;
    this.#received += samples.length;
  }

  /** Where a window belongs. */
  #place(index: number): number {
    return Math.round(index * this.#hop * this.#tempo);
  }

  /** The next `hop` samples of output: the end of the last window, cross-faded into the next one. */
  #window(): Float32Array {
    const hop = this.#hop;
    const continues = this.#taken + hop;
    const start = this.#next === 0 ? 0 : this.#bestNear(this.#place(this.#next), continues);
    const output = new Float32Array(hop);
    for (let index = 0; index < hop; index++) {
      const next = this.#at(start + index);
      const last = this.#next === 0 ? next : this.#at(continues + index);
      output[index] = last + this.#fade[index]! * (next - last);
    }
    this.#taken = start;
    this.#next++;
    return output;
  }

  #at(position: number): number {
    return this.#input[position - this.#from] ?? 0;
  }

  /** The position near a place whose next samples are most like those that continue the last window. */
  #bestNear(place: number, continues: number): number {
    const first = Math.max(0, place - this.#search);
    const last = place + this.#search;
    let best = place;
    let most = Number.NEGATIVE_INFINITY;
    const consider = (position: number, stride: number) => {
      const value = this.#similarity(position, continues, stride);
      if (value > most) [best, most] = [position, value];
    };
    for (let position = first; position <= last; position += STRIDE) consider(position, STRIDE);
    const coarse = best;
    most = Number.NEGATIVE_INFINITY;
    for (let at = Math.max(first, coarse - STRIDE); at <= Math.min(last, coarse + STRIDE); at++) consider(at, 1);
    return best;
  }

  /** Correlation of two stretches of `hop` samples, relative to the energy of the first. */
  #similarity(one: number, other: number, stride: number): number {
    let product = 0;
    let energy = 1e-9;
    for (let index = 0; index < this.#hop; index += stride) {
      const value = this.#at(one + index);
      product += value * this.#at(other + index);
      energy += value * value;
    }
    return product / Math.sqrt(energy);
  }

  #counted(pieces: readonly Float32Array[]): Float32Array {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const joined = new Float32Array(length);
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    this.#written += length;
    return joined;
  }
}
