/** A merge of two tokens into one. In a list, earlier merges take priority anywhere in a word. */
export interface Merge {
  left: number;
  right: number;
  merged: number;
}

/** Upper bound of token ids, small enough for a pair of ids to fit one exact integer. */
export const MAX_TOKENS = 2 ** 20;

/**
 * GPT-2's pre-tokenizer: contractions, words and numbers with a leading space, the rest. Unicode's whitespace, as in the
 * reference; JavaScript's `\s` differs.
 */
const PIECES =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** Text is matched in parts of this length, because the stack grows with long runs of characters beyond U+FFFF. */
const MAX_CHARACTERS = 2 ** 20;

/** Byte-level byte-pair encoding (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909; Radford et al. 2019). */
export class BytePairEncoding {
  readonly #bytes: ArrayLike<number>;
  readonly #ranks = new Map<number, number>();
  readonly #merged: number[];

  /** @param bytes the token of each of the 256 bytes */
  constructor(bytes: ArrayLike<number>, merges: readonly Merge[]) {
    this.#bytes = bytes;
    this.#merged = merges.map(({ merged }) => merged);
    for (const [rank, { left, right }] of merges.entries()) {
      const pair = pairOf(left, right);
      if (!this.#ranks.has(pair)) this.#ranks.set(pair, rank);
    }
  }

  encode(text: string): number[] {
    const tokens: number[] = [];
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + MAX_CHARACTERS, text.length);
      const splitsPair = end < text.length && text.codePointAt(end - 1)! > 0xffff;
      if (splitsPair) end--;
      for (const [piece] of text.slice(start, end).matchAll(PIECES)) this.#encodePiece(piece, tokens);
      start = end;
    }
    return tokens;
  }

  /**
   * Merges the neighbours of lowest rank, leftmost first, until none are left. A heap of candidates keeps the time almost
   * linear in the length.
   */
  #encodePiece(piece: string, output: number[]): void {
    const bytes = Buffer.from(piece, 'utf8');
    const length = bytes.length;
    // A linked list over positions: a merge removes the right neighbour.
    const tokens = new Int32Array(length);
    const next = new Int32Array(length);
    const previous = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      tokens[i] = this.#bytes[bytes[i]!]!;
      next[i] = i + 1;
      previous[i] = i - 1;
    }
    const candidates = new Heap();
    const rankAt = (position: number) => {
      const right = next[position]!;
      return right < length ? this.#ranks.get(pairOf(tokens[position]!, tokens[right]!)) : undefined;
    };
    const propose = (position: number) => {
      const rank = rankAt(position);
      if (rank !== undefined) candidates.push(rank * 2 ** 32 + position);
    };
    for (let i = 0; i < length; i++) propose(i);
    for (let best = candidates.pop(); best !== undefined; best = candidates.pop()) {
      const position = best % 2 ** 32;
      const rank = Math.floor(best / 2 ** 32);
      // Skip a candidate that has merged with another neighbour since.
      if (tokens[position]! < 0 || rankAt(position) !== rank) continue;
      const right = next[position]!;
      const after = next[right]!;
      tokens[position] = this.#merged[rank]!;
      tokens[right] = -1;
      next[position] = after;
      if (after < length) previous[after] = position;
      if (previous[position]! >= 0) propose(previous[position]!);
      propose(position);
    }
    for (let i = 0; i < length; i = next[i]!) output.push(tokens[i]!);
  }
}

function pairOf(left: number, right: number): number {
  return left * MAX_TOKENS + right;
}

/** Binary min-heap. */
class Heap {
  readonly #items: number[] = [];

  push(value: number): void {
    const items = this.#items;
    let index = items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]! <= value) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = value;
  }

  pop(): number | undefined {
    const items = this.#items;
    const smallest = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return smallest;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= last) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = last;
    return smallest;
  }
}
