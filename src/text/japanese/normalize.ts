import { dateAt } from '../cjk/dates.ts';
import { PLACEHOLDER } from '../cjk/listed-words.ts';
import { isMinus } from '../cjk/minus.ts';
import { AMOUNT, isNamedVersionBefore, ratingAt, versionAt } from '../cjk/number-patterns.ts';
import { powerAt, vulgarFractionAt } from '../cjk/powers.ts';
import { PUNCTUATION } from '../cjk/punctuation.ts';
import { SCALE, scaledAmount } from '../cjk/scaled-amount.ts';
import { type Rewrite, type RewriteAt, type Span, splitSpans } from '../cjk/spans.ts';
import { raisedUnitAt } from '../cjk/squared-units.ts';
import { isTimeUnit } from '../cjk/time-units.ts';
import { matchAt } from '../patterns.ts';
import { romanToDigits } from '../roman-numerals.ts';
import { toAsciiDigits, transliterate } from '../transliteration.ts';
import type { NormalizationOptions } from '../types.ts';
import { type EnglishWords, latinKana, letterNames } from './latin.ts';
import {
  COUNTERS,
  counterAt,
  kanaApproximate,
  kanaCounted,
  kanaDecimal,
  kanaDigits,
  kanaMeasured,
  kanaNumber,
  kanjiDigits,
  kanjiNumber,
  MAX_DIGITS,
} from './numbers.ts';
import { CURRENCIES, SYMBOLS, UNITS } from './units.ts';

interface Context {
  /** The sentence, half width. */
  text: string;
  /** Where the rewrite begins. */
  index: number;
  options: NormalizationOptions;
  english: EnglishWords;
}

/** Rewrites what begins at an index. `spoken` is kana; `replacement` lets the analyser read the words around it. */
type Rewriter = (context: Context) => Rewrite | undefined;

const number = new RegExp(AMOUNT, 'y');
const myriads = /(?:\d[\d,]*(?:\.\d+)?[十百千]?[万億兆]){1,4}(?:\d[\d,]*)?/y;
const monthDay = /(\d{1,2})月(\d{1,2})日(?!間|目)/y;
const slashed = /(?<!\/)(\d{1,2})\/(\d{1,3})(?![\d/])/y;
const time = /(午前|午後|[AaPp]\.?[Mm]\.?\s?)?([01]?\d|2\d):([0-5]\d)(?::([0-5]\d))?(?![\d:])/y;
const duration = /(?:(\d{1,3})h\s?)?([0-5]?\d)m(?:in)?(?:\s?([0-5]?\d)s)?(?![A-Za-z\d])/y;
const ratio = /(\d+):(\d+)(?![\d:])/y;
const approximate = /([1-8])[、,・]([2-9])(?![\d.,])/y;
const numerals = /([一二三四五六七八])、([二三四五六七八九])([十万]?)/y;
const house = /[1-9]\d{0,2}(?:-\d{1,3}){2,3}(?![\d-]|\s?=)/y;
const score =
  /(?<=スコア[はが]?[:：]?\s?)(\d{1,2})\s?[-–]\s?(\d{1,2})(?!\d)|(\d{1,2})\s?[-–]\s?(\d{1,2})(?=\s?(?:で(?:勝|負|敗|引)|の(?:勝利|敗戦|引き分け|逆転|同点)))/y;
