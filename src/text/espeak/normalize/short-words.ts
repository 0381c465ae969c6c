import { lookUp, matchAt } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const WORD = /[\p{L}\p{M}]{1,8}[ªº]?(?![\p{L}\p{M}\d'’‑-])/uy;
const NAME_NEXT = /\s(?:d['’])?\p{Lu}\p{Ll}/uy;
const NUMBER_NEXT = /\s\d/y;

/** Abbreviations without a full stop: `Mmes Roy`, `Me Leroy`, `no 12`, `vs`. */
export function matchShortWord({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\p{M}\d'’‑-]/u.test(text[index - 1] ?? '')) return undefined;
  const word = matchAt(WORD, text, index)?.[0];
  if (!word) return undefined;
  const end = index + word.length;
  // With a full stop it is another abbreviation.
  if (text[end] === '.' && /\S/.test(text[end + 1] ?? '')) return undefined;
  const { shortWords, shortTitles, shortLabels } = language.rules;
  const title = shortTitles && matchAt(NAME_NEXT, text, end) ? lookUp(shortTitles, word) : undefined;
  const label = shortLabels && matchAt(NUMBER_NEXT, text, end) ? lookUp(shortLabels, word) : undefined;
  const words = (shortWords && lookUp(shortWords, word)) ?? title ?? label;
  return words ? { end, words } : undefined;
}
