/** In a piece, the plain mix is better with this multiple of the energy of the other one, and worse with this share. */
const SHARED = 4;
const LOST = 0.05;
/** In between the average decides: the plain mix is worse below this share, until it is above the other one. */
const CANCELLED = 0.1;
const HEARD = 0.3;
/** Samples over which energies are averaged, and over which one mix fades into the other: 1 s and 5 ms at 16 kHz. */
const AVERAGED = 16_000;
const FADED = 80;

/**
 * Chooses between two mixes of the same channels, piece by piece: the plain one, and one with every second channel
 * inverted. Channels in antiphase, as from a microphone with swapped wires, cancel in the plain one. Nothing is lost in
 * the other, because a mix is as good with an inverted channel.
 */
export class MixChoice {
  #isInverted = false;
  #plain = 0;
  #inverted = 0;

  /** @param pairs of a plain and an inverted sample, finite @returns the samples of the better mix */
  push(pairs: Float32Array): Float32Array<ArrayBuffer> {
    const samples = new Float32Array(pairs.length / 2);
    let [plain, inverted] = [0, 0];
    for (let i = 0; i < pairs.length; i += 2) {
      plain += pairs[i]! ** 2;
      inverted += pairs[i + 1]! ** 2;
    }
    const before = this.#isInverted ? 1 : 0;
    this.#choose(plain, inverted, samples.length);
    const change = (this.#isInverted ? 1 : 0) - before;
    for (let i = 0; i < samples.length; i++) {
      const share = before + change * Math.min(1, i / FADED);
      const sample = pairs[2 * i]!;
      samples[i] = share === 0 ? sample : sample + share * (pairs[2 * i + 1]! - sample);
    }
    return samples;
  }

  #choose(plain: number, inverted: number, length: number): void {
    const kept = Math.exp(-length / AVERAGED);
    this.#plain = kept * this.#plain + plain;
    this.#inverted = kept * this.#inverted + inverted;
    if (plain > SHARED * inverted) this.#isInverted = false;
    else if (plain < LOST * inverted) this.#isInverted = true;
    else if (this.#plain > HEARD * this.#inverted) this.#isInverted = false;
    else if (this.#plain < CANCELLED * this.#inverted) this.#isInverted = true;
  }
}
