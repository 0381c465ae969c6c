import { matchAt } from '../control-tokens.ts';
import type { Lexicon } from '../english/g2p/lexicon.ts';
import { romanToDigits } from '../english/normalize/numbers.ts';
import { MARKS } from '../marks.ts';
import { type Found, type Part, partsOf, type ReadAt } from '../part-split.ts';
import { toAsciiDigits, transliterate } from '../transliteration.ts';
import type { NormalizationOptions } from '../types.ts';
import { latinKana, letterNames } from './latin.ts';
import {
  counterAt,
  kanaApproximate,
  kanaCounted,
  kanaDecimal,
  kanaDigits,
  kanaMeasured,
  kanaNumber,
  kanjiDigits,
  kanjiNumber,
  LONGEST_NUMBER,
} from './numbers.ts';
import { CURRENCIES, SYMBOLS, UNITS } from './units.ts';

interface Place {
  text: string;
  at: number;
  options: NormalizationOptions;
  lexicon: Lexicon;
}

/** What is said for the text up to `end`; `read` stands for it among the words around it. */
interface Reading {
  end: number;
  said: string;
  read?: string;
}

type Reader = (place: Place) => Reading | undefined;

const amount = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const number = new RegExp(amount, 'y');
const myriads = /(?:\d[\d,]*(?:\.\d+)?[十百千]?[万億兆]){1,4}(?:\d[\d,]*)?/y;
const date = /(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?![\d/.-]*\d)/y;
const monthDay = /(\d{1,2})月(\d{1,2})日(?!間|目)/y;
const slashed = /(\d{1,2})\/(\d{1,3})(?![\d/])/y;
const time = /(午前|午後|[AaPp]\.?[Mm]\.?\s?)?([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?(?![\d:])/y;
const ratio = /(\d+):(\d+)(?![\d:])/y;
const approximate = /([1-8])[、,・]([2-9])(?![\d.,])/y;
const house = /[1-9]\d{0,2}(?:-\d{1,3}){2,3}(?![\d-])/y;
const score = /(\d{1,2})[-–](\d{1,2})(?=で(?:勝|負|敗|引)|の(?:勝利|敗戦|引き分け|逆転|同点))/y;
const version = /\d+(?:\.\d+){2,}/y;
const phone = /(?:\+\d{1,3}[- ]?)?(?:\(0\d{1,4}\)\s?|0\d{1,4}-)\d{1,4}-\d{3,4}(?!\d)|〒?\d{3}-\d{4}(?![\d-])/y;
const range = new RegExp(`\\s?[〜~～]\\s?(?=[¥￥$€£]?${amount})|[-–](?=${amount}(?![\\d.]*-\\d))`, 'y');
const currency = new RegExp(`(US\\$|[¥￥$＄€£￡₩₹₽])\\s?(${amount})([万億兆]{0,2})`, 'y');
const address =
  /(?:https?:\/\/|www\.)[\w./~%?=&#:+@-]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|jp|io|dev)(?![\w-])/iy;
const latin = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:['’]\p{Script=Latin}+)*/uy;
const otherLetters = /[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/uy;
const otherDigits = /[\p{Nd}]+/uy;
const dots = /[.．…‥⋯・]{2,}|…/y;
const compatible = /[ｦ-ﾟ]+|[Ⅰ-ⅿ]+|[㈠-㊰①-⓿㋀-㏿㍻-㍿㎀-㏟]/uy;
const UNIT = new RegExp(
  `\\s?(${Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .map((unit) => unit.replace(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('|')})`,
  'y',
);
/** What stands in brackets: days of the week behind a date, a laugh. */
const BRACKETED: Readonly<Record<string, string>> = {
  月: 'げつ',
  火: 'か',
  水: 'すい',
  木: 'もく',
  金: 'きん',
  土: 'ど',
  日: 'にち',
  笑: 'わらい',
};

/**
 * The parts of a sentence: numbers, amounts, dates, times, words in Latin letters with what is said for them, punctuation
 * with its mark, all else as it is written.
 * @param listed what the user's own words at a place are read as
 */
export function rewrite(written: string, options: NormalizationOptions, lexicon: Lexicon, listed?: ReadAt): Part[] {
  return partsOf(
    written,
    (text, at, first) => listed?.(text, at, first) ?? readAt({ text, at, options, lexicon }, first),
  );
}

/** What is newer than the dictionary, with what stands for it among the words around it. */
const NEWER: Readonly<Record<string, { said: string; read: string }>> = { 令和: { said: 'れーわ', read: '平成' } };

function readAt(place: Place, first: boolean): Found | undefined {
  const { text, at, options } = place;
  const character = text[at]!;
  const before = text[at - 1] ?? '';
  const newer = Object.hasOwn(NEWER, text.slice(at, at + 2)) ? NEWER[text.slice(at, at + 2)] : undefined;
  if (newer) return { end: at + 2, ...newer };
  if (options.normalize) {
    for (const reader of readersOf(character, before)) {
      const reading = reader(place);
      if (reading) return reading;
    }
    const bracketed = BRACKETED[character];
    if (bracketed !== undefined && /[(（]/.test(before) && /[)）]/.test(text[at + 1] ?? ''))
      return { end: at + 1, said: bracketed };
    if (character === '-' && /\d/.test(text[at + 1] ?? '') && !/[\d\p{Script=Latin}]/u.test(before)) {
      return { end: at + 1, said: 'まいなす' };
    }
  }
  const run = matchAt(dots, text, at)?.[0];
  if (run) return { end: at + run.length, mark: '…', read: '。' };
  const mark = MARKS[character];
  // Rows of signs would be one unknown word.
  if (mark !== undefined) return { end: at + 1, mark, read: mark === ' ' ? ' ' : /[.!?]/.test(mark) ? '。' : '、' };
  const spelled =
    readCompatible(place) ??
    readLatin(place) ??
    readOtherLetters(place) ??
    (/\d/.test(character) ? readNumber(place) : readOtherDigits(place));
  if (spelled) return spelled;
  if (!options.normalize) return undefined;
  const symbol = SYMBOLS[character];
  return symbol === undefined || (first && /[#>＞]/.test(character)) ? undefined : { end: at + 1, said: symbol };
}

function readersOf(character: string, before: string): readonly Reader[] {
  if (/\d/.test(character)) return /\d/.test(before) ? [] : digitReaders;
  if (/[A-Za-z]/.test(character)) return [readAddress, readTime, readCurrencyCode, readNumbered];
  if (/[(〒+]/.test(character)) return [readPhone];
  if (/[〜~～\-–]/.test(character)) return [readRange];
  return /[午¥￥$＄€£￡₩₹₽№#]/.test(character) ? [readTime, readCurrency, readNumbered] : [];
}

const readAddress: Reader = ({ text, at, options, lexicon }) => {
  const found = matchAt(address, text, at)?.[0];
  if (found === undefined) return undefined;
  const isMail = found.includes('@');
  const named = isMail ? !options.email_normalization : !options.url_normalization;
  const names: Readonly<Record<string, string>> = {
    '.': 'どっと',
    '/': 'すらっしゅ',
    '@': 'あっと',
    '-': 'はいふん',
    ':': 'ころん',
    _: 'あんだーばー',
  };
  const words = found.replace(/^https?:\/\//i, named ? '$&' : '').match(/[A-Za-z]+|\d+|[^A-Za-z\d]/g) ?? [];
  const said = words.map((word) => {
    if (/\d/.test(word)) return kanaDigits(word);
    if (/[A-Za-z]/.test(word))
      return /^(?:www|com|net|org|io|jp|https?)$/i.test(word) && word !== 'com' && word !== 'net'
        ? letterNames(word)
        : latinKana(word, lexicon);
    return word === '@' || word === '.' || named ? (names[word] ?? '') : '';
  });
  return { end: at + found.length, said: said.filter(Boolean).join(' ') };
};

const readPhone: Reader = ({ text, at, options }) => {
  if (!options.phone_normalization || /[\d-]/.test(text[at - 1] ?? '')) return undefined;
  const found = matchAt(phone, text, at)?.[0];
  if (found === undefined) return undefined;
  const groups = found.match(/\d+/g)!.map(kanaDigits);
  const mark = found.startsWith('〒') ? 'ゆーびんばんごー ' : '';
  return { end: at + found.length, said: mark + groups.join('の ') };
};

const readDate: Reader = ({ text, at }) => {
  const found = matchAt(date, text, at);
  if (!found || Number(found[3]) > 12 || Number(found[4]) > 31 || found[3] === '0') return undefined;
  const [whole, year, , month, day] = found as unknown as [string, string, string, string, string];
  return {
    end: at + whole.length,
    said: `${kanaCounted(year, '年')} ${kanaCounted(month, '月')} ${kanaCounted(day, '日')}`,
    read: `${kanjiNumber(day)}日`,
  };
};

const readMonthDay: Reader = ({ text, at }) => {
  const found = matchAt(monthDay, text, at);
  if (!found) return undefined;
  return {
    end: at + found[0].length,
    said: `${kanaCounted(found[1]!, '月')} ${kanaCounted(found[2]!, '日')}`,
    read: `${kanjiNumber(found[2]!)}日`,
  };
};

/** A day where it can be one and the second number is no usual denominator, else a fraction. */
const readSlashed: Reader = ({ text, at }) => {
  const found = matchAt(slashed, text, at);
  if (!found) return undefined;
  const [whole, first, second] = found as unknown as [string, string, string];
  const end = at + whole.length;
  const isDay = Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 31;
  if (isDay && (Number(second) > 10 || /^\s?[(（]?[月火水木金土日]/.test(text.slice(end, end + 3)))) {
    return { end, said: `${kanaCounted(first, '月')} ${kanaCounted(second, '日')}`, read: `${kanjiNumber(second)}日` };
  }
  return { end, said: `${kanaNumber(second)}ぶんの ${kanaNumber(first)}`, read: `${kanjiNumber(first)}` };
};

const readTime: Reader = ({ text, at }) => {
  const found = matchAt(time, text, at);
  if (!found) return undefined;
  const [whole, half = '', hours, minutes, seconds] = found as unknown as [string, string?, string?, string?, string?];
  const after = /^\s?([AaPp])\.?[Mm]\.?(?![A-Za-z])/.exec(text.slice(at + whole.length, at + whole.length + 5));
  const morning = half === '午前' || /^a/i.test(half) || /a/i.test(after?.[1] ?? '');
  const evening = half === '午後' || /^p/i.test(half) || /p/i.test(after?.[1] ?? '');
  const said = [
    morning ? 'ごぜん' : evening ? 'ごご' : '',
    Number(hours) === 0 ? 'れーじ' : kanaCounted(hours!, '時'),
    minutes === '00' ? '' : kanaCounted(minutes!, '分'),
    seconds === undefined ? '' : kanaCounted(seconds, '秒'),
  ];
  return { end: at + whole.length + (after?.[0].length ?? 0), said: said.filter(Boolean).join(' '), read: '一時' };
};

const readRatio: Reader = ({ text, at }) => {
  const found = matchAt(ratio, text, at);
  return (
    found && { end: at + found[0].length, said: `${kanaNumber(found[1]!)}たい ${kanaNumber(found[2]!)}`, read: '二' }
  );
};

/** 1-2-3, of an address. */
const readHouse: Reader = ({ text, at }) => {
  const found = matchAt(house, text, at)?.[0];
  return found === undefined
    ? undefined
    : { end: at + found.length, said: found.split('-').map(kanaNumber).join('の '), read: '一' };
};

/** 3-2で勝つ */
const readScore: Reader = ({ text, at }) => {
  const found = matchAt(score, text, at);
  return (
    found && { end: at + found[0].length, said: `${kanaNumber(found[1]!)}たい ${kanaNumber(found[2]!)}`, read: '二' }
  );
};

const readVersion: Reader = ({ text, at }) => {
  const found = matchAt(version, text, at)?.[0];
  return found === undefined
    ? undefined
    : { end: at + found.length, said: found.split('.').map(kanaNumber).join('てん '), read: '一' };
};

const readCurrency: Reader = ({ text, at }) => {
  const found = matchAt(currency, text, at);
  if (!found) return undefined;
  const [whole, sign, value, large] = found as unknown as [string, string, string, string];
  const unit = /^[¥￥]$/.test(sign) ? '円' : '';
  const end = at + whole.length + (unit && text.startsWith(unit, at + whole.length) ? unit.length : 0);
  return { end, said: money(value, large, CURRENCIES[sign]!), read: '一円' };
};

const currencyCode = new RegExp(`(JPY|USD|EUR|GBP)\\s?(${amount})`, 'y');
const readCurrencyCode: Reader = ({ text, at }) => {
  const found = matchAt(currencyCode, text, at);
  return found && { end: at + found[0].length, said: money(found[2]!, '', CURRENCIES[found[1]!]!), read: '一円' };
};

function money(value: string, large: string, [unit, part]: readonly [string, string]): string {
  const [whole = '', fraction = ''] = value.replaceAll(',', '').split('.');
  if (fraction.length === 2 && large === '') {
    const cents = Number(fraction) === 0 ? '' : kanaMeasured(kanaNumber(fraction), part);
    return [Number(whole) === 0 && cents ? '' : counted(whole, unit), cents].filter(Boolean).join(' ');
  }
  return fraction ? numeral(value) + largeKana(large) + unit : counted(whole + zeros(large), unit);
}

function counted(digits: string, unit: string): string {
  return unit === 'えん' ? kanaCounted(digits, '円') : kanaMeasured(kanaNumber(digits), unit);
}

function zeros(large: string): string {
  return '0'.repeat([...large].reduce((sum, myriad) => sum + ({ 万: 4, 億: 8, 兆: 12 }[myriad] ?? 0), 0));
}

function largeKana(large: string): string {
  return [...large].map((myriad) => ({ 万: 'まん', 億: 'おく', 兆: 'ちょー' })[myriad] ?? '').join('');
}

/** A number as it was written, with commas and a decimal point, in kana. */
function numeral(written: string): string {
  const [whole = '', fraction] = written.replaceAll(',', '').split('.');
  if (fraction !== undefined) return kanaDecimal(whole, fraction);
  const digitwise = whole.length > LONGEST_NUMBER || (whole.length > 1 && whole.startsWith('0'));
  return digitwise ? kanaDigits(whole) : kanaNumber(whole);
}

/** The digits of 3万5000. */
function myriadDigits(text: string): string | undefined {
  let total = 0n;
  for (const [, digits, small = '', unit = ''] of text.matchAll(/(\d[\d,]*)([十百千]?)([万億兆]?)/g)) {
    const scale = { '': 0, 万: 4, 億: 8, 兆: 12 }[unit]! + { '': 0, 十: 1, 百: 2, 千: 3 }[small]!;
    total += BigInt(digits!.replaceAll(',', '')) * 10n ** BigInt(scale);
  }
  const said = String(total);
  return said.length > LONGEST_NUMBER ? undefined : said;
}

const readNumbered: Reader = ({ text, at }) => {
  const found = /^(?:No\.\s?|№\s?|#)(?=\d)/i.exec(text.slice(at, at + 6));
  return found ? { end: at + found[0].length, said: 'なんばー' } : undefined;
};

const readRange: Reader = ({ text, at }) => {
  const found = matchAt(range, text, at)?.[0];
  if (found === undefined || !/[\d%％円年月日時分秒人個本枚歳度才℃万億兆回匹]/.test(text[at - 1] ?? ''))
    return undefined;
  return { end: at + found.length, said: 'から', read: 'から' };
};

/** A number with what is counted or measured by it. */
const readNumber: Reader = ({ text, at, options }) => {
  if (!options.normalize) {
    const digits = /\d+/y;
    const found = matchAt(digits, text, at)![0];
    return { end: at + found.length, said: numeral(found), read: '一' };
  }
  const large = matchAt(myriads, text, at)?.[0];
  if (large !== undefined && !large.includes('.')) {
    const digits = myriadDigits(large);
    if (digits !== undefined) return withCounter(text, at + large.length, digits);
  }
  const written = matchAt(number, text, at)![0];
  const end = at + written.length;
  const plain = written.replaceAll(',', '');
  if (plain.includes('.')) {
    const said = numeral(plain);
    const scale = /^[万億兆]{1,2}/.exec(text.slice(end, end + 2))?.[0] ?? '';
    const behind = end + scale.length;
    const unit = matchAt(UNIT, text, behind);
    if (unit && isUnitEnd(text, behind + unit[0].length, unit[1]!)) {
      return { end: behind + unit[0].length, said: said + largeKana(scale) + UNITS[unit[1]!]!, read: '一' };
    }
    return { end: behind, said: said + largeKana(scale), read: '一' };
  }
  if (plain.length > LONGEST_NUMBER || (plain.length > 1 && plain.startsWith('0'))) {
    const counter = plain.length === 2 ? counterAt(text, end) : undefined;
    if (counter === undefined) return { end, said: kanaDigits(plain), read: kanjiDigits(plain) };
  }
  return withCounter(text, end, plain);
};

function withCounter(text: string, end: number, digits: string): Reading {
  const space = text[end] === ' ' ? 1 : 0;
  const unit = matchAt(UNIT, text, end);
  if (unit && isUnitEnd(text, end + unit[0].length, unit[1]!)) {
    return {
      end: end + unit[0].length,
      said: kanaMeasured(kanaNumber(digits), UNITS[unit[1]!]!),
      read: `${kanjiNumber(digits)}個`,
    };
  }
  const counter = counterAt(text, end + space);
  if (counter === undefined) return { end, said: kanaNumber(digits), read: kanjiNumber(digits) };
  const oneDay = counter === '日' && Number(digits) === 1;
  return {
    end: end + space + counter.length,
    said: oneDay ? 'いちにち' : kanaCounted(digits, counter),
    read: kanjiNumber(digits) + counter,
  };
}

/** A unit in Latin letters ends where they do; one in katakana likewise. */
function isUnitEnd(text: string, end: number, unit: string): boolean {
  const next = text[end] ?? '';
  if (/[A-Za-z]$/.test(unit)) return !/[A-Za-z\d]/.test(next);
  return !/[ァ-ヺー]$/.test(unit) || !/[ァ-ヺー]/.test(next);
}

/** 2、3日: "two or three". */
const readApproximate: Reader = ({ text, at }) => {
  const found = matchAt(approximate, text, at);
  if (!found || Number(found[2]) !== Number(found[1]) + 1) return undefined;
  const end = at + found[0].length;
  const counter = counterAt(text, end);
  if (counter === undefined) return undefined;
  const numerals = kanjiDigits(found[1]! + found[2]!);
  const said = kanaApproximate(numerals, counter);
  return said ? { end: end + counter.length, said, read: numerals + counter } : undefined;
};

const digitReaders: readonly Reader[] = [
  readApproximate,
  readAddress,
  readDate,
  readPhone,
  readHouse,
  readScore,
  readMonthDay,
  readTime,
  readRatio,
  readSlashed,
  readVersion,
  readNumber,
];

function readLatin({ text, at, lexicon }: Place): Reading | undefined {
  const found = matchAt(latin, text, at)?.[0];
  if (found === undefined) return undefined;
  const said = latinKana(found.replaceAll('’', "'"), lexicon);
  return said ? { end: at + found.length, said } : undefined;
}

function readOtherLetters({ text, at, lexicon }: Place): Reading | undefined {
  const found = matchAt(otherLetters, text, at)?.[0];
  const said = found === undefined ? '' : latinKana(transliterate(found), lexicon);
  return said ? { end: at + found!.length, said } : undefined;
}

/** Half-width katakana, circled digits, Roman numerals of one character, squared words. */
function readCompatible(place: Place): Found | undefined {
  const found = matchAt(compatible, place.text, place.at)?.[0];
  if (found === undefined) return undefined;
  if (Object.hasOwn(UNITS, found)) return { end: place.at + found.length, said: UNITS[found]! };
  const folded = found.normalize('NFKC').replace(/[()]/g, '');
  const plain = romanToDigits(folded.toUpperCase()) ?? folded;
  const end = place.at + found.length;
  if (/^\d+$/.test(plain)) return { end, said: kanaNumber(plain), read: kanjiNumber(plain) };
  return plain === found ? undefined : { end, read: plain };
}

function readOtherDigits({ text, at }: Place): Reading | undefined {
  const found = matchAt(otherDigits, text, at)?.[0];
  return found === undefined ? undefined : { end: at + found.length, said: numeral(toAsciiDigits(found)), read: '一' };
}
