import { matchAt, textBefore } from '../../patterns.ts';
import { romanToDigits } from '../../roman-numerals.ts';
import { cardinal } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';

/** `1066.[13][14]`, `Crécy[3]`; `nums[3]` and `f(x)[3]` are code. */
const footnotes = /(?:\[\d{1,3}\]){1,9}(?![\w.[(=+])/y;
const footnoteBefore = /[.,;:!?"”’»]$|(?<!\p{L})\p{Lu}\p{Ll}{3,30}$/u;
const reference = /([ivxlc]{1,8})\.(?=\s\d)/y;
/** Shillings and pence. */
const shillings = /(\d{1,3})s(?:\.|(?![\p{L}\d]))(?:\s(\d{1,2})d(?:\.|(?![\p{L}\d])))?/uy;
const pence = /(\d{1,2})d(?:\.|(?![\p{L}\d]))/uy;
const oldMoney = /£\d|\d{1,2}s\.? \d{1,2}d(?!\p{L})/u;
/** Of a stammer: `H-h-help`, `I-I-I don't` */
const stammer = /(\p{L})-(?:\1-){1,5}(?=\1\p{L})|(?:I-){1,5}(?=I(?![\p{L}\d-]))/iuy;
const elided = /(th|o)['’](?=\s\p{L})/iuy;
const elisions: Record<string, string> = { th: 'the', o: 'of' };

/** The number of a footnote, which is silent. */
export function matchFootnote({ text, index }: Context): Match | undefined {
  if (text[index] !== '[') return undefined;
  const found = matchAt(footnotes, text, index)?.[0];
  return found && footnoteBefore.test(textBefore({ text, index }, 32))
    ? { end: index + found.length, words: '' }
    : undefined;
}

/** Whether a word before a full stop is a chapter in small Roman numerals, and its verse or page follows: `xxi. 4`. */
export function isReference(word: string, next: string): boolean {
  return /^\d/.test(next) && /^[ivxlc]{2,8}$/.test(word) && !/^c[cl]$/.test(word) && numeral(word) !== undefined;
}

/** A chapter in small Roman numerals before a number: `Livy, xxi. 4`, `Gen. i. 1`. */
export function matchReference({ text, index }: Context): Match | undefined {
  const [all, written = ''] = matchAt(reference, text, index) ?? [];
  if (all === undefined || /[\p{L}\d.]/u.test(text[index - 1] ?? '')) return undefined;
  // A single letter needs the stop of its book before it.
  const isBook = /\.\s$/.test(textBefore({ text, index }, 2)) && /^[ivx]$/.test(written);
  const digits = isBook || isReference(written, '1') ? numeral(written) : undefined;
  return digits ? { end: index + all.length, words: cardinal(digits) } : undefined;
}

function numeral(written: string): string | undefined {
  return romanToDigits(written.toUpperCase());
}

/** Shillings and pence: `£1 4s. 6d.`, `56s. 4d. the quarter`. */
export function matchOldMoney({ text, index }: Context): Match | undefined {
  const [all, many = '', few] = matchAt(shillings, text, index) ?? [];
  const [penny, alone = ''] = all === undefined ? (matchAt(pence, text, index) ?? []) : [];
  const found = all ?? penny;
  if (found === undefined || !oldMoney.test(text)) return undefined;
  const end = index + found.length;
  const words = [
    all === undefined ? '' : `${cardinal(many)} ${many === '1' ? 'shilling' : 'shillings'}`,
    (few ?? alone) ? `${cardinal(few ?? alone)} ${(few ?? alone) === '1' ? 'penny' : 'pence'}` : '',
  ];
  return { end, words: words.filter(Boolean).join(' and ') + finalStop(text, end) };
}

/** The letters of a stammer before their word, which are silent. */
export function matchStammer({ text, index }: Context): Match | undefined {
  const found = matchAt(stammer, text, index)?.[0];
  return found && !/[\p{L}\d-]/u.test(text[index - 1] ?? '') ? { end: index + found.length, words: '' } : undefined;
}

/** `th'` and `o'` of dialects. */
export function matchElision({ text, index }: Context): Match | undefined {
  const [all, word = ''] = matchAt(elided, text, index) ?? [];
  return all === undefined || /[\p{L}\d'’]/u.test(text[index - 1] ?? '')
    ? undefined
    : { end: index + all.length, words: elisions[word.toLowerCase()]! };
}
