import { spokenText } from '../dist/text/english/normalize.js';
import { defaultNormalization } from '../dist/text/normalization.js';

/** English text as spoken words, so that `$5` and `five dollars` are the same. */
export const englishWords = (text) => plainWords(spokenText(text, defaultNormalization));

/** Lower-case words without punctuation. */
export const plainWords = (text) =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}' ]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** Substitutions, insertions and deletions between two sequences: words for WER, characters for CER. */
export function errors(said, meant) {
  let above = Array.from({ length: said.length + 1 }, (_, index) => index);
  for (const [row, unit] of meant.entries()) {
    const current = [row + 1];
    for (let column = 0; column < said.length; column++) {
      const substitution = above[column] + (said[column] === unit ? 0 : 1);
      current.push(Math.min(substitution, above[column + 1] + 1, current[column] + 1));
    }
    above = current;
  }
  return above[said.length];
}

/** Pairs of the same words in two lists of `{ word }`: their longest common subsequence. */
export function sameWords(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i][j] =
        a[i].word === b[j].word ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i].word === b[j].word) pairs.push([a[i++], b[j++]]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}
