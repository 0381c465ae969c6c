import { matchAt, textBefore } from '../../patterns.ts';
import { romanValue } from '../../roman-numerals.ts';
import { DAY, isDayAndMonth, MONTH } from './days-and-months.ts';
import { cardinal, year } from './numbers.ts';
import type { Context, Language, Match } from './rule.ts';

const DAY_AND_MONTH = new RegExp(`${DAY}(er|[º°])?/${MONTH}(?![\\d/°]|\\p{L})`, 'uy');
const NAMED_MONTH = new RegExp(`${DAY}(?:er|[º°])?([/-])([\\p{L}\\p{M}]{3,10})[.॰]?\\2(\\d{4}|\\d{2})(?!\\d)`, 'uy');
const ROMAN_MONTH = new RegExp(
  `${DAY}([-./])(I{1,3}|IV|VI{0,3}|I?X|XI{1,2})(?:\\2((?:1[5-9]|20)\\d\\d)(?!\\d)|(?![\\p{L}\\d./-]))`,
  'uy',
);
const DAY_OF_NAMED_MONTH = new RegExp(`${DAY}/([\\p{L}\\p{M}]{3,10})(?![\\p{L}\\p{M}\\d/-])`, 'uy');
const MONTH_AND_YEAR = /([\p{L}\p{M}]{3,10})[.॰]?([/-])((?:19|20)\d{2}|\d{2})(?![\d/-])/uy;

/** The words of a date after an article that is elided before *uno*: dall'uno marzo, but il primo marzo. */
export function elidedDay({ text, index, language }: Context, words: string, day: string): string {
  const { firstDay } = language.rules;
  const isElided = Number(day) === 1 && firstDay && /['’]/.test(text[index - 1] ?? '');
  return isElided ? words.replace(firstDay, cardinal(language, '1')) : words;
}

/** `el 5/11`, `lunes 3/6`, `15/03: reunión`, `hasta 31/12`: a day and a month, unless rather a fraction or a number of two parts. */
export function matchDayAndMonth(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = matchAt(DAY_AND_MONTH, text, index);
  if (!match) return undefined;
  const [all, day, suffix, month] = match as unknown as [string, string, string | undefined, string];
  const end = index + all.length;
  if (suffix === undefined ? !isDayAndMonth(context, day, month, end) : Number(day) !== 1) return undefined;
  const words = dateWords(language, day, language.months[Number(month) - 1]!, '');
  return { end, words: elidedDay(context, words, day) };
}

/** `12-nov-2024` */
export function matchNamedMonth({ text, index, language }: Context): Match | undefined {
  const match = matchAt(NAMED_MONTH, text, index);
  const month = match && monthOf(language, match[3]!);
  return month ? { end: index + match[0].length, words: dateWords(language, match[1]!, month, match[4]!) } : undefined;
}

/** `5-III-2024`, `12.XI.1999`, `el 5-XII` */
export function matchRomanMonth(context: Context): Match | undefined {
  const { text, index, language } = context;
  const [all, day = '', mark, month = '', yearDigits = ''] = matchAt(ROMAN_MONTH, text, index) ?? [];
  if (all === undefined) return undefined;
  const isNamed = mark === '-' && language.rules.dateBefore?.test(textBefore(context, 24));
  if (yearDigits === '' && !isNamed) return undefined;
  return {
    end: index + all.length,
    words: dateWords(language, day, language.months[romanValue(month) - 1]!, yearDigits),
  };
}

/** `2/jan` */
export function matchDayOfNamedMonth({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\d/.,-]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(DAY_OF_NAMED_MONTH, text, index);
  const month = match && monthOf(language, match[2]!);
  return month ? { end: index + match[0].length, words: dateWords(language, match[1]!, month, '') } : undefined;
}

/** `nov/2024`, `enero/2025`, `jan/24` */
export function matchMonthAndYear({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\p{M}\d/-]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(MONTH_AND_YEAR, text, index);
  const month = match && monthOf(language, match[1]!);
  if (!month || (match[2] === '-' && match[3]!.length === 2)) return undefined;
  return { end: index + match[0].length, words: monthAndYearWords(language, month, match[3]!) };
}

/** The name of a month by its name or abbreviation. */
export function monthOf({ months, shortMonths }: Language, word: string): string | undefined {
  const lower = word.toLowerCase();
  return shortMonths.get(lower) ?? months.find((name) => name.toLowerCase() === lower);
}

/** A month and a year in words. */
export function monthAndYearWords(language: Language, month: string, yearDigits: string): string {
  return language.rules.date('', month, year(language, yearDigits)).trim().replace(/^de /, '');
}

/**
 * A date in words.
 * @param month in words
 * @param yearDigits empty for a date without a year
 */
export function dateWords(language: Language, day: string, month: string, yearDigits: string): string {
  const { firstDay, date } = language.rules;
  const dayWords = Number(day) === 1 && firstDay ? firstDay : cardinal(language, String(Number(day)));
  const words = date(dayWords, month, yearDigits && year(language, yearDigits));
  return yearDigits === '' ? words.replace(/\s*(?:de)?\s*$/, '') : words;
}
