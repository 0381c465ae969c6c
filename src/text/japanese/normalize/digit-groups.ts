import { matchAt, textBefore } from '../../patterns.ts';
import { counterAt } from '../counters.ts';
import { kanaDigits, kanaNumber, NUMERAL } from '../numbers.ts';
import type { Rule } from './rule.ts';
import { unitAt } from './values.ts';

const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+\d{1,3}[- ]?)?(?:\(0\d{1,4}\)\s?|0\d{1,4}-)\d{1,4}-\d{3,4}(?!\d)|0\d{1,4}\(\d{1,4}\)\d{3,4}(?!\d)|〒?\d{3}-\d{4}(?![\d-])/y;
const house = /[1-9]\d{0,2}(?:-\d{1,3}){2,3}(?![\d-]|\s?=)/y;
const twoParts = /[1-9]\d{0,3}-\d{1,3}(?![\d-]|\s?=)/y;
/** A street, or a town by its name: 渋谷区渋谷, but not 渋谷区で. A figure or a table of a book. */
const partsBefore =
  /(?:丁目|[都道府県市区町村郡][\p{Script=Han}ァ-ヶー]{1,8}|(?<![意企地])図表?|(?<![代発])表|(?<![株正様方形公])式|写真|例題|会議室|教室|病室|個室|ゲート|ロッカー|区画)\s?$/u;
/** A zero begins a telephone number. */
const groups = /[1-9]\d{0,6}(?:-\d{1,7}){1,5}(?![\d-]|\s?=)/y;
const name = /\d{3,20}(?![\d,:/-]|\.\d|\s?[以万億千回])/y;
/** Numbers after these words are names. */
const nameBefore =
  /(?:番号|内線|(?:認証|確認|支店|銀行|証券|郵便|招待|クーポン|商品|会社)コード|パスワード|(?<![A-Za-z])ID)[はが]?[:：]?\s?$/;
const MAX_BEFORE = 12;

/** 03-1234-5678, 03(1234)5678, 〒100-0001 */
export const rewritePhone: Rule = ({ text, index, options }) => {
  if (!options.phone_normalization || /[\d-]/.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(phone, text, index)?.[0];
  if (match === undefined) return undefined;
  const mark = match.startsWith('〒') ? 'ゆーびんばんごー ' : /^\+\d+[- ][1-9]/.test(match) ? 'ぷらす ' : '';
  return { end: index + match.length, spoken: mark + groupsKana(match, kanaDigits) };
};

/** 1-2-3 in an address; 21-1 after the name of a town, 図3-2. */
export const rewriteParts: Rule = (context) => {
  const { text, index } = context;
  if (nameBefore.test(textBefore(context, MAX_BEFORE))) return undefined;
  const match = matchAt(house, text, index)?.[0] ?? partsAfterName(context);
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: groupsKana(match, kanaNumber), replacement: NUMERAL };
};

function partsAfterName(context: Parameters<Rule>[0]): string | undefined {
  const { text, index } = context;
  const match = matchAt(twoParts, text, index)?.[0];
  if (match === undefined || !partsBefore.test(textBefore(context, MAX_BEFORE))) return undefined;
  const end = index + match.length;
  // What is counted has a range: 市内3-5か所.
  return counterAt(text, end) === undefined && !unitAt(text, end) && !/^\s?[%店]/.test(text.slice(end, end + 2))
    ? match
    : undefined;
}

/** A number that is a name, digit by digit: 会員番号1234, 注文番号123-456, 978-4-04-123456-7. */
export const rewriteCode: Rule = (context) => {
  const { text, index } = context;
  const grouped = matchAt(groups, text, index)?.[0];
  if (grouped !== undefined && (isCode(grouped) || nameBefore.test(textBefore(context, MAX_BEFORE))))
    return { end: index + grouped.length, spoken: groupsKana(grouped, kanaDigits), replacement: NUMERAL };
  const digits = matchAt(name, text, index)?.[0];
  if (digits === undefined || !nameBefore.test(textBefore(context, MAX_BEFORE))) return undefined;
  const end = index + digits.length;
  return counterAt(text, end) === undefined ? { end, spoken: kanaDigits(digits), replacement: NUMERAL } : undefined;
};

/** Whether groups of digits are not a range: 202411-00123. */
function isCode(grouped: string): boolean {
  const parts = grouped.split('-');
  const hasLongPart = parts.some(({ length }) => length > 3);
  return hasLongPart && (parts.length > 2 || /^0\d{2}/.test(parts.at(-1)!));
}

function groupsKana(written: string, kana: (digits: string) => string): string {
  return written.match(/\d+/g)!.map(kana).join('の ');
}

const letteredCode = /\d{3,8}(?:-\d{3,8}){1,3}(?![\d-])/y;

/** A1234-5678: a code, not a range. */
export const rewriteLetteredCode: Rule = ({ text, index }) => {
  const code = /[A-Z]/.test(text[index - 1] ?? '') ? matchAt(letteredCode, text, index)?.[0] : undefined;
  return code === undefined
    ? undefined
    : { end: index + code.length, spoken: groupsKana(code, kanaDigits), replacement: NUMERAL };
};
