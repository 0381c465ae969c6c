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
import { chineseCounted, chineseDecimal, chineseDigits, chineseNumber, MAX_DIGITS, MEASURES } from './numbers.ts';
import { CURRENCIES, SYMBOLS, UNITS } from './units.ts';

/** The `spoken` of a token for Latin words; empty if silent. */
export type SpokenLatin = (text: string) => string;

interface Context {
  /** The sentence, half width. */
  text: string;
  /** Where the rewrite begins. */
  index: number;
  options: NormalizationOptions;
  spokenLatin: SpokenLatin;
}

/** Rewrites what begins at an index. `replacement` is the Chinese text to read. */
type Rewriter = (context: Context) => Rewrite | undefined;

const number = new RegExp(AMOUNT, 'y');
const season = /(\d{4})[/-](\d{2})(?=赛季|学年|财年)/y;
const years = new RegExp(`((?:1[89]|20)\\d\\d)[-–—~～]((?:1[89]|20)\\d\\d)(?![\\d.-]|\\s?(?:${MEASURES}))`, 'y');
/** 90后, but not 第50后 or 60后排. */
const generation =
  /(?<!(?:第|排名|(?<![目之以当此先])前)\s?)([05-9][05])(?=后(?![面悔退续]|来(?![说讲])|排(?![队斥练])|台(?!湾)|卫(?!生)|端(?!午)|勤(?![奋劳快])|期(?![待望盼])|方(?![便才案])))/y;
const year = /(\d{4}|\d{2})(?=年(?!级|前|后|来|间|龄|以|内|多|的?时间))/y;
const yearRange = /(\d{4})\s?[-–—~～至到]\s?(\d{4})(?=年)/y;
const time = /([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])/y;
const duration = /(\d{1,3})h\s?([0-5]?\d)m(?:in)?(?![A-Za-z\d])/y;
const ratio = /(\d+)[:：](\d+)(?![\d:：])/y;
const fraction = /(?<!\/)(\d+)\/(\d+)(?![\d/])/y;
const score =
  /(?<=比分[是为]?[:：]?\s?)(\d{1,2})\s?[-–]\s?(\d{1,2})(?!\d)|(\d{1,2})\s?[-–]\s?(\d{1,2})(?=\s?(?:获胜|取胜|战胜|击败|大胜|险胜|完胜|逆转|力克|战平|打平|不敌|负于|输给|落败|告负|领先|落后|(?:的|总)?比分|的总比分))/y;
const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+86[- ]?)?(?:1[3-9]\d[- ]?\d{4}[- ]?\d{4}|\(?0\d{2,3}(?:[- ]|\)[- ]?)\d{3,4}[- ]?\d{4}|[48]00(?:[- ]?\d{3}[- ]?\d{4}|\d-\d{3}-\d{3}))(?!\d)/y;
/** Numbers that are names: codes and telephone numbers by the word before, rooms and buses by the word after. */
const code = /(?:邮编|邮政编码|区号|验证码|密码|编号|学号|工号|卡号|账号|尾号)(?:为|是)?[:：]?\s?$/;
const dialled = /(?:拨打|拨|致电|热线|(?:报警|急救|客服|拨打|咨询|服务|联系)电话)(?:为|是)?[:：]?\s?$/;
/** Digits that count nothing and begin no longer number. */
const nameDigits =
  /\d{3,20}(?!\d|[.,]\d|[-–—~～]\d| \d{3}|\s?(?:[个元块万亿多余种条组套遍通]|位(?![于置])|次(?!日)|人(?![工员力])|名(?!称)|天(?![然气津])|分钟|小时|以[内上下]|左右))/y;
