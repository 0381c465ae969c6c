import { matchAt } from '../control-tokens.ts';
import { romanToDigits } from '../english/normalize/numbers.ts';
import { MARKS } from '../marks.ts';
import { type Found, type Part, partsOf, type ReadAt } from '../part-split.ts';
import { toAsciiDigits, transliterate } from '../transliteration.ts';
import type { NormalizationOptions } from '../types.ts';
import { chineseCounted, chineseDecimal, chineseDigits, chineseNumber, LONGEST_NUMBER } from './numbers.ts';
import { CURRENCIES, SYMBOLS, UNITS } from './units.ts';

/** What a token says for words in Latin letters; empty where that is nothing. */
export type ReadLatin = (text: string) => string;

interface Place {
  text: string;
  at: number;
  options: NormalizationOptions;
  readLatin: ReadLatin;
}

/** What is read for the text up to `end`. */
interface Reading {
  end: number;
  read: string;
}

type Reader = (place: Place) => Reading | undefined;

const amount = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const number = new RegExp(amount, 'y');
const date = /(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?![\d/.-]*\d)/y;
const year = /(\d{4}|\d{2})(?=年(?!级|前|后|来|间|龄|以|内|多|的?时间))/y;
const yearRange = /(\d{4})\s?[-–—~～至到]\s?(\d{4})(?=年)/y;
const time = /([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])/y;
const ratio = /(\d+)[:：](\d+)(?![\d:：])/y;
const fraction = /(\d+)\/(\d+)(?![\d/])/y;
const version = /\d+(?:\.\d+){2,}/y;
const phone = /(?:\+86[- ]?)?(?:1[3-9]\d[- ]?\d{4}[- ]?\d{4}|\(?0\d{2,3}\)?[- ]\d{7,8}|[48]00-?\d{3}-?\d{4})(?!\d)/y;
const percent = new RegExp(`(${amount})\\s?([%％‰])`, 'y');
const range = new RegExp(`\\s?[~～〜]\\s?(?=[¥$€£]?${amount})|[-–—](?=${amount}(?![\\d.]*-\\d))`, 'y');
const currency = new RegExp(
  `(US\\$|HK\\$|NT\\$|[¥￥$€£₩₹₽]|(?:RMB|CNY|USD|EUR|GBP|JPY|HKD)(?=\\s?\\d))\\s?(${amount})([万亿]{0,2})`,
  'y',
);
const numbered = /(?:no\.|№)\s?(?=\d)/iy;
const latin =
  /(?:https?:\/\/)?\p{Script=Latin}(?:[\p{Script=Latin}\p{M}\d]|[-'’.&+_@/](?=\p{Script=Latin})|\+\+|#| (?=\p{Script=Latin}))*/uy;
const otherLetters = /[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/uy;
const otherDigits = /[\p{Nd}]+/uy;
const dots = /[.．…‥⋯·]{2,}|…/y;
const compatible = /[Ⅰ-ⅿ]+|[①-⓿㈠-㊰㋀-㏿]/uy;
const UNIT = new RegExp(
  `\\s?(${Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![A-Za-z\\d])`,
  'y',
);

/**
 * The parts of a sentence: for numbers, amounts, dates and times the characters that are read, words in Latin letters with
 * what is said for them, punctuation with its mark, all else as it is written.
 * @param listed what the user's own words at a place are read as
 */
export function rewrite(written: string, options: NormalizationOptions, readLatin: ReadLatin, listed?: ReadAt): Part[] {
  return partsOf(
    written,
    (text, at, first) => listed?.(text, at, first) ?? readAt({ text, at, options, readLatin }, first),
  );
}

function readAt(place: Place, first: boolean): Found | undefined {
  const { text, at, options } = place;
  const character = text[at]!;
  const before = text[at - 1] ?? '';
  if (options.normalize) {
    for (const reader of readersOf(character, before)) {
      const reading = reader(place);
      if (reading) return reading;
    }
    if (/[-−]/.test(character) && /\d/.test(text[at + 1] ?? '') && !/[\d\p{Script=Latin}]/u.test(before))
      return { end: at + 1, read: '负' };
  }
  const run = matchAt(dots, text, at)?.[0];
  if (run) return { end: at + run.length, mark: '…', read: '。' };
  const mark = MARKS[character];
  if (mark !== undefined) return { end: at + 1, mark, read: '，' };
  const spelled = readCompatible(place) ?? readLatinWords(place) ?? readOtherLetters(place);
  if (spelled) return spelled;
  const other = /\d/.test(character) ? readNumber(place) : readOtherDigits(place);
  if (other) return other;
  const symbol = options.normalize ? SYMBOLS[character] : undefined;
  return symbol === undefined || (first && /[#>]/.test(character)) ? undefined : { end: at + 1, read: symbol };
}

function readersOf(character: string, before: string): readonly Reader[] {
  if (/\d/.test(character)) return /[\d.]/.test(before) ? [] : digitReaders;
  if (/[~～〜\-–—]/.test(character)) return [readRange];
  if (/[+(]/.test(character)) return [readPhone];
  return /[¥￥$€£₩₹₽A-Zn№]/.test(character) && !/[A-Za-z]/.test(before) ? [readCurrency, readNumbered] : [];
}

const readDate: Reader = ({ text, at }) => {
  const found = matchAt(date, text, at);
  if (!found || Number(found[3]) > 12 || Number(found[4]) > 31 || Number(found[3]) === 0) return undefined;
  const read = `${chineseDigits(found[1]!)}年${chineseNumber(found[3]!)}月${chineseNumber(found[4]!)}日`;
  return { end: at + found[0].length, read };
};

const readYear: Reader = ({ text, at }) => {
  const both = matchAt(yearRange, text, at);
  if (both) return { end: at + both[0].length, read: `${chineseDigits(both[1]!)}到${chineseDigits(both[2]!)}` };
  const found = matchAt(year, text, at);
  return found && (found[1]!.length === 4 || /^\d\d年\d/.test(text.slice(at)))
    ? { end: at + found[0].length, read: chineseDigits(found[1]!) }
    : undefined;
};

const readPhone: Reader = ({ text, at, options }) => {
  const found = options.phone_normalization ? matchAt(phone, text, at)?.[0] : undefined;
  if (found === undefined) return undefined;
  const groups = found.match(/\d+/g)!.map((digits) => chineseDigits(digits, true));
  return { end: at + found.length, read: (found.startsWith('+') ? '加' : '') + groups.join('') };
};

const readTime: Reader = ({ text, at }) => {
  const found = matchAt(time, text, at);
  if (!found) return undefined;
  const [whole, hours, minutes, seconds] = found as unknown as [string, string, string, string | undefined];
  const two = (digits: string) => (digits.startsWith('0') ? `零${chineseNumber(digits)}` : chineseNumber(digits));
  const hour = Number(hours) === 2 ? '两' : chineseNumber(hours);
  const minute = minutes === '00' && seconds === undefined ? '' : `${minutes === '00' ? '零' : two(minutes)}分`;
  return { end: at + whole.length, read: `${hour}点${minute}${seconds === undefined ? '' : `${two(seconds)}秒`}` };
};

const readRatio: Reader = ({ text, at }) => {
  const found = matchAt(ratio, text, at);
  return found && { end: at + found[0].length, read: `${chineseNumber(found[1]!)}比${chineseNumber(found[2]!)}` };
};

const readFraction: Reader = ({ text, at }) => {
  const found = matchAt(fraction, text, at);
  if (!found) return undefined;
  const [whole, above, below] = found as unknown as [string, string, string];
  const isDay = Number(above) >= 1 && Number(above) <= 12 && Number(below) > 10 && Number(below) <= 31;
  const read = isDay
    ? `${chineseNumber(above)}月${chineseNumber(below)}日`
    : `${chineseNumber(below)}分之${chineseNumber(above)}`;
  return { end: at + whole.length, read };
};

const readVersion: Reader = ({ text, at }) => {
  const found = matchAt(version, text, at)?.[0];
  return found === undefined
    ? undefined
    : { end: at + found.length, read: found.split('.').map(chineseNumber).join('点') };
};

const readPercent: Reader = ({ text, at }) => {
  const found = matchAt(percent, text, at);
  return found && { end: at + found[0].length, read: `${found[2] === '‰' ? '千' : '百'}分之${numeral(found[1]!)}` };
};

const readCurrency: Reader = ({ text, at }) => {
  const found = matchAt(currency, text, at);
  if (!found) return undefined;
  const [whole, sign, value, large] = found as unknown as [string, string, string, string];
  const unit = CURRENCIES[sign]!;
  const [yuan = '', cents = ''] = value.replaceAll(',', '').split('.');
  const end = at + whole.length + (text.startsWith(unit, at + whole.length) ? unit.length : 0);
  if (unit === '元' && cents.length === 2 && large === '') {
    const [jiao, fen] = [...cents] as [string, string];
    const parts = [
      Number(yuan) === 0 && Number(cents) > 0 ? '' : `${chineseCounted(yuan, '元')}元`,
      jiao === '0' ? (fen === '0' ? '' : '零') : `${chineseDigits(jiao)}角`,
      fen === '0' ? '' : `${chineseDigits(fen)}分`,
    ];
    return { end, read: parts.join('').replace(/^零/, '') };
  }
  const fractional = Number(cents) > 0;
  return { end, read: (fractional ? numeral(value) : chineseCounted(yuan, large || unit)) + large + unit };
};

const readNumbered: Reader = ({ text, at }) => {
  const found = matchAt(numbered, text, at)?.[0];
  return found === undefined ? undefined : { end: at + found.length, read: '第' };
};

const readRange: Reader = ({ text, at }) => {
  const found = matchAt(range, text, at)?.[0];
  if (found === undefined || !/[\d%％元年月日时点分秒人个岁度℃万亿号]/.test(text[at - 1] ?? '')) return undefined;
  return { end: at + found.length, read: '到' };
};

/** A number with the unit that it measures. */
const readNumber: Reader = ({ text, at, options }) => {
  const written = matchAt(number, text, at)![0];
  const end = at + written.length;
  if (!options.normalize) return { end, read: numeral(written) };
  const unit = matchAt(UNIT, text, end);
  const following = unit ? UNITS[unit[1]!]! : text.slice(end).trimStart();
  const plain = written.replaceAll(',', '');
  const ordinal = text[at - 1] === '第';
  const read = ordinal || plain.includes('.') || isDigitwise(plain) ? numeral(plain) : chineseCounted(plain, following);
  return unit ? { end: end + unit[0].length, read: read + following } : { end, read };
};

function isDigitwise(digits: string): boolean {
  return digits.length > LONGEST_NUMBER || (digits.length > 1 && digits.startsWith('0'));
}

/** A number as it was written, with commas and a decimal point. */
function numeral(written: string): string {
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  if (decimals !== undefined) return chineseDecimal(whole, decimals);
  return isDigitwise(whole) ? chineseDigits(whole) : chineseNumber(whole);
}

const digitReaders: readonly Reader[] = [
  readPhone,
  readDate,
  readYear,
  readTime,
  readRatio,
  readFraction,
  readVersion,
  readPercent,
  readNumber,
];

function readLatinWords({ text, at, readLatin }: Place): Found | undefined {
  const found = matchAt(latin, text, at)?.[0].trimEnd();
  const said = found === undefined ? '' : readLatin(found);
  return said ? { end: at + found!.length, read: 'X', said } : undefined;
}

function readOtherLetters({ text, at, readLatin }: Place): Found | undefined {
  const found = matchAt(otherLetters, text, at)?.[0];
  const letters = found === undefined ? '' : transliterate(found);
  const said = letters === '' ? '' : readLatin(letters);
  return said ? { end: at + found!.length, read: 'X', said } : undefined;
}

/** Circled digits, Roman numerals of one character, squared words. */
function readCompatible({ text, at }: Place): Reading | undefined {
  const found = matchAt(compatible, text, at)?.[0];
  if (found !== undefined && Object.hasOwn(UNITS, found)) return { end: at + found.length, read: UNITS[found]! };
  const folded = found?.normalize('NFKC').replace(/[()]/g, '');
  if (found === undefined || folded === undefined || folded === found) return undefined;
  const plain = romanToDigits(folded.toUpperCase()) ?? folded;
  return { end: at + found.length, read: /^\d+$/.test(plain) ? chineseNumber(plain) : plain };
}

function readOtherDigits({ text, at }: Place): Reading | undefined {
  const found = matchAt(otherDigits, text, at)?.[0];
  return found === undefined ? undefined : { end: at + found.length, read: numeral(toAsciiDigits(found)) };
}
