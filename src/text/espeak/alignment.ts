/** What is said for one written word. */
export interface Share {
  phonemes: string;
  /** Whether it is said in one with the word before it. */
  joined: boolean;
}

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
  const alone = written.flatMap((word, owner) => [...say(word).join(' ')].map((symbol) => ({ symbol, owner })));
  const all = [...spoken.join(' ')];
  const owners = align(all, alone);
  return written.map((_, owner) => {
    const first = owners.indexOf(owner);
    if (first < 0) return { phonemes: '', joined: false };
    const text = all.slice(first, owners.lastIndexOf(owner) + 1).join('');
    return { phonemes: text.trim(), joined: first > 0 && text[0] !== ' ' && all[first - 1] !== ' ' };
  });
}

/** The owner of each symbol, in order, by the least number of changes from one text to the other. */
function align(symbols: readonly string[], alone: readonly { symbol: string; owner: number }[]): number[] {
  const width = alone.length + 1;
  const costs = Array.from({ length: (symbols.length + 1) * width }, (_, at) => (at < width ? at : 0));
  const change = (row: number, column: number) => (symbols[row - 1] === alone[column - 1]!.symbol ? 0 : 1);
  for (let row = 1; row <= symbols.length; row++) {
    costs[row * width] = row;
    for (let column = 1; column < width; column++) {
      const at = row * width + column;
      const changed = costs[at - width - 1]! + change(row, column);
      costs[at] = Math.min(costs[at - width]! + 1, costs[at - 1]! + 1, changed);
    }
  }
  const owners: number[] = [];
  let column = width - 1;
  for (let row = symbols.length; row > 0; row--) {
    while (column > 0 && costs[row * width + column] === costs[row * width + column - 1]! + 1) column -= 1;
    owners.unshift(alone[Math.max(0, column - 1)]?.owner ?? 0);
    const at = row * width + column;
    if (column > 0 && costs[at] === costs[at - width - 1]! + change(row, column)) column -= 1;
  }
  return owners;
}
