/** Japanese numbers: digits to kanji numerals, and numerals to kana. */

const DIGITS = '〇一二三四五六七八九';
/** The digits in kana. */
export const DIGIT_KANA = ['ぜろ', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅー'];
const UNITS = ['', '十', '百', '千'];
const MYRIADS = ['', '万', '億', '兆', '京'];
const MYRIAD_KANA = ['', 'まん', 'おく', 'ちょー', 'けー'];
/** Stands for a number that is not read from the dictionary, which has few words that begin so, but many with 一: 一節. */
export const NUMERAL = '８';
/** Longer numbers are read digit by digit. */
export const MAX_DIGITS = 20;

/** A whole number in kanji: 2024 is 二千二十四. */
export function kanjiNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain === '0') return DIGITS[0]!;
  return groups(plain)
    .map(([value, myriad]) => {
      const part = [...String(value)]
        .map((digit, index, all) => {
          const unit = UNITS[all.length - 1 - index]!;
          if (digit === '0') return '';
          return digit === '1' && unit !== '' && !(unit === '千' && myriad > 0) ? unit : DIGITS[Number(digit)]! + unit;
        })
        .join('');
      return part + MYRIADS[myriad]!;
    })
    .join('');
}

/** Each digit in kanji. */
export function kanjiDigits(digits: string): string {
  return [...digits].map((digit) => DIGITS[Number(digit)]!).join('');
}

/** Digits of a kanji numeral, with or without units: 二千二十四, 二〇二四; undefined if it is not a number. */
export function digitsOf(numeral: string): string | undefined {
  if (/^[〇一二三四五六七八九]+$/.test(numeral)) {
    // 二三 means two or three.
    if (numeral.length > 1 && numeral.length < 4 && !numeral.includes('〇')) return undefined;
    return [...numeral].map((digit) => DIGITS.indexOf(digit)).join('');
  }
  let total = 0n;
  let group = 0;
  let digit: number | undefined;
  let lastMyriad = MYRIADS.length;
  let lastUnit = UNITS.length;
  for (const character of numeral) {
    const value = DIGITS.indexOf(character);
    const unit = UNITS.indexOf(character);
    const myriad = MYRIADS.indexOf(character);
    if (value > 0) {
      if (digit !== undefined) return undefined;
      digit = value;
    } else if (unit > 0) {
      if (unit >= lastUnit) return undefined;
      group += (digit ?? 1) * 10 ** unit;
      lastUnit = unit;
      digit = undefined;
    } else if (myriad > 0) {
      if (myriad >= lastMyriad || (group === 0 && digit === undefined)) return undefined;
      total += BigInt(group + (digit ?? 0)) * 10n ** BigInt(4 * myriad);
      lastMyriad = myriad;
      lastUnit = UNITS.length;
      group = 0;
      digit = undefined;
    } else return undefined;
  }
  return String(total + BigInt(group + (digit ?? 0)));
}

/** A whole number in kana; digit by digit if there is no word for it. */
export function kanaNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain.length > MAX_DIGITS) return kanaDigits(plain);
  if (plain === '0') return DIGIT_KANA[0]!;
  return groups(plain)
    .map(([value, myriad]) => {
      const part = thousands(value, myriad);
      if (myriad < 3) return part + MYRIAD_KANA[myriad]!;
      // 一兆, 八兆, 十兆; 一京, 六京, 十京
      return joined(part, MYRIAD_KANA[myriad]!, myriad === 3 ? 't' : 'k');
    })
    .join('');
}

/** Each digit in kana. */
export function kanaDigits(digits: string): string {
  return [...digits].map((digit) => DIGIT_KANA[Number(digit)]!).join('');
}

/** A decimal in kana: 3.14 is さんてんいちよん. */
export function kanaDecimal(whole: string, fraction: string): string {
  const before = Number(whole) === 0 ? 'れー' : kanaNumber(whole);
  return `${joined(before, 'てん', 't')}${kanaDigits(fraction)}`;
}

