import { matchAt, textBefore } from '../../patterns.ts';
import { decimal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { VERSE_BEFORE } from './times.ts';
import { numberAt } from './written-numbers.ts';

/** `10 : 2 = 5` */
const DIVISION = /\s:\s(?=[\d.,]{1,12}\s?=)/y;
const COLON = /:(?=\d)/y;

/** A proportion or a scale: `3:1`, `1:50.000`. Chapters and verses keep their colon. */
export function matchProportion(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\d.,:/-]/u.test(text[index - 1] ?? '')) return undefined;
  const first = numberAt(context, index);
  const colon = first && matchAt(COLON, text, first.end);
  const second = colon ? numberAt(context, first.end + 1) : undefined;
  const spaced = first && matchAt(DIVISION, text, first.end)?.[0];
  if (first && spaced)
    return { end: first.end + spaced.length, words: `${decimal(language, first)} ${language.rules.symbols['÷']} ` };
  if (!first || !second || /^(?::|[-–]\d|[.,]\d)/.test(text.slice(second.end, second.end + 2))) return undefined;
  if (VERSE_BEFORE.test(textBefore(context, 24))) return undefined;
  return { end: second.end, words: `${decimal(language, first)} ${language.rules.range} ${decimal(language, second)}` };
}