const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+\d{1,3}[- ]?)?(?:\(0\d{1,4}\)\s?|0\d{1,4}-)\d{1,4}-\d{3,4}(?!\d)|〒?\d{3}-\d{4}(?![\d-])/y;
const range = new RegExp(`\\s?[〜~～]\\s?(?=[¥￥$€£]?${AMOUNT})|[-–](?=${AMOUNT}(?![\\d.]*-\\d))`, 'y');
const currency = new RegExp(`(US\\$|[¥￥$＄€£￡₩₹₽])\\s?(${AMOUNT})(${SCALE}|[万億兆]{0,2})`, 'y');
const address =
  /(?:https?:\/\/|www\.)[\w./~%?=&#:+@-]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|jp|io|dev)(?![\w-])/iy;
const latin = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:['’]\p{Script=Latin}+)*/uy;
const otherLetters = /[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/uy;
const otherDigits = /[\p{Nd}]+/uy;
const dots = /[.．…‥⋯・]{2,}|…/y;
const formula = /(?:[A-Z][a-z]?[\d₀-₉]{0,3}){1,12}(?![\p{Script=Latin}\d])/uy;
const roman = /^[Ⅰ-ⅿ]+$/;
const compatible = /[ｦ-ﾟ]+|[Ⅰ-ⅿ]+|[㈠-㊰①-⓿㋀-㏿㍻-㍿㎀-㏟]/uy;
const UNIT = new RegExp(
  `\\s?(${Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .map((unit) => unit.replace(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('|')})`,
  'y',
);
/** The end of a value with its unit. */
const value = new RegExp(
  `\\d[十百千万億兆]{0,2}\\s?(?:${[...Object.keys(UNITS), ...COUNTERS].map((unit) => unit.replace(/[.*+?^$()[\]\\|]/g, '\\$&')).join('|')})$`,
);
const MAX_VALUE = 16;
/** A loss in finance; in shogi a numeral in kanji follows. */
const loss = new RegExp(`[▲△](?=[¥￥$€£]?${AMOUNT}\\s?(?:[%％円万億兆千百]|ポイント|ドル|ユーロ|pt|bp))`, 'y');
const weekdays = /(?<![\p{Script=Han}\d])([月火水木金土日])[〜~～-]([月火水木金土日])(曜日?)?(?!\p{Script=Han})/uy;
/** Money that a rate may be of, besides values. */
const rated = /(?:円|ドル|ユーロ)$|[¥￥$€£]\s?[\d.,]{1,9}[kKmMbB]?$/;
const per =
  /\/([月年日週](?!\p{Script=Han})|人|時間|個|回|本|枚|台|株|泊|名|室|件|km|kg|g|L|l|ml|㎡|m²|m)(?![A-Za-z\d²])/uy;
const PER: Readonly<Record<string, string>> = { 月: 'まいつき', 年: 'まいとし', 日: 'まいにち', 週: 'まいしゅー' };
/** Units of time by symbol, and their counters. */
const TIMES: Readonly<Record<string, string>> = { h: '時間', min: '分', s: '秒' };
const timeUnit = /(h|min|s)(?![A-Za-z\d])/y;
/** Single characters in brackets: days of the week after a date, a laugh. */
const BRACKETED: Readonly<Record<string, string>> = {
  月: 'げつ',
  火: 'か',
  水: 'すい',
  木: 'もく',
  金: 'きん',
  土: 'ど',
  日: 'にち',
  笑: 'わらい',
  株: 'かぶしきがいしゃ',
};
/** Words of one character that are not spoken as they fold. */
const SQUARED: Readonly<Record<string, string>> = {
  '㈱': 'かぶしきがいしゃ',
  '㈲': 'ゆーげんがいしゃ',
  '㍿': 'かぶしきがいしゃ',
};

/**
 * The spans of a sentence: rewrites numbers, amounts, dates, times, Latin words and punctuation.
 * @param listedAt rewrites the user's own words
 */
export function normalize(
  written: string,
  options: NormalizationOptions,
  english: EnglishWords,
  listedAt?: RewriteAt,
): Span[] {
  return splitSpans(
    written,
    (text, index, isFirst) => listedAt?.(text, index, isFirst) ?? rewriteAt({ text, index, options, english }, isFirst),
  );
}

/** Words newer than the dictionary, replaced by older ones. */
const NEW_WORDS: Readonly<Record<string, { spoken: string; replacement: string }>> = {
  令和: { spoken: 'れーわ', replacement: '平成' },
  百均: { spoken: 'ひゃっきん', replacement: '店' },
};

function rewriteAt(context: Context, isFirst: boolean): Rewrite | undefined {
  const { text, index, options } = context;
  const character = text[index]!;
  const before = text[index - 1] ?? '';
  const pair = text.slice(index, index + 2);
  if (Object.hasOwn(NEW_WORDS, pair)) return { end: index + 2, ...NEW_WORDS[pair]! };
  if (options.normalize) {
    for (const rewriter of rewritersOf(character, before)) {
      const rewrite = rewriter(context);
      if (rewrite) return rewrite;
    }
    const bracketed = BRACKETED[character];
    if (bracketed !== undefined && /[(（]/.test(before) && /[)）]/.test(text[index + 1] ?? ''))
      return { end: index + 1, spoken: bracketed };
    if (/[-−]/.test(character) && /\d/.test(text[index + 1] ?? '') && !/[\d\p{Script=Latin}]/u.test(before)) {
      return { end: index + 1, spoken: 'まいなす', replacement: PLACEHOLDER };
    }
    if (character === '.' && /[A-Za-z]/.test(before) && /\d/.test(text[index + 1] ?? ''))
      return { end: index + 1, mark: ' ', replacement: ' ' };
  }
  const ellipsis = matchAt(dots, text, index)?.[0];
  if (ellipsis) return { end: index + ellipsis.length, mark: '…', replacement: '。' };
  const mark = PUNCTUATION[character];
  // The analyser takes several signs in a row for one unknown word.
  if (mark !== undefined)
    return { end: index + 1, mark, replacement: mark === ' ' ? ' ' : /[.!?]/.test(mark) ? '。' : '、' };
  const rewrite =
    rewriteCompatible(context) ??
    rewriteLatin(context) ??
    rewriteOtherLetters(context) ??
    (/\d/.test(character) ? rewriteNumber(context) : rewriteOtherDigits(context));
  if (rewrite) return rewrite;
  if (!options.normalize) return undefined;
  const symbol = SYMBOLS[character];
  return symbol === undefined || (isFirst && /[#>＞]/.test(character))
    ? undefined
    : { end: index + 1, spoken: symbol, replacement: PLACEHOLDER };
}

function rewritersOf(character: string, before: string): readonly Rewriter[] {
  if (/\d/.test(character)) return /\d/.test(before) ? [] : digitRewriters;
  if (/[A-Za-z]/.test(character)) return letterRewriters;
  if (/[¼-¾⅐-⅞]/.test(character)) return [rewriteVulgarFraction];
  if (/[\^⁰¹²³⁴-⁻]/.test(character)) return [rewritePower];
  if (/[(〒+]/.test(character)) return [rewritePhone];
  if (/[〜~～\-–−]/.test(character)) return [rewriteMinus, rewriteRange];
  if (/[一二三四五六七八]/.test(character)) return [rewriteNumerals];
  if (/[月火水木金土日]/.test(character)) return [rewriteWeekdays];
  if (character === '★') return [rewriteRating];
  if (/[▲△]/.test(character)) return [rewriteLoss];
  if (character === '/') return [rewritePer];
  return /[午¥￥$＄€£￡₩₹₽№#]/.test(character) ? [rewriteTime, rewriteCurrency, rewriteNumbered] : [];
}

const rewriteAddress: Rewriter = ({ text, index, options, english }) => {
  const match = matchAt(address, text, index)?.[0];
  if (match === undefined) return undefined;
  const isMail = match.includes('@');
  const namesSigns = isMail ? !options.email_normalization : !options.url_normalization;
  const names: Readonly<Record<string, string>> = {
    '.': 'どっと',
    '/': 'すらっしゅ',
    '@': 'あっと',
    '-': 'はいふん',
    ':': 'ころん',
    _: 'あんだーばー',
  };
  const words = match.replace(/^https?:\/\//i, namesSigns ? '$&' : '').match(/[A-Za-z]+|\d+|[^A-Za-z\d]/g) ?? [];
  const spoken = words.map((word) => {
    if (/\d/.test(word)) return kanaDigits(word);
    if (/[A-Za-z]/.test(word))
      return /^(?:www|com|net|org|io|jp|https?)$/i.test(word) && word !== 'com' && word !== 'net'
        ? letterNames(word)
        : latinKana(word, english);
    return word === '@' || word === '.' || namesSigns ? (names[word] ?? '') : '';
  });
  return { end: index + match.length, spoken: spoken.filter(Boolean).join(' ') };
};

const rewritePhone: Rewriter = ({ text, index, options }) => {
  if (!options.phone_normalization || /[\d-]/.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(phone, text, index)?.[0];
  if (match === undefined) return undefined;
  const groups = match.match(/\d+/g)!.map(kanaDigits);
  const mark = match.startsWith('〒') ? 'ゆーびんばんごー ' : /^\+\d+[- ][1-9]/.test(match) ? 'ぷらす ' : '';
  return { end: index + match.length, spoken: mark + groups.join('の ') };
};

const rewriteDate: Rewriter = ({ text, index }) => {
  const date = dateAt(text, index);
  if (!date) return undefined;
  const { end, year, month, day } = date;
  return {
    end,
    spoken: `${kanaCounted(year, '年')} ${kanaCounted(month, '月')} ${kanaCounted(day, '日')}`,
    replacement: `${kanjiNumber(day)}日`,
  };
};

const rewriteMonthDay: Rewriter = ({ text, index }) => {
  const match = matchAt(monthDay, text, index);
  if (!match) return undefined;
  return {
    end: index + match[0].length,
    spoken: `${kanaCounted(match[1]!, '月')} ${kanaCounted(match[2]!, '日')}`,
    replacement: `${kanjiNumber(match[2]!)}日`,
  };
};

/** A day, if it can be one and the second number is an unusual denominator; else a fraction. */
const rewriteSlashed: Rewriter = ({ text, index }) => {
  const match = matchAt(slashed, text, index);
  if (!match) return undefined;
  const [whole, first, second] = match as unknown as [string, string, string];
  const end = index + whole.length;
  const isDate = Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 31;
  if (isDate && (Number(second) > 10 || /^\s?[(（]?[月火水木金土日]/.test(text.slice(end, end + 3)))) {
    return {
      end,
      spoken: `${kanaCounted(first, '月')} ${kanaCounted(second, '日')}`,
      replacement: `${kanjiNumber(second)}日`,
    };
  }
  return { end, spoken: `${kanaNumber(second)}ぶんの ${kanaNumber(first)}`, replacement: `${kanjiNumber(first)}` };
};

const rewriteTime: Rewriter = ({ text, index }) => {
  const match = matchAt(time, text, index);
  if (!match) return undefined;
  const [whole, half = '', hours, minutes, seconds] = match as unknown as [string, string?, string?, string?, string?];
  const after = /^\s?([AaPp])\.?[Mm]\.?(?![A-Za-z])/.exec(text.slice(index + whole.length, index + whole.length + 5));
  const isMorning = half === '午前' || /^a/i.test(half) || /a/i.test(after?.[1] ?? '');
  const isEvening = half === '午後' || /^p/i.test(half) || /p/i.test(after?.[1] ?? '');
  const spoken = [
    isMorning ? 'ごぜん' : isEvening ? 'ごご' : '',
    Number(hours) === 0 ? 'れーじ' : kanaCounted(hours!, '時'),
    minutes === '00' ? '' : kanaCounted(minutes!, '分'),
    seconds === undefined ? '' : kanaCounted(seconds, '秒'),
  ];
  return {
    end: index + whole.length + (after?.[0].length ?? 0),
    spoken: spoken.filter(Boolean).join(' '),
    replacement: '一時',
  };
};

/** 1h30m, 5m30s */
const rewriteDuration: Rewriter = ({ text, index }) => {
  const match = matchAt(duration, text, index);
  if (!match || (match[1] === undefined && match[3] === undefined)) return undefined;
  const [whole, hours, minutes, seconds] = match as unknown as [string, string?, string?, string?];
  const spoken = [
    hours === undefined ? '' : kanaCounted(hours, '時間'),
    kanaCounted(minutes!, '分'),
    seconds === undefined ? '' : kanaCounted(seconds, '秒'),
  ];
  return { end: index + whole.length, spoken: spoken.filter(Boolean).join(' '), replacement: '一時間' };
};

const rewriteRatio: Rewriter = ({ text, index }) => {
  const match = matchAt(ratio, text, index);
  return (
    match && {
      end: index + match[0].length,
      spoken: `${kanaNumber(match[1]!)}たい ${kanaNumber(match[2]!)}`,
      replacement: '二',
    }
  );
};

/** 1-2-3 in an address. */
const rewriteHouse: Rewriter = ({ text, index }) => {
  const match = matchAt(house, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: match.split('-').map(kanaNumber).join('の '), replacement: '一' };
};

const rewriteMinus: Rewriter = ({ text, index }) =>
  isMinus(text, index) ? { end: index + 1, spoken: 'まいなす', replacement: PLACEHOLDER } : undefined;

/** ▲5% */
const rewriteLoss: Rewriter = ({ text, index }) =>
  matchAt(loss, text, index) && { end: index + 1, spoken: 'まいなす', replacement: PLACEHOLDER };

/** 月〜金 */
const rewriteWeekdays: Rewriter = ({ text, index }) => {
  const match = matchAt(weekdays, text, index);
  if (!match) return undefined;
  const [whole, first, last, day = ''] = match as unknown as [string, string, string, string?];
  const ending = { '': '', 曜: 'よー', 曜日: 'よーび' }[day]!;
  return {
    end: index + whole.length,
    spoken: `${BRACKETED[first]!} から ${BRACKETED[last]!}${ending}`,
    replacement: `${last}曜日`,
  };
};

/** ★★★☆☆: three of five stars. */
const rewriteRating: Rewriter = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, spoken: `ほし ${kanaCounted(rating.stars, 'つ')}`, replacement: PLACEHOLDER };
};

/** 500円/月 */
const rewritePer: Rewriter = ({ text, index }) => {
  const unit = matchAt(per, text, index)?.[1];
  const before = text.slice(Math.max(0, index - MAX_VALUE), index);
  if (unit === undefined || !(rated.test(before) || value.test(before))) return undefined;
  const end = index + 1 + unit.length;
  if (Object.hasOwn(PER, unit)) return { end, spoken: PER[unit]!, replacement: '毎月' };
  const one = Object.hasOwn(UNITS, unit) ? kanaMeasured(kanaNumber('1'), UNITS[unit]!) : kanaCounted('1', unit);
  return { end, spoken: `${one} あたり`, replacement: '毎月' };
};

function isValueBefore(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - MAX_VALUE), index);
  return /[\d%％円年月日時分秒人個本枚歳度才℃万億兆回匹]$/.test(before) || value.test(before);
}

/** 3-2で勝つ */
const rewriteScore: Rewriter = ({ text, index }) => {
  const match = matchAt(score, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: match.match(/\d+/g)!.map(kanaNumber).join('たい '), replacement: '二' };
};

const rewriteVulgarFraction: Rewriter = ({ text, index }) => {
  const fraction = vulgarFractionAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const mixed = whole === '' ? '' : `${kanaNumber(whole)}と `;
  return { end, spoken: `${mixed}${kanaNumber(below)}ぶんの ${kanaNumber(above)}`, replacement: '一' };
};

const rewritePower: Rewriter = ({ text, index }) => {
  const power = powerAt(text, index);
  if (!power) return undefined;
  const { end, isNegative, digits } = power;
  return { end, spoken: `の ${isNegative ? 'まいなす ' : ''}${kanaCounted(digits, '乗')}`, replacement: 'の二乗' };
};

/** m² without a number. */
const rewriteRaisedUnit: Rewriter = ({ text, index }) => {
  const unit = raisedUnitAt(text, index, UNITS);
  return unit && { end: unit.end, spoken: unit.name };
};

/** Formulas of chemistry have English digits: H₂O is えいちつーおー. */
const rewriteFormula: Rewriter = ({ text, index }) => {
  const match = matchAt(formula, text, index)?.[0];
  if (match === undefined || !/[₀-₉]|^(?:CO2|H2O)$/.test(match)) return undefined;
  const parts = match.normalize('NFKC').match(/[A-Za-z]+|\d+/g)!;
  const spoken = parts.map((part) => (/\d/.test(part) ? englishDigits(part) : letterNames(part))).join('');
  return { end: index + match.length, spoken };
};

function englishDigits(digits: string): string {
  return ENGLISH_NUMBERS[Number(digits)] ?? kanaNumber(digits);
}

const ENGLISH_NUMBERS =
  'ぜろ わん つー すりー ふぉー ふぁいぶ しっくす せぶん えいと ないん てん いれぶん とぅえるぶ'.split(' ');

const rewriteVersion: Rewriter = ({ text, index }) => {
  const match = versionAt(text, index);
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: match.split('.').map(kanaNumber).join('てん '), replacement: '一' };
};

const rewriteCurrency: Rewriter = ({ text, index }) => {
  const match = matchAt(currency, text, index);
  if (!match) return undefined;
  const [whole, sign, written, scale] = match as unknown as [string, string, string, string];
  const large = /[万億兆]/.test(scale) ? scale : '';
  const unit = /^[¥￥]$/.test(sign) ? '円' : '';
  const end = index + whole.length + (unit && text.startsWith(unit, index + whole.length) ? unit.length : 0);
  const isScaled = scale !== large;
  const spoken = money(isScaled ? scaledAmount(written, scale) : written, large, CURRENCIES[sign]!);
  return { end, spoken, replacement: '一円' };
};

const currencyCode = new RegExp(`(JPY|USD|EUR|GBP)\\s?(${AMOUNT})`, 'y');
const rewriteCurrencyCode: Rewriter = ({ text, index }) => {
  const match = matchAt(currencyCode, text, index);
  return (
    match && { end: index + match[0].length, spoken: money(match[2]!, '', CURRENCIES[match[1]!]!), replacement: '一円' }
  );
};

function money(value: string, large: string, [unit, part]: readonly [string, string]): string {
  const [whole = '', fraction = ''] = value.replaceAll(',', '').split('.');
  if (fraction.length === 2 && large === '') {
    const cents = Number(fraction) === 0 ? '' : kanaMeasured(kanaNumber(fraction), part);
    return [Number(whole) === 0 && cents ? '' : counted(whole, unit), cents].filter(Boolean).join(' ');
  }
  return fraction ? numeralKana(value) + largeKana(large) + unit : counted(whole + zeros(large), unit);
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

/** Kana of a number with commas and a decimal point. */
function numeralKana(written: string): string {
  const [whole = '', fraction] = written.replaceAll(',', '').split('.');
  if (fraction !== undefined) return kanaDecimal(whole, fraction);
  const isDigitwise = whole.length > MAX_DIGITS || (whole.length > 1 && whole.startsWith('0'));
  return isDigitwise ? kanaDigits(whole) : kanaNumber(whole);
}

/** The digits of 3万5000. */
function myriadDigits(text: string): string | undefined {
  let total = 0n;
  for (const [, digits, small = '', unit = ''] of text.matchAll(/(\d[\d,]*)([十百千]?)([万億兆]?)/g)) {
    const scale = { '': 0, 万: 4, 億: 8, 兆: 12 }[unit]! + { '': 0, 十: 1, 百: 2, 千: 3 }[small]!;
    total += BigInt(digits!.replaceAll(',', '')) * 10n ** BigInt(scale);
  }
  const value = String(total);
  return value.length > MAX_DIGITS ? undefined : value;
}

/** Words before a number, by their first letter. */
const NUMBERED: Readonly<Record<string, string>> = { v: 'ぼりゅーむ', n: 'なんばー', '№': 'なんばー', '#': 'なんばー' };

const rewriteNumbered: Rewriter = ({ text, index }) => {
  if (/[A-Za-z]/.test(text[index - 1] ?? '')) return undefined;
  const match = /^(?:No\.\s?|№\s?|#|Vol\.\s?|Ver\.\s?)(?=\d)/i.exec(text.slice(index, index + 7));
  if (!match) return undefined;
  const spoken = /^ver/i.test(match[0]) ? 'ばーじょん' : NUMBERED[match[0][0]!.toLowerCase()]!;
  return { end: index + match[0].length, spoken };
};

const rewriteRange: Rewriter = ({ text, index }) => {
  const match = matchAt(range, text, index)?.[0];
  if (match === undefined || !isValueBefore(text, index) || isNamedVersionBefore(text, index)) return undefined;
  return { end: index + match.length, spoken: 'から', replacement: 'から' };
};

/** A number with its counter or unit. */
const rewriteNumber: Rewriter = ({ text, index, options }) => {
  if (!options.normalize) {
    const digits = /\d+/y;
    const match = matchAt(digits, text, index)![0];
    return { end: index + match.length, spoken: numeralKana(match), replacement: '一' };
  }
  const large = matchAt(myriads, text, index)?.[0];
  if (large !== undefined && !large.includes('.')) {
    const digits = myriadDigits(large);
    if (digits !== undefined) return withCounter(text, index + large.length, digits);
  }
  const written = matchAt(number, text, index)![0];
  const end = index + written.length;
  const plain = written.replaceAll(',', '');
  if (plain.includes('.')) {
    const spoken = numeralKana(plain);
    const scale = /^[万億兆]{1,2}/.exec(text.slice(end, end + 2))?.[0] ?? '';
    const scaleEnd = end + scale.length;
    const unit = matchAt(UNIT, text, scaleEnd);
    if (unit && isUnitEnd(text, scaleEnd + unit[0].length, unit[1]!)) {
      return {
        end: scaleEnd + unit[0].length,
        spoken: spoken + largeKana(scale) + UNITS[unit[1]!]!,
        replacement: '一',
      };
    }
    return { end: scaleEnd, spoken: spoken + largeKana(scale), replacement: '一' };
  }
  if (plain.length > MAX_DIGITS || (plain.length > 1 && plain.startsWith('0'))) {
    const counter = plain.length === 2 ? counterAt(text, end) : undefined;
    if (counter === undefined) return { end, spoken: kanaDigits(plain), replacement: kanjiDigits(plain) };
  }
  const time = timeUnitAt(text, index, end);
  if (time !== undefined) {
    const counter = TIMES[time]!;
    return {
      end: end + time.length,
      spoken: kanaCounted(plain, counter),
      replacement: kanjiNumber(plain) + counter,
    };
  }
  return withCounter(text, end, plain);
};

/** 24h, 30min */
function timeUnitAt(text: string, start: number, end: number): string | undefined {
  const unit = matchAt(timeUnit, text, end)?.[1];
  return unit !== undefined && isTimeUnit(text, start, end, unit) ? unit : undefined;
}

function withCounter(text: string, end: number, digits: string): Rewrite {
  const space = text[end] === ' ' ? 1 : 0;
  const unit = matchAt(UNIT, text, end);
  if (unit && isUnitEnd(text, end + unit[0].length, unit[1]!)) {
    return {
      end: end + unit[0].length,
      spoken: kanaMeasured(kanaNumber(digits), UNITS[unit[1]!]!),
      replacement: `${kanjiNumber(digits)}個`,
    };
  }
  const counter = counterAt(text, end + space);
  if (counter === undefined) return { end, spoken: kanaNumber(digits), replacement: kanjiNumber(digits) };
  const isOneDay = counter === '日' && Number(digits) === 1;
  return {
    end: end + space + counter.length,
    spoken: isOneDay ? 'いちにち' : kanaCounted(digits, counter),
    replacement: kanjiNumber(digits) + counter,
  };
}

/** Whether a unit ends at an index: a Latin or katakana unit must not be part of a longer word. */
function isUnitEnd(text: string, end: number, unit: string): boolean {
  const next = text[end] ?? '';
  if (/[A-Za-z]$/.test(unit)) return !/[A-Za-z\d]/.test(next);
  return !/[ァ-ヺー]$/.test(unit) || !/[ァ-ヺー]/.test(next);
}

/** 2、3日: "two or three". */
const rewriteApproximate: Rewriter = ({ text, index }) => {
  const match = matchAt(approximate, text, index);
  if (!match || Number(match[2]) !== Number(match[1]) + 1) return undefined;
  const end = index + match[0].length;
  const counter = counterAt(text, end);
  if (counter === undefined) return undefined;
  const numerals = kanjiDigits(match[1]! + match[2]!);
  const spoken = kanaApproximate(numerals, counter);
  return spoken ? { end: end + counter.length, spoken, replacement: numerals + counter } : undefined;
};

/** 二、三日 */
const rewriteNumerals: Rewriter = ({ text, index }) => {
  const match = matchAt(numerals, text, index);
  if (!match || /[第〇一二三四五六七八九十百千万]/.test(text[index - 1] ?? '')) return undefined;
  const [whole, first, second, unit] = match as unknown as [string, string, string, string];
  // Ten or twenty is 十、二十: this is a list's first line.
  if (first === '一' && unit === '十') return undefined;
  const end = index + whole.length;
  const counter = counterAt(text, end);
  if (counter === undefined) return undefined;
  const together = first + second + unit;
  const spoken = kanaApproximate(together, counter);
  return spoken ? { end: end + counter.length, spoken, replacement: together + counter } : undefined;
};

/** 100均, a shop where everything costs 100 yen. */
const rewriteShop: Rewriter = ({ text, index }) =>
  /^100均(?![一等衡])/.test(text.slice(index, index + 5))
    ? { end: index + 4, spoken: 'ひゃっきん', replacement: '店' }
    : undefined;

const letterRewriters: readonly Rewriter[] = [
  rewriteAddress,
  rewriteTime,
  rewriteCurrencyCode,
  rewriteNumbered,
  rewriteRaisedUnit,
  rewriteFormula,
];

const digitRewriters: readonly Rewriter[] = [
  rewriteApproximate,
  rewriteAddress,
  rewriteShop,
  rewriteDate,
  rewritePhone,
  rewriteHouse,
  rewriteScore,
  rewriteMonthDay,
  rewriteTime,
  rewriteDuration,
  rewriteRatio,
  rewriteVulgarFraction,
  rewriteSlashed,
  rewriteVersion,
  rewriteNumber,
];

function rewriteLatin({ text, index, english }: Context): Rewrite | undefined {
  const match = matchAt(latin, text, index)?.[0];
  if (match === undefined) return undefined;
  const spoken = latinKana(match.replaceAll('’', "'"), english);
  return spoken ? { end: index + match.length, spoken } : undefined;
}

function rewriteOtherLetters({ text, index, english }: Context): Rewrite | undefined {
  const match = matchAt(otherLetters, text, index)?.[0];
  if (match === undefined) return undefined;
  const end = index + match.length;
  const spoken = latinKana(transliterate(match), english);
  // Without a sound they are taken whole, too, or each of them would be tried with all that follow.
  return spoken ? { end, spoken } : { end, replacement: match };
}

/** Half-width katakana, circled digits, Roman numerals of one character, squared words. */
function rewriteCompatible({ text, index, english }: Context): Rewrite | undefined {
  const match = matchAt(compatible, text, index)?.[0];
  if (match === undefined) return undefined;
  const end = index + match.length;
  if (Object.hasOwn(UNITS, match)) return { end, spoken: UNITS[match]! };
  if (Object.hasOwn(SQUARED, match)) return { end, spoken: SQUARED[match]! };
  const folded = match.normalize('NFKC').replace(/[()]/g, '');
  const plain = (roman.test(match) ? romanToDigits(folded.toUpperCase()) : undefined) ?? folded;
  if (/^\d+$/.test(plain)) return { end, spoken: kanaNumber(plain), replacement: kanjiNumber(plain) };
  if (/^[A-Za-z]+$/.test(plain)) return { end, spoken: latinKana(plain, english) };
  return plain === match ? undefined : { end, replacement: plain };
}

function rewriteOtherDigits({ text, index }: Context): Rewrite | undefined {
  const match = matchAt(otherDigits, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: numeralKana(toAsciiDigits(match)), replacement: '一' };
}
