/** Index of the last word that has begun at a second; -1 before the first. Words are in order. */
export function wordAt(words: readonly { start: number }[], seconds: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