/** Groups of four digits that are not zero, highest first, with their power of ten thousand. */
function groups(digits: string): [value: number, myriad: number][] {
  const values: [number, number][] = [];
  for (let end = digits.length, myriad = 0; end > 0; end -= 4, myriad++) {
    const value = Number(digits.slice(Math.max(0, end - 4), end));
    if (value > 0) values.unshift([value, myriad]);
  }
  return values;
}

function thousands(value: number, myriad: number): string {
  const [thousand, hundred, ten, one] = [...String(value).padStart(4, '0')].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const kana = (digit: number) => (digit === 1 ? '' : DIGIT_KANA[digit]!);
  let result = '';
  if (thousand === 1) result += myriad > 0 ? 'いっせん' : 'せん';
  else if (thousand === 3) result += 'さんぜん';
  else if (thousand === 8) result += 'はっせん';
  else if (thousand > 0) result += `${kana(thousand)}せん`;
  if (hundred === 3) result += 'さんびゃく';
  else if (hundred === 6) result += 'ろっぴゃく';
  else if (hundred === 8) result += 'はっぴゃく';
  else if (hundred > 0) result += `${kana(hundred)}ひゃく`;
  if (ten > 0) result += `${kana(ten)}じゅー`;
  return result + (one > 0 ? DIGIT_KANA[one]! : '');
}

/**
 * How a counter changes the number before it: k いっこ ろっこ はっこ じゅっこ ひゃっこ, s and t いっさい はっさい じゅっさい,
 * p いっぺーじ, h いっぽん さんぼん ろっぽん, f いっぷん さんぷん よんぷん, and none.
 */
export type Change = 'k' | 's' | 't' | 'p' | 'h' | 'f' | '-';

/** Joins the kana of a number and a counter. */
export function joined(number: string, counter: string, change: Change): string {
  const stem = SHORT_ENDS.find(([end]) => number.endsWith(end));
  const isShortened = stem !== undefined && (/[ちー]$/.test(stem[0]) ? change !== '-' : 'kpfh'.includes(change));
  const before = isShortened ? number.slice(0, -stem[0].length) + stem[1] : number;
  if (change !== 'h' && change !== 'f') return before + counter;
  if (isShortened) return before + recolour(counter, SEMIVOICED);
  if (number.endsWith('さん') || number === 'なん')
    return before + recolour(counter, change === 'h' ? VOICED : SEMIVOICED);
  if (number.endsWith('せん') || number.endsWith('まん')) return before + recolour(counter, VOICED);
  return before + (change === 'f' && number.endsWith('よん') ? recolour(counter, SEMIVOICED) : counter);
}

const SHORT_ENDS: readonly [string, string][] = [
  ['いち', 'いっ'],
  ['ろく', 'ろっ'],
  ['はち', 'はっ'],
  ['じゅー', 'じゅっ'],
  ['ひゃく', 'ひゃっ'],
  ['びゃく', 'びゃっ'],
  ['ぴゃく', 'ぴゃっ'],
];
const VOICED: Readonly<Record<string, string>> = { は: 'ば', ひ: 'び', ふ: 'ぶ', へ: 'べ', ほ: 'ぼ' };
const SEMIVOICED: Readonly<Record<string, string>> = { は: 'ぱ', ひ: 'ぴ', ふ: 'ぷ', へ: 'ぺ', ほ: 'ぽ' };

function recolour(kana: string, sounds: Readonly<Record<string, string>>): string {
  return (sounds[kana[0]!] ?? kana[0]!) + kana.slice(1);
}

/** A number in kana with a unit of foreign origin: いちきろ, いっぱーせんと. */
export function kanaMeasured(number: string, unit: string): string {
  return joined(number, unit, /^[ぱぴぷぺぽ]/.test(unit) ? 'p' : unit.startsWith('きろ') ? 'k' : '-');
}
