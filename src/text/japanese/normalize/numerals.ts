import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { AMOUNT, versionAt } from '../../cjk/number-patterns.ts';
import { isDigitwise, type NumberReadings, readNumeral } from '../../cjk/numerals.ts';
import { otherDigitsAt } from '../../cjk/other-characters.ts';
import { romanAt } from '../../cjk/roman.ts';
import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { counterAt, kanaCounted } from '../counters.ts';
import {
  kanaDecimal,
  kanaDigits,
  kanaMeasured,
  kanaNumber,
  kanjiDigits,
  kanjiNumber,
  MAX_DIGITS,
  NUMERAL,
} from '../numbers.ts';
import { myriadKana, myriadsAt } from './myriads.ts';
import type { Rule } from './rule.ts';
import { timeCounterAt } from './times.ts';
import { unitAt } from './values.ts';

const number = new RegExp(AMOUNT, 'y');
const digitRun = /\d+/y;
const scales = /[万億兆]{1,2}/y;
const numberName = /(?:No\.\s?|№\s?|#|Vol\.\s?|Ver\.\s?|Lv\.?\s?)(?=\d)/iy;
/** Words before a number, by their first letter. */
const NUMBER_NAMES: Readonly<Record<string, string>> = {
  v: 'ぼりゅーむ',
  l: 'れべる',
  n: 'なんばー',
  '№': 'なんばー',
  '#': 'なんばー',
};
const READINGS: NumberReadings = {
  maxDigits: MAX_DIGITS,
  number: kanaNumber,
  digits: kanaDigits,
  decimal: kanaDecimal,
};

/** Kana of a number with commas and a decimal point. */
export function numeralKana(written: string): string {
  return readNumeral(written, READINGS);
}

/** A number with its counter or unit. */
export const rewriteNumber: Rule = ({ text, index, options }) => {
  if (!options.normalize) {
    const digits = matchAt(digitRun, text, index)?.[0];
    return digits === undefined
      ? undefined
      : { end: index + digits.length, spoken: numeralKana(digits), replacement: NUMERAL };
  }
  const written = matchAt(number, text, index)?.[0];
  if (written === undefined) return undefined;
  const large = myriadsAt(text, index);
  if (large) return withCounter(text, large.end, large.digits);
  const end = index + written.length;
  const plain = written.replaceAll(',', '');
  if (plain.includes('.')) return decimal(text, end, plain);
  if (isDigitwise(plain, MAX_DIGITS)) {
    const counter = plain.length === 2 ? counterAt(text, end) : undefined;
    if (counter === undefined) return { end, spoken: kanaDigits(plain), replacement: kanjiDigits(plain) };
  }
  const time = timeCounterAt(text, index, end);
  if (!time) return withCounter(text, end, plain);
  return { end: time.end, spoken: kanaCounted(plain, time.counter), replacement: kanjiNumber(plain) + time.counter };
};

function decimal(text: string, end: number, plain: string): Rewrite {
  const scale = matchAt(scales, text, end)?.[0] ?? '';
  const scaleEnd = end + scale.length;
  const unit = unitAt(text, scaleEnd);
  const spoken = numeralKana(plain) + myriadKana(scale) + (unit?.kana ?? '');
  // 4.5つ星: the dictionary has all digits with つ.
  const replacement = text[scaleEnd] === 'つ' ? PLACEHOLDER : NUMERAL;
  return { end: unit?.end ?? scaleEnd, spoken, replacement };
}

function withCounter(text: string, end: number, digits: string): Rewrite {
  const space = text[end] === ' ' ? 1 : 0;
  const unit = unitAt(text, end);
  if (unit) {
    const spoken = kanaMeasured(kanaNumber(digits), unit.kana);
    return { end: unit.end, spoken, replacement: `${kanjiNumber(digits)}個` };
  }
  const counter = counterAt(text, end + space);
  if (counter === undefined) {
    // Without a particle the analyser reads 三千葉 as 三千 and 葉.
    const particle = /[千百]/.test(text[end] ?? '') ? 'の' : '';
    return { end, spoken: kanaNumber(digits), replacement: kanjiNumber(digits) + particle };
  }
  const isOneDay = counter === '日' && Number(digits) === 1 && !isFirst(text, end);
  return {
    end: end + space + counter.length,
    spoken: isOneDay ? 'いちにち' : kanaCounted(digits, counter),
    replacement: countedReplacement(text, end + space + counter.length, kanjiNumber(digits), counter),
  };
}

const monthBefore = /[翌来先今毎同前各]月(?:の|は)?\d{1,2}$/;
const firstAfter = /日(?:付|以降|時点|現在|発売|施行|開催|開始|締め?切|午[前後]|未明|早朝|深夜|\([月火水木金土日])/y;

/** Whether 1日, whose number ends at the index, is the first of a month: 来月1日, 1日付. */
function isFirst(text: string, end: number): boolean {
  return monthBefore.test(textBefore({ text, index: end }, 5)) || matchAt(firstAfter, text, end) !== undefined;
}

/** The replacement of a number with a counter. The dictionary has 分の as the word of fractions: 3分の遅れ is none. */
export function countedReplacement(text: string, end: number, numerals: string, counter: string): string {
  const isMinutes = counter === '分' && text[end] === 'の' && !/[\d一二三四五六七八九十]/.test(text[end + 1] ?? '');
  return numerals + (isMinutes ? '秒' : counter);
}

/** 1.2.3 */
export const rewriteVersion: Rule = ({ text, index }) => {
  const match = versionAt(text, index);
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: match.split('.').map(kanaNumber).join('てん '), replacement: NUMERAL };
};

/** No.1, #5, Vol.2 */
export const rewriteNumbered: Rule = ({ text, index }) => {
  const match = matchAt(numberName, text, index)?.[0];
  if (match === undefined || /[A-Za-z]/.test(text[index - 1] ?? '')) return undefined;
  const spoken = /^ver/i.test(match) ? 'ばーじょん' : NUMBER_NAMES[match[0]!.toLowerCase()]!;
  return { end: index + match.length, spoken };
};

/** Counters after a Roman numeral. */
const ROMAN_COUNTERS: Readonly<Record<string, string>> = {
  型: 'がた',
  期: 'き',
  度: 'ど',
  世: 'せー',
  部: 'ぶ',
  章: 'しょー',
  類: 'るい',
  種: 'しゅ',
  巻: 'かん',
  編: 'へん',
  群: 'ぐん',
  級: 'きゅー',
  相: 'そー',
  節: 'せつ',
  項: 'こー',
  条: 'じょー',
};

/** 第II部, II型 */
export const rewriteRoman: Rule = ({ text, index }) => {
  const roman = romanAt(text, index, Object.keys(ROMAN_COUNTERS).join(''));
  if (!roman) return undefined;
  const { end, digits, counter } = roman;
  return {
    end: end + 1,
    spoken: kanaNumber(digits) + ROMAN_COUNTERS[counter]!,
    replacement: `${kanjiNumber(digits)}個`,
  };
};

/** Digits of another script. */
export const rewriteOtherDigits: Rule = ({ text, index }) => {
  const digits = otherDigitsAt(text, index);
  return digits && { end: digits.end, spoken: numeralKana(digits.plain), replacement: NUMERAL };
};
