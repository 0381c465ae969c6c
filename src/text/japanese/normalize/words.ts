import { compatibleAt, otherLettersAt } from '../../cjk/other-characters.ts';
import { anyOf, matchAt } from '../../patterns.ts';
import { latinKana } from '../latin.ts';
import { kanaNumber, kanjiNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import { WEEKDAYS } from './dates.ts';
import type { Rule } from './rule.ts';

const latin = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:['’]\p{Script=Latin}+)*/uy;
const compatible = /[ｦ-ﾟ]+|[Ⅰ-ⅿ]+|[㈠-㊰①-⓿㋀-㏿㍻-㍿㎀-㏟]/uy;
const policeCall = /110番(?![目線地台札手街号組])/y;
const shop = /100均(?![一等衡])/y;
const laugh = /笑(?=$|[\s。、，,.!?！？)」])/y;
/** Words that the dictionary lacks, replaced by others. */
const NEW_WORDS: Readonly<Record<string, { spoken: string; replacement: string }>> = {
  令和: { spoken: 'れーわ', replacement: '平成' },
  予熱: { spoken: 'よねつ', replacement: '加熱' },
  一日中: { spoken: 'いちにちじゅー', replacement: '終日' },
  百均: { spoken: 'ひゃっきん', replacement: '店' },
  三十三間堂: { spoken: 'さんじゅーさんげんどー', replacement: '寺' },
};
const newWord = new RegExp(anyOf(Object.keys(NEW_WORDS)), 'y');
/** Single characters in brackets: days of the week after a date, a laugh. */
const BRACKETED: Readonly<Record<string, string>> = { ...WEEKDAYS, 笑: 'わらい', 株: 'かぶしきがいしゃ' };
/** One-character words whose reading differs from their folded form. */
const SQUARED: Readonly<Record<string, string>> = {
  '㈱': 'かぶしきがいしゃ',
  '㈲': 'ゆーげんがいしゃ',
  '㍿': 'かぶしきがいしゃ',
};

/** 令和 */
export const rewriteNewWord: Rule = ({ text, index }) => {
  const word = matchAt(newWord, text, index)?.[0];
  return word === undefined ? undefined : { end: index + word.length, ...NEW_WORDS[word]! };
};

/** 100均, a shop where everything costs 100 yen. */
export const rewriteShop: Rule = ({ text, index }) =>
  matchAt(shop, text, index) && { end: index + 4, ...NEW_WORDS.百均! };

/** 110番 calls the police. */
export const rewritePoliceCall: Rule = ({ text, index }) =>
  matchAt(policeCall, text, index) && { end: index + 4, spoken: 'ひゃくとーばん', replacement: '電話' };

/** やばい笑 */
export const rewriteLaugh: Rule = ({ text, index }) =>
  matchAt(laugh, text, index) && !/\p{Script=Han}/u.test(text[index - 1] ?? '')
    ? { end: index + 1, spoken: BRACKETED.笑! }
    : undefined;

/** (金), (笑) */
export const rewriteBracketed: Rule = ({ text, index }) => {
  const spoken = BRACKETED[text[index]!];
  const isBracketed = /[(（]/.test(text[index - 1] ?? '') && /[)）]/.test(text[index + 1] ?? '');
  return spoken !== undefined && isBracketed ? { end: index + 1, spoken } : undefined;
};

/** Words in Latin letters. */
export const rewriteLatin: Rule = ({ text, index, english }) => {
  const match = matchAt(latin, text, index)?.[0];
  if (match === undefined) return undefined;
  const spoken = latinKana(match.replaceAll('’', "'"), english);
  return spoken ? { end: index + match.length, spoken } : undefined;
};

/** Greek and Cyrillic words. */
export const rewriteOtherLetters: Rule = ({ text, index, english }) => {
  const letters = otherLettersAt(text, index);
  if (!letters) return undefined;
  const { end, written, plain } = letters;
  const spoken = latinKana(plain, english);
  // Take them whole even without a sound: otherwise each character would be tried with all that follow.
  return spoken ? { end, spoken } : { end, replacement: written };
};

/** Half-width katakana, circled digits, Roman numerals of one character, squared words. */
export const rewriteCompatible: Rule = ({ text, index, english }) => {
  const characters = compatibleAt(compatible, text, index);
  if (!characters) return undefined;
  const { end, written, plain } = characters;
  if (Object.hasOwn(UNITS, written)) return { end, spoken: UNITS[written]! };
  if (Object.hasOwn(SQUARED, written)) return { end, spoken: SQUARED[written]! };
  if (/^\d+$/.test(plain)) return { end, spoken: kanaNumber(plain), replacement: kanjiNumber(plain) };
  if (/^[A-Za-z]+$/.test(plain)) return { end, spoken: latinKana(plain, english) };
  return plain === written ? undefined : { end, replacement: plain };
};
