import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { romanValue } from '../../roman-numerals.ts';
import type { Gender } from '../rules.ts';
import { type Context, type Language, nextWord } from './rule.ts';

/** A Roman numeral at the index, and the text beside it. */
export interface Numeral extends Context {
  letters: string;
  value: number;
  /** The ending of an ordinal: `XIXe`. */
  suffix: string;
  end: number;
  before: string;
  /** Whether another numeral is before it: `siglos XV y XVI`. */
  isInList: boolean;
  /** The word before the numeral, or before its list, in full. */
  previous: string;
  /** The word after the numeral, or after the list that it begins, in full. */
  next: string;
}

const ROMAN = /((?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\p{L}\d])/uy;
const JOINT = String.raw`(?:,\s|\s?[-–]\s?|\s(?:y|e|et|a|al|à|o|ou|u)\s)(?:(?:el|il|al|o|ao)\s)?`;
/** Numerals of a list, and their eras, before another one: `siglos XV y `, `siglo IV a. C. y el `. */
const LIST_BEFORE = new RegExp(
  `(?:(?<![\\p{L}\\d])[IVXLC]{1,8}(?:er|e|ème)?(?:\\s[ad]\\.\\s?C\\.)?${JOINT}){1,4}$`,
  'u',
);
const LIST_AFTER = new RegExp(`${JOINT}[IVXLC]{1,8}(?![\\p{L}\\d])`, 'uy');
const WORD_BEFORE = /([\p{L}\p{M}]+\.?)\s{0,3}$/u;
const LAST_WORD = /(?<!\p{L})(\p{L}+)\s$/u;

/** The numeral at the index; undefined if there is none. */
export function numeralAt(context: Context): Numeral | undefined {
  const { text, index, language } = context;
  const before = textBefore(context, 60);
  const list = LIST_BEFORE.exec(before)?.[0] ?? '';
  if (/[\p{L}\d'’]$/u.test(before) || (before.endsWith('-') && list === '')) return undefined;
  const match = matchAt(language.rules.romanOrdinal, text, index) ?? matchAt(ROMAN, text, index);
  const [, letters, suffix = ''] = match ?? [];
  // Article L. 121-1 is not article 50.
  if (!letters || (/^[LC]$/.test(letters) && suffix === '')) return undefined;
  const end = index + letters.length + suffix.length;
  const previous = inFull(language, WORD_BEFORE.exec(before.slice(0, before.length - list.length))?.[1] ?? '');
  const next = wordAfter(context, end);
  return {
    ...context,
    letters,
    value: romanValue(letters),
    suffix,
    end,
    before,
    isInList: list !== '',
    previous,
    next,
  };
}

function wordAfter(context: Context, end: number): string {
  const { text, language } = context;
  let listEnd = end;
  for (let match = matchAt(LIST_AFTER, text, end); match; match = matchAt(LIST_AFTER, text, listEnd)) {
    listEnd += match[0].length;
  }
  const next = nextWord(context, listEnd);
  return text.startsWith('.', text.indexOf(next, listEnd) + next.length) ? inFull(language, `${next}.`, next) : next;
}

function inFull({ rules }: Language, written: string, otherwise = written): string {
  return lookUp(rules.abbreviations, written.toLowerCase()) ?? otherwise;
}

/** Whether the letters are more than a word or an initial: `I`, `C`. */
export function isLong({ letters }: Numeral): boolean {
  return letters.length > 1 && /^[IVX]+$/.test(letters);
}

/** The word directly before the numeral, perhaps an article, in lower case. */
export function articleOf({ before }: Numeral): string {
  return LAST_WORD.exec(before)?.[1]?.toLowerCase() ?? '';
}

/** The gender of the article before the numeral; undefined if none is there. */
export function articleGender(numeral: Numeral): Gender | undefined {
  const { articles } = numeral.language.rules;
  const article = articleOf(numeral);
  if (articles?.feminine.has(article)) return 'feminine';
  return articles?.masculine.has(article) ? 'masculine' : undefined;
}
