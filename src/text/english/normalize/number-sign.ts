import { matchAt, wordSet } from '../../patterns.ts';
import { keyNames } from './code-symbols.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

const coded = /\p{Lu}{1,6}-\d/uy;
/** `order #A1B2`, unlike the topic `#COVID19` */
const mixedCode = /(?=\p{Lu}*\d)[\p{Lu}\d]+(?!\p{L})/uy;
const numberedThings = wordSet(
  'order ticket case invoice tracking confirmation reference ref item part serial claim account customer policy booking bug lot',
);

/** Of the preprocessor of C */
const directive = /(?:include|define|ifn?def|endif|pragma|undef)(?![\p{L}\d])/uy;

/** A number sign: the mark of a heading, `sharp` of a note, `number` before one, `hashtag` before a word. */
export function matchNumberSign(symbol: SymbolContext): Match | undefined {
  const { text, character, before, after, previous, end, say } = symbol;
  if (character !== '#') return undefined;
  const isHeading = previous === '' && /^#{0,5}\s/.test(text.slice(end, end + 6));
  if (isHeading) return { end, words: '' };
  if (/^[A-G]$/.test(previous) && before === previous) return say('sharp');
  // `#include <x>`
  if (matchAt(directive, text, end)) return say('hash');
  // `the P&L #'s`, `Q2 #s`
  const many = /^['’]?s(?!\p{L})/u.exec(text.slice(end, end + 3))?.[0];
  if (many) return say('numbers', end + many.length);
  if (isCode(symbol) || isLabel(symbol)) return say('number');
  if (/\d/.test(after) || /^ of\b/.test(text.slice(end, end + 4))) return say('number');
  return say(/\p{L}/u.test(after) && !/[\p{L}\d]/u.test(before) ? 'hashtag' : 'hash');
}

/** `#INV-2024-0093`, `order #A1B2` */
function isCode({ text, previous, end }: SymbolContext): boolean {
  const isMixed = numberedThings.has(previous.toLowerCase()) && matchAt(mixedCode, text, end) !== undefined;
  return isMixed || matchAt(coded, text, end) !== undefined;
}

/** `item # 12`, `Deal #?` */
function isLabel({ text, before, previous, end }: SymbolContext): boolean {
  const isNamed = /\p{L}/u.test(previous) && !keyNames.has(previous.toLowerCase());
  return isNamed && /^(?:\s\d|\s?[:?])/.test(text.slice(end, end + 2)) && /[\s\p{L}]/u.test(before);
}