/** The digits of a bank card, four by four. */
const cardDigits = /\d{4}(?: \d{3,4}){2,5}(?!\d| \d)/y;
const place = /\d{3,4}(?=室(?![内外温友])|房间|教室|号房|路(?:公交|汽车|电车|车|$|[，。、,.和到的]))/y;
const percentRange = new RegExp(`(${AMOUNT})\\s?[-–~～〜至到]\\s?(${AMOUNT})\\s?([%‰])`, 'y');
const percent = new RegExp(`(${AMOUNT})\\s?([%％‰])`, 'y');
const range = new RegExp(`\\s?[~～〜]\\s?(?=[¥$€£]?${AMOUNT})|[-–—](?=${AMOUNT}(?![\\d.]*-\\d))`, 'y');
const currency = new RegExp(
  `(US\\$|HK\\$|NT\\$|[¥￥$€£₩₹₽]|(?:RMB|CNY|USD|EUR|GBP|JPY|HKD)(?=\\s?\\d))\\s?(${AMOUNT})(${SCALE}|[万亿]{0,2})`,
  'y',
);
const numbered = /(?:no\.|№)\s?(?=\d)/iy;
const latin =
  /(?:https?:\/\/)?\p{Script=Latin}(?:[\p{Script=Latin}\p{M}₀-₉]|\d(?!\d{0,6}\.\d)|[-'’.&+_@/](?=\p{Script=Latin})|\+\+|#| (?=\p{Script=Latin}))*/uy;
const otherLetters = /[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/uy;
const otherDigits = /[\p{Nd}]+/uy;
const dots = /[.．…‥⋯·]{2,}|…/y;
const compatible = /[Ⅰ-ⅿ]+|[①-⓿㈠-㊰㋀-㏿]/uy;
const roman = /^[Ⅰ-ⅿ]+$/;
const UNIT = new RegExp(
  `\\s?(${Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![A-Za-z\\d])`,
  'y',
);

const unitNames = [...Object.keys(UNITS), ...Object.values(UNITS), ...Object.values(CURRENCIES)].join('|');
/** The end of a value with its unit. */
const value = new RegExp(`\\d[万亿千百]{0,2}\\s?(?:[%％元年月日时点分秒人个岁度℃万亿号]|${unitNames}|${MEASURES})$`);
const MAX_VALUE = 12;
/** Money that a rate may be of, besides values. */
const rated = /元$|[¥￥$€£]\s?[\d.,]{1,9}[kKmMbB]?$/;
const per = new RegExp(
  `/(?:(${Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .join(
      '|',
    )})(?![A-Za-z\\d])|(?=月(?![租薪费份票])|年(?![租薪费])|天|日|周|小时|分钟|秒|人|次|晚|平|公斤|千克|斤|吨|升|米|度|亩|[件个台股张本瓶杯份位户间套节]))`,
  'y',
);
/** Behind these a hyphen is part of a name: 歼-20. */
const model = /(?:[歼轰运]|直升?|东风|长征|神舟|天宫|天舟|嫦娥|鹰击|红旗|巨浪|霹雳|苏|米格|波音|空客)$/;

/**
 * The spans of a sentence: rewrites numbers, amounts, dates, times, Latin words and punctuation.
 * @param listedAt rewrites the user's own words
 */
export function normalize(
  written: string,
  options: NormalizationOptions,
  spokenLatin: SpokenLatin,
  listedAt?: RewriteAt,
): Span[] {
  return splitSpans(
    written,
    (text, index) => listedAt?.(text, index) ?? rewriteAt({ text, index, options, spokenLatin }),
  );
}

function rewriteAt(context: Context): Rewrite | undefined {
  const { text, index, options } = context;
  const character = text[index]!;
  const before = text[index - 1] ?? '';
  if (options.normalize) {
    for (const rewriter of rewritersOf(character, before)) {
      const rewrite = rewriter(context);
      if (rewrite) return rewrite;
    }
    if (isNegative(text, index)) return { end: index + 1, replacement: '负' };
  }
  if (character === '.' && /[A-Za-z]/.test(before) && /\d/.test(text[index + 1] ?? ''))
    return { end: index + 1, mark: ' ', replacement: '，' };
  const ellipsis = matchAt(dots, text, index)?.[0];
  if (ellipsis) return { end: index + ellipsis.length, mark: '…', replacement: '。' };
  const mark = PUNCTUATION[character];
  if (mark !== undefined) return { end: index + 1, mark, replacement: '，' };
  const rewrite =
    rewriteCompatible(context) ??
    rewriteLatin(context) ??
    rewriteOtherLetters(context) ??
    (/\d/.test(character) ? rewriteNumber(context) : rewriteOtherDigits(context));
  if (rewrite) return rewrite;
  const symbol = options.normalize ? SYMBOLS[character] : undefined;
  return symbol === undefined || (index === 0 && /[#>]/.test(character))
    ? undefined
    : { end: index + 1, replacement: symbol };
}

function isNegative(text: string, index: number): boolean {
  if (!/^[-−]\d/.test(text.slice(index, index + 2))) return false;
  const before = text.slice(Math.max(0, index - 2), index);
  return !/[\d\p{Script=Latin}]$/u.test(before) && !model.test(before);
}

function rewritersOf(character: string, before: string): readonly Rewriter[] {
  if (/\d/.test(character)) return /[\d.]/.test(before) ? [] : digitRewriters;
  if (/[~～〜\-–—−]/.test(character)) return [rewriteMinus, rewriteRange];
  if (character === '/') return [rewritePer];
  if (character === '★') return [rewriteRating];
  if (/[¼-¾⅐-⅞]/.test(character)) return [rewriteVulgarFraction];
  if (/[\^⁰¹²³⁴-⁻]/.test(character)) return [rewritePower];
  if (/[+(]/.test(character)) return [rewritePhone];
  return /[¥￥$€£₩₹₽A-Zn№]/.test(character) && !/[A-Za-z]/.test(before) ? [rewriteCurrency, rewriteNumbered] : [];
}

const rewriteDate: Rewriter = ({ text, index }) => {
  const date = dateAt(text, index);
  if (!date) return undefined;
  const { end, year, month, day } = date;
  return { end, replacement: `${chineseDigits(year)}年${chineseNumber(month)}月${chineseNumber(day)}日` };
};

const rewriteYear: Rewriter = ({ text, index }) => {
  const both = matchAt(yearRange, text, index);
  if (both) return yearSpan(index, both);
  const span = matchAt(years, text, index);
  if (span && Number(span[2]) > Number(span[1])) return yearSpan(index, span);
  const playing = matchAt(season, text, index);
  if (playing && (Number(playing[1]) + 1) % 100 === Number(playing[2])) return yearSpan(index, playing);
  const born = matchAt(generation, text, index);
  if (born) return { end: index + born[0].length, replacement: chineseDigits(born[1]!) };
  const match = matchAt(year, text, index);
  return match && (match[1]!.length === 4 || /^\d\d年\d/.test(text.slice(index)))
    ? { end: index + match[0].length, replacement: chineseDigits(match[1]!) }
    : undefined;
};

function yearSpan(index: number, [whole, first, last]: RegExpExecArray): Rewrite {
  return { end: index + whole.length, replacement: `${chineseDigits(first!)}到${chineseDigits(last!)}` };
}

/** A number that is a name, digit by digit. */
const rewriteName: Rewriter = ({ text, index }) => {
  const before = text.slice(Math.max(0, index - 8), index);
  const card = code.test(before) ? matchAt(cardDigits, text, index)?.[0] : undefined;
  if (card !== undefined) return { end: index + card.length, replacement: chineseDigits(card.replaceAll(' ', '')) };
  const digits = matchAt(nameDigits, text, index)?.[0];
  if (digits === undefined) return undefined;
  if (code.test(before)) return { end: index + digits.length, replacement: chineseDigits(digits) };
  const isPlace = matchAt(place, text, index) !== undefined && !digits.endsWith('00');
  return isPlace || dialled.test(before)
    ? { end: index + digits.length, replacement: chineseDigits(digits, true) }
    : undefined;
};

const rewriteScore: Rewriter = ({ text, index }) => {
  const match = matchAt(score, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, replacement: match.match(/\d+/g)!.map(chineseNumber).join('比') };
};

const rewritePhone: Rewriter = ({ text, index, options }) => {
  const match = options.phone_normalization ? matchAt(phone, text, index)?.[0] : undefined;
  if (match === undefined) return undefined;
  const groups = match.match(/\d+/g)!.map((digits) => chineseDigits(digits, true));
  return { end: index + match.length, replacement: (match.startsWith('+') ? '加' : '') + groups.join('') };
};

const rewriteTime: Rewriter = ({ text, index }) => {
  const match = matchAt(time, text, index);
  if (!match) return undefined;
  const [whole, hours, minutes, seconds] = match as unknown as [string, string, string, string | undefined];
  const two = (digits: string) => (digits.startsWith('0') ? `零${chineseNumber(digits)}` : chineseNumber(digits));
  const hour = Number(hours) === 2 ? '两' : chineseNumber(hours);
  const minute = minutes === '00' && seconds === undefined ? '' : `${minutes === '00' ? '零' : two(minutes)}分`;
  return {
    end: index + whole.length,
    replacement: `${hour}点${minute}${seconds === undefined ? '' : `${two(seconds)}秒`}`,
  };
};

const rewriteDuration: Rewriter = ({ text, index }) => {
  const match = matchAt(duration, text, index);
  if (!match) return undefined;
  const [whole, hours, minutes] = match as unknown as [string, string, string];
  const replacement = `${chineseCounted(hours, '小时')}小时${chineseCounted(minutes, '分钟')}分钟`;
  return { end: index + whole.length, replacement };
};

const rewriteRatio: Rewriter = ({ text, index }) => {
  const match = matchAt(ratio, text, index);
  return (
    match && { end: index + match[0].length, replacement: `${chineseNumber(match[1]!)}比${chineseNumber(match[2]!)}` }
  );
};

const rewriteFraction: Rewriter = ({ text, index }) => {
  const match = matchAt(fraction, text, index);
  if (!match) return undefined;
  const [whole, above, below] = match as unknown as [string, string, string];
  const isDate = Number(above) >= 1 && Number(above) <= 12 && Number(below) > 10 && Number(below) <= 31;
  const replacement = isDate
    ? `${chineseNumber(above)}月${chineseNumber(below)}日`
    : `${chineseNumber(below)}分之${chineseNumber(above)}`;
  return { end: index + whole.length, replacement };
};

const rewriteVulgarFraction: Rewriter = ({ text, index }) => {
  const fraction = vulgarFractionAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const mixed = whole === '' ? '' : `${chineseNumber(whole)}又`;
  return { end, replacement: `${mixed}${chineseNumber(below)}分之${chineseNumber(above)}` };
};

const rewritePower: Rewriter = ({ text, index }) => {
  const power = powerAt(text, index);
  if (!power) return undefined;
  const { end, isNegative, digits } = power;
  if (digits === '2' && !isNegative) return { end, replacement: '的平方' };
  return { end, replacement: `的${isNegative ? '负' : ''}${chineseNumber(digits)}次方` };
};

const rewriteVersion: Rewriter = ({ text, index }) => {
  const match = versionAt(text, index);
  return match === undefined
    ? undefined
    : { end: index + match.length, replacement: match.split('.').map(chineseNumber).join('点') };
};

const rewritePercentRange: Rewriter = ({ text, index }) => {
  const match = matchAt(percentRange, text, index);
  if (!match) return undefined;
  const [whole, first, last, sign] = match as unknown as [string, string, string, string];
  const replacement = `${sign === '‰' ? '千' : '百'}分之${chineseNumeral(first)}到${chineseNumeral(last)}`;
  return { end: index + whole.length, replacement };
};

const rewritePercent: Rewriter = ({ text, index }) => {
  const match = matchAt(percent, text, index);
  return (
    match && {
      end: index + match[0].length,
      replacement: `${match[2] === '‰' ? '千' : '百'}分之${chineseNumeral(match[1]!)}`,
    }
  );
};

const rewriteCurrency: Rewriter = ({ text, index }) => {
  const match = matchAt(currency, text, index);
  if (!match) return undefined;
  const [whole, sign, written, scale] = match as unknown as [string, string, string, string];
  const unit = CURRENCIES[sign]!;
  const large = /[万亿]/.test(scale) ? scale : '';
  const value = large === '' && scale !== '' ? scaledAmount(written, scale) : written;
  const [yuan = '', cents = ''] = value.replaceAll(',', '').split('.');
  const end = index + whole.length + (text.startsWith(unit, index + whole.length) ? unit.length : 0);
  if (unit === '元' && cents.length === 2 && scale === '') {
    const [jiao, fen] = [...cents] as [string, string];
    const parts = [
      Number(yuan) === 0 && Number(cents) > 0 ? '' : `${chineseCounted(yuan, '元')}元`,
      jiao === '0' ? (fen === '0' ? '' : '零') : `${chineseDigits(jiao)}角`,
      fen === '0' ? '' : `${chineseDigits(fen)}分`,
    ];
    return { end, replacement: parts.join('').replace(/^零/, '') };
  }
  const hasCents = Number(cents) > 0;
  return { end, replacement: (hasCents ? chineseNumeral(value) : chineseCounted(yuan, large || unit)) + large + unit };
};

const rewriteNumbered: Rewriter = ({ text, index }) => {
  const match = matchAt(numbered, text, index)?.[0];
  return match === undefined ? undefined : { end: index + match.length, replacement: '第' };
};

const rewriteRange: Rewriter = ({ text, index }) => {
  const match = matchAt(range, text, index)?.[0];
  if (match === undefined || !isValueBefore(text, index) || isNamedVersionBefore(text, index)) return undefined;
  return { end: index + match.length, replacement: '到' };
};

function isValueBefore(text: string, index: number): boolean {
  return (
    /[\d%％元年月日时点分秒人个岁度℃万亿号]/.test(text[index - 1] ?? '') ||
    value.test(text.slice(Math.max(0, index - MAX_VALUE), index))
  );
}

const rewriteMinus: Rewriter = ({ text, index }) =>
  isMinus(text, index) ? { end: index + 1, replacement: '减' } : undefined;

/** ★★★☆☆: three of five stars. */
const rewriteRating: Rewriter = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, replacement: `${chineseCounted(rating.stars, '颗')}颗星` };
};

/** 100元/月 */
const rewritePer: Rewriter = ({ text, index }) => {
  const match = matchAt(per, text, index);
  const before = text.slice(Math.max(0, index - MAX_VALUE), index);
  if (!match || !(rated.test(before) || value.test(before))) return undefined;
  return { end: index + match[0].length, replacement: `每${match[1] === undefined ? '' : UNITS[match[1]]!}` };
};

/** A number with its unit. */
const rewriteNumber: Rewriter = ({ text, index, options }) => {
  const written = matchAt(number, text, index)![0];
  const end = index + written.length;
  if (!options.normalize) return { end, replacement: chineseNumeral(written) };
  const unit = unitAt(text, index, end);
  const following = unit ? UNITS[unit[1]!]! : text.slice(end).trimStart();
  const plain = written.replaceAll(',', '');
  const isOrdinal = text[index - 1] === '第';
  const replacement =
    isOrdinal || plain.includes('.') || isDigitwise(plain) ? chineseNumeral(plain) : chineseCounted(plain, following);
  return unit ? { end: end + unit[0].length, replacement: replacement + following } : { end, replacement };
};

/** The unit behind a number. */
function unitAt(text: string, start: number, end: number): RegExpExecArray | undefined {
  const unit = matchAt(UNIT, text, end);
  const isUnit = !unit || !/^(?:h|s|min)$/.test(unit[1]!) || isTimeUnit(text, start, end, unit[0]);
  return isUnit ? unit : undefined;
}

function isDigitwise(digits: string): boolean {
  return digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'));
}

/** Chinese characters of a number with commas and a decimal point. */
function chineseNumeral(written: string): string {
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  if (decimals !== undefined) return chineseDecimal(whole, decimals);
  return isDigitwise(whole) ? chineseDigits(whole) : chineseNumber(whole);
}

const digitRewriters: readonly Rewriter[] = [
  rewritePhone,
  rewriteName,
  rewriteDate,
  rewriteYear,
  rewriteScore,
  rewriteTime,
  rewriteDuration,
  rewriteRatio,
  rewriteVulgarFraction,
  rewriteFraction,
  rewriteVersion,
  rewritePercentRange,
  rewritePercent,
  rewriteNumber,
];

function rewriteLatin(context: Context): Rewrite | undefined {
  const { text, index } = context;
  const unit = raisedUnitAt(text, index, UNITS);
  if (unit) return { end: unit.end, replacement: unit.name };
  const match = matchAt(latin, text, index)?.[0].trimEnd();
  return match === undefined ? undefined : latinWords(context, match, match.normalize('NFKC'));
}

function rewriteOtherLetters(context: Context): Rewrite | undefined {
  const match = matchAt(otherLetters, context.text, context.index)?.[0];
  if (match === undefined) return undefined;
  // Without a sound they are taken whole, too, or each of them would be tried with all that follow.
  return latinWords(context, match, transliterate(match)) ?? { end: context.index + match.length, replacement: match };
}

/** @param letters the written characters as Latin ones */
function latinWords({ index, spokenLatin }: Context, written: string, letters: string): Rewrite | undefined {
  const spoken = letters === '' ? '' : spokenLatin(letters);
  return spoken ? { end: index + written.length, replacement: PLACEHOLDER, spoken } : undefined;
}

/** Circled digits, Roman numerals of one character, squared words. */
function rewriteCompatible(context: Context): Rewrite | undefined {
  const { text, index } = context;
  const match = matchAt(compatible, text, index)?.[0];
  if (match !== undefined && Object.hasOwn(UNITS, match))
    return { end: index + match.length, replacement: UNITS[match]! };
  const folded = match?.normalize('NFKC').replace(/[()]/g, '');
  if (match === undefined || folded === undefined || folded === match) return undefined;
  const plain = (roman.test(match) ? romanToDigits(folded.toUpperCase()) : undefined) ?? folded;
  if (/\p{Script=Latin}/u.test(plain)) return latinWords(context, match, plain);
  return { end: index + match.length, replacement: /^\d+$/.test(plain) ? chineseNumber(plain) : plain };
}

function rewriteOtherDigits({ text, index }: Context): Rewrite | undefined {
  const match = matchAt(otherDigits, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, replacement: chineseNumeral(toAsciiDigits(match)) };
}
