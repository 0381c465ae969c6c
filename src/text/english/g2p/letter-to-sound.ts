import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type Phone, parsePhones } from './arpabet.ts';

/** Written by scripts/train-letter-to-sound.mjs, compressed with Brotli. */
export const MODEL_FILE = new URL('letter-to-sound.model.br', import.meta.url);

/** Quantization of natural log probabilities in the stored model: the log is `-value * step`. */
export const PROBABILITY_STEP = 0.2;
/** Quantization of back-off weights, which may exceed 1: the log is `(BACKOFF_ZERO - value) * step`. */
export const BACKOFF_STEP = 0.2;
export const BACKOFF_ZERO = 16;

const START = 0;
const END = 1;
const BEAM = 10;
/** Longer input is not a word: it is read in slices, with a beam of one. */
const MAX_LETTERS = 40;
/** Log cost of a word without a stressed vowel. */
const NO_STRESS = 6;

/** A group of letters with its phones. */
interface Graphone {
  id: number;
  phones: string;
  /** Number of primary stresses in the phones. */
  stresses: number;
}

interface Hypothesis {
  /** Node of the longest stored context. */
  context: number;
  logProbability: number;
  stresses: number;
  phones: string;
  previous: Hypothesis | undefined;
}

/**
 * Pronounces words that are in no dictionary: a joint-sequence n-gram model over graphones, smoothed by absolute
 * discounting, pruned, and decoded with a beam search. Each word gets one primary stress.
 * Source: Bisani and Ney, Joint-sequence models for grapheme-to-phoneme conversion, Speech Communication 50, 2008.
 */
export class LetterToSound {
  readonly #graphones = new Map<string, Graphone[]>();
  // The n-grams as a tree in breadth-first order. Node 0 is the empty context; children are sorted by graphone.
  readonly #graphone: Uint16Array;
  readonly #logProbability: Float32Array;
  readonly #backoff: Float32Array;
  readonly #firstChild: Uint32Array;
  readonly #suffix: Uint32Array;

