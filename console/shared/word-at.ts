/** Index of the last of the words, which are in order, that has begun at that second; -1 before the first. */
export function wordAt(words: readonly { start: number }[], seconds: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
