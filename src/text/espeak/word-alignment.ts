/** What is said for one written word. */
export interface Share {
  phonemes: string;
  /** Whether it is said in one with the word before it. */
  joined: boolean;
}

/** A clause of a hundred words takes a tenth of it. */
const MOST_CELLS = 2_000_000;

/**
 * What is said for each written word, where two may be said as one and one as two: the spoken words, cut where they fit
 * best to what each written word is by itself.
 * @param spoken the phonemes of all words together
 * @param say the phonemes of one word
 * @returns one share a written word; put together they are `spoken`
 */
export function shares(
  written: readonly string[],
  spoken: readonly string[],
  say: (word: string) => readonly string[],
): Share[] {
  if (written.length === spoken.length) return spoken.map((phonemes) => ({ phonemes, joined: false }));
  const said = new Map([...new Set(written)].map((word) => [word, [...say(word).join(' ')]]));
  const alone = written.flatMap((word, owner) =>
    [...(owner > 0 ? ' ' : ''), ...said.get(word)!].map((symbol) => ({ symbol, owner })),
  );
  const all = [...spoken.join(' ')];
  const owners = all.length * alone.length > MOST_CELLS ? inProportion(all, written.length) : align(all, alone);
  return written.map((_, owner) => {
    const first = owners.indexOf(owner);
    if (first < 0) return { phonemes: '', joined: false };
    const text = all.slice(first, owners.lastIndexOf(owner) + 1).join('');
    return { phonemes: text.trim(), joined: first > 0 && text[0] !== ' ' && all[first - 1] !== ' ' };
  });
}

/** The owner of each symbol where the texts are too long to be compared: each gets its part. */
function inProportion(symbols: readonly string[], owners: number): number[] {
  return symbols.map((_, index) => Math.floor((index * owners) / symbols.length));
}

/** The owner of each symbol, in order, by the least number of changes from one text to the other. */
function align(symbols: readonly string[], alone: readonly { symbol: string; owner: number }[]): number[] {
  const width = alone.length + 1;
  const costs = new Uint16Array((symbols.length + 1) * width).map((_, at) => (at < width ? at : 0));
  for (let row = 1; row <= symbols.length; row++) {
    const symbol = symbols[row - 1]!;
    costs[row * width] = row;
    for (let at = row * width + 1, column = 0; column < alone.length; at++, column++) {
      const changed = costs[at - width - 1]! + (symbol === alone[column]!.symbol ? 0 : 1);
      costs[at] = Math.min(costs[at - width]! + 1, costs[at - 1]! + 1, changed);
    }
  }
  const owners: number[] = new Array(symbols.length).fill(0);
  let column = width - 1;
  for (let row = symbols.length; row > 0; row--) {
    while (column > 0 && costs[row * width + column] === costs[row * width + column - 1]! + 1) column -= 1;
    owners[row - 1] = alone[Math.max(0, column - 1)]?.owner ?? 0;
    const at = row * width + column;
    const change = column > 0 && symbols[row - 1] === alone[column - 1]!.symbol ? 0 : 1;
    if (column > 0 && costs[at] === costs[at - width - 1]! + change) column -= 1;
  }
  return owners;
}