  constructor() {
    const bytes = brotliDecompressSync(readFileSync(MODEL_FILE));
    const lineEnd = bytes.indexOf(10);
    const names = bytes.toString('latin1', 0, lineEnd).split(',');
    names.forEach((name, id) => {
      const [letters, phones] = name.split('|');
      if (letters === undefined || phones === undefined) return;
      const graphone = { id, phones, stresses: phones.split('1').length - 1 };
      const sameLetters = this.#graphones.get(letters);
      if (sameLetters) sameLetters.push(graphone);
      else this.#graphones.set(letters, [graphone]);
    });

    let offset = lineEnd + 1;
    const readNumber = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[offset++]!;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    const nodes = readNumber() + 1;
    this.#firstChild = new Uint32Array(nodes + 1);
    this.#firstChild[0] = 1;
    for (let node = 0; node < nodes; node++) this.#firstChild[node + 1] = this.#firstChild[node]! + readNumber();
    this.#graphone = new Uint16Array(nodes);
    for (let node = 0; node < nodes; node++) {
      let id = -1;
      for (let child = this.#firstChild[node]!; child < this.#firstChild[node + 1]!; child++) {
        id += readNumber() + 1;
        this.#graphone[child] = id;
      }
    }
    this.#logProbability = new Float32Array(nodes);
    for (let node = 1; node < nodes; node++) this.#logProbability[node] = -bytes[offset++]! * PROBABILITY_STEP;
    this.#backoff = new Float32Array(nodes);
    for (let node = 1; node < nodes; node++) {
      if (this.#hasChildren(node)) this.#backoff[node] = (BACKOFF_ZERO - bytes[offset++]!) * BACKOFF_STEP;
    }
    this.#suffix = new Uint32Array(nodes);
    for (let node = 1; node < nodes; node++) {
      for (let child = this.#firstChild[node]!; child < this.#firstChild[node + 1]!; child++) {
        let shorter = this.#suffix[node]!;
        let suffix = this.#child(shorter, this.#graphone[child]!);
        while (suffix === 0 && shorter !== 0) {
          shorter = this.#suffix[shorter]!;
          suffix = this.#child(shorter, this.#graphone[child]!);
        }
        this.#suffix[child] = suffix;
      }
    }
  }

  /**
   * The most probable phones of a word, in time linear in its length.
   * @param word letters a to z in lower case; other characters are skipped
   * @returns no phones if there are no letters
   */
  pronounce(word: string): Phone[] {
    const letters = word.replace(/[^a-z]/g, '');
    const phones: Phone[] = [];
    const width = letters.length > MAX_LETTERS ? 1 : BEAM;
    for (let start = 0; start < letters.length; start += MAX_LETTERS) {
      phones.push(...parsePhones(this.#decode(letters.slice(start, start + MAX_LETTERS), width)));
    }
    return phones;
  }

  /** Phones of some letters, by a beam search of that width over the graphones that spell them. */
  #decode(letters: string, width: number): string[] {
    const columns: Map<number, Hypothesis>[] = Array.from({ length: letters.length + 1 }, () => new Map());
    const start = this.#step(0, START).context;
    columns[0]!.set(start, { context: start, logProbability: 0, stresses: 0, phones: '', previous: undefined });
    for (let index = 0; index < letters.length; index++) {
      const beam = [...columns[index]!.values()].sort((a, b) => b.logProbability - a.logProbability).slice(0, width);
      for (let length = 1; length <= 2 && index + length <= letters.length; length++) {
        for (const graphone of this.#graphones.get(letters.slice(index, index + length)) ?? []) {
          for (const previous of beam) this.#extend(columns[index + length]!, previous, graphone);
        }
      }
    }
    const phones: string[] = [];
    for (let hypothesis = this.#best(columns.at(-1)!); hypothesis; hypothesis = hypothesis.previous) {
      if (hypothesis.phones) phones.unshift(...hypothesis.phones.split(' '));
    }
    return phones;
  }

  /** Adds a hypothesis with one graphone more to a column, unless it has more than one stress or a better rival. */
  #extend(column: Map<number, Hypothesis>, previous: Hypothesis, graphone: Graphone): void {
    const stresses = previous.stresses + graphone.stresses;
    if (stresses > 1) return;
    const { context, logProbability } = this.#step(previous.context, graphone.id);
    const total = previous.logProbability + logProbability;
    if (total === Number.NEGATIVE_INFINITY) return;
    const key = context * 2 + stresses;
    const rival = column.get(key);
    if (rival && rival.logProbability >= total) return;
    column.set(key, { context, logProbability: total, stresses, phones: graphone.phones, previous });
  }

  /** The most probable hypothesis for a whole word. */
  #best(column: ReadonlyMap<number, Hypothesis>): Hypothesis | undefined {
    let best: Hypothesis | undefined;
    let bestTotal = Number.NEGATIVE_INFINITY;
    for (const hypothesis of column.values()) {
      const end = this.#step(hypothesis.context, END).logProbability - (hypothesis.stresses === 0 ? NO_STRESS : 0);
      if (hypothesis.logProbability + end <= bestTotal) continue;
      best = hypothesis;
      bestTotal = hypothesis.logProbability + end;
    }
    return best;
  }

  /** Log probability of a graphone after a context, and the context after it. */
  #step(context: number, graphone: number): { context: number; logProbability: number } {
    let logProbability = 0;
    let node = context;
    let child = this.#child(node, graphone);
    while (child === 0 && node !== 0) {
      logProbability += this.#backoff[node]!;
      node = this.#suffix[node]!;
      child = this.#child(node, graphone);
    }
    if (child === 0) return { context: 0, logProbability: Number.NEGATIVE_INFINITY };
    logProbability += this.#logProbability[child]!;
    while (child !== 0 && !this.#hasChildren(child)) child = this.#suffix[child]!;
    return { context: child, logProbability };
  }

  #hasChildren(node: number): boolean {
    return this.#firstChild[node + 1]! > this.#firstChild[node]!;
  }

  /** The child of a node by its graphone, 0 if there is none. */
  #child(node: number, graphone: number): number {
    let low = this.#firstChild[node]!;
    let high = this.#firstChild[node + 1]!;
    const end = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#graphone[middle]! < graphone) low = middle + 1;
      else high = middle;
    }
    return low < end && this.#graphone[low] === graphone ? low : 0;
  }
}

/**
 * Whether a dictionary word is held out from training, to measure the model on: about one in twenty, by its 32-bit
 * FNV-1a hash.
 */
export function isHeldOut(word: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % 20 === 0;
}
