/** The phonemes of one written word. */
export interface AlignedWord {
  phonemes: string;
  /** Whether eSpeak joined it to the word before it. */
  isJoined: boolean;
}

/** Bounds time and memory: a clause of a hundred words takes a tenth of these cells. */
const MAX_CELLS = 2_000_000;

/**
 * Assigns the phonemes of a clause to its written words, where eSpeak may join two words or split one: cuts them at the
 * best alignment with the phonemes of each word alone.
 * @param spoken phonemes of the clause, word by word
 * @param say phonemes of a single word
 * @returns one per written word; together they are `spoken`
 */
export function alignWords(
  written: readonly string[],
  spoken: readonly string[],
  say: (word: string) => readonly string[],
): AlignedWord[] {
  if (written.length === spoken.length) return spoken.map((phonemes) => ({ phonemes, isJoined: false }));
  const singly = new Map([...new Set(written)].map((word) => [word, [...say(word).join(' ')]]));
  const alone = written.flatMap((word, owner) =>
    [...(owner > 0 ? ' ' : ''), ...singly.get(word)!].map((symbol) => ({ symbol, owner })),
  );
  const all = [...spoken.join(' ')];
  const isTooLong = all.length * alone.length > MAX_CELLS;
  const owners = isTooLong ? proportionalOwners(all, written.length) : alignedOwners(all, alone);
  return written.map((_, owner) => {
    const first = owners.indexOf(owner);
    if (first < 0) return { phonemes: '', isJoined: false };
    const text = all.slice(first, owners.lastIndexOf(owner) + 1).join('');
    return { phonemes: text.trim(), isJoined: first > 0 && text[0] !== ' ' && all[first - 1] !== ' ' };
  });
}

/** Gives each owner an equal share of the symbols. */
function proportionalOwners(symbols: readonly string[], owners: number): number[] {
  return symbols.map((_, index) => Math.floor((index * owners) / symbols.length));
}

/** The owner of each symbol at the least edit distance between both texts. */
function alignedOwners(symbols: readonly string[], alone: readonly { symbol: string; owner: number }[]): number[] {
  const width = alone.length + 1;
  const costs = new Uint16Array((symbols.length + 1) * width).map((_, cell) => (cell < width ? cell : 0));
  for (let row = 1; row <= symbols.length; row++) {
    const symbol = symbols[row - 1]!;
    costs[row * width] = row;
    for (let cell = row * width + 1, column = 0; column < alone.length; cell++, column++) {
      const changed = costs[cell - width - 1]! + (symbol === alone[column]!.symbol ? 0 : 1);
      costs[cell] = Math.min(costs[cell - width]! + 1, costs[cell - 1]! + 1, changed);
    }
  }
  const owners: number[] = new Array(symbols.length).fill(0);
  let column = width - 1;
  for (let row = symbols.length; row > 0; row--) {
    while (column > 0 && costs[row * width + column] === costs[row * width + column - 1]! + 1) column -= 1;
    owners[row - 1] = alone[Math.max(0, column - 1)]?.owner ?? 0;
    const cell = row * width + column;
    const change = column > 0 && symbols[row - 1] === alone[column - 1]!.symbol ? 0 : 1;
    if (column > 0 && costs[cell] === costs[cell - width - 1]! + change) column -= 1;
  }
  return owners;
}
