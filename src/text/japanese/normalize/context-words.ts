import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaDigits, kanaNumber, NUMERAL } from '../numbers.ts';
import type { Rule } from './rule.ts';

const draws = /(\d{1,3})分(?![けかのま])/y;
const floor = /(B)?(\d{1,2})F(?![A-Za-z\d])(\s?(?:会議|フロア|ロビー|受付|売り?場|ホール|レストラン|カフェ))?/y;
const buildingBefore = /(?:ビル|タワー|プラザ|館|ヒルズ|モール|センター|店|地上|地下)\s?$/;
const page = /pp?\.\s?(\d{1,4})(?:[-–〜~～](\d{1,4}))?(?![\d-])/y;
const phone = /TEL(?=[:：.]?\s?[(（+\d])/y;
const letteredCode = /\d{3,8}(?:-\d{3,8}){1,3}(?![\d-])/y;
const topHalf = /表(?![彰情現示明面記紙題記])/y;
/** How many minutes; not the adverb of 何分にも. */
const howManyMinutes = /何分(?=$|[でかくまもおごのだ間後前。、,.?!？！])/y;

/** 3勝2敗1分: a draw, not a minute. */
export const rewriteDraws: Rule = (context) => {
  const [all, number = ''] = /敗\s?$/.test(textBefore(context, 2))
    ? (matchAt(draws, context.text, context.index) ?? [])
    : [];
  return all === undefined
    ? undefined
    : { end: context.index + all.length, spoken: `${kanaNumber(number)}わけ`, replacement: NUMERAL };
};

/** 大宗ビル5F, B1F */
export const rewriteFloor: Rule = (context) => {
  const { text, index } = context;
  const [all, basement, number = '', room] = matchAt(floor, text, index) ?? [];
  if (all === undefined || /[A-Za-z]/.test(text[index - 1] ?? '')) return undefined;
  if (!basement && !room && !buildingBefore.test(textBefore(context, 5))) return undefined;
  return {
    end: index + all.length - (room?.length ?? 0),
    spoken: `${basement ? 'ちか ' : ''}${kanaCounted(number, '階')}`,
    replacement: '一階',
  };
};

/** p.45, pp.45-67 */
export const rewritePage: Rule = ({ text, index }) => {
  const [all, from = '', to] = /[A-Za-z]/.test(text[index - 1] ?? '') ? [] : (matchAt(page, text, index) ?? []);
  if (all === undefined) return undefined;
  const range = to === undefined ? '' : ` から ${kanaNumber(to)}`;
  return { end: index + all.length, spoken: `${kanaNumber(from)}${range}ぺーじ`, replacement: '一頁' };
};

/** TEL: 03-1234-5678 */
export const rewriteTelephone: Rule = ({ text, index }) =>
  !/[A-Za-z]/.test(text[index - 1] ?? '') && matchAt(phone, text, index)
    ? { end: index + 3, spoken: 'でんわ', replacement: '電話' }
    : undefined;

/** A1234-5678: a code, not a range. */
export const rewriteLetteredCode: Rule = ({ text, index }) => {
  const code = /[A-Z]/.test(text[index - 1] ?? '') ? matchAt(letteredCode, text, index)?.[0] : undefined;
  return code === undefined
    ? undefined
    : { end: index + code.length, spoken: code.split('-').map(kanaDigits).join('の '), replacement: NUMERAL };
};

/** 3回表, the top of an inning. */
export const rewriteTopHalf: Rule = (context) =>
  /\d回$/.test(textBefore(context, 2)) && matchAt(topHalf, context.text, context.index)
    ? { end: context.index + 1, spoken: 'おもて', replacement: PLACEHOLDER }
    : undefined;

/** 何分ですか */
export const rewriteHowManyMinutes: Rule = ({ text, index }) =>
  matchAt(howManyMinutes, text, index) && { end: index + 2, spoken: 'なんぷん', replacement: '何時' };

const shogi = /([1-9])([一二三四五六七八九])歩/y;
const KANJI_DIGITS = '一二三四五六七八九';

/** ▲7六歩: a pawn and its square. */
export const rewritePawn: Rule = ({ text, index }) => {
  const [all, file = '', rank = ''] = matchAt(shogi, text, index) ?? [];
  if (all === undefined) return undefined;
  const row = kanaNumber(String(KANJI_DIGITS.indexOf(rank) + 1));
  return { end: index + all.length, spoken: `${kanaNumber(file)}${row}ふ`, replacement: NUMERAL };
};

const between = /間(?![\p{Script=Han}])/uy;
const betweenBefore = /[-–〜~～・]\p{Script=Han}{1,6}$/u;

/** 東京-大阪間 */
export const rewriteBetween: Rule = (context) =>
  betweenBefore.test(textBefore(context, 8)) && matchAt(between, context.text, context.index)
    ? { end: context.index + 1, spoken: 'かん', replacement: PLACEHOLDER }
    : undefined;

const tilde = /[〜～](?=[\p{Script=Han}A-Z])/uy;
const tildeBefore = /(?:\p{Script=Han}|(?<![A-Za-z])[A-Z])$/u;
/** In the same phrase. */
const earlierTilde = /[〜～~][^、。,.\s]{0,24}$/;
const laterTilde = /^[^、。,.\s]{0,24}[〜～~]/;
const NEAR = 25;

/** 東京〜大阪, A〜Z; not a subtitle between two tildes. */
export const rewriteWordRange: Rule = (context) => {
  const { text, index } = context;
  if (!matchAt(tilde, text, index) || !tildeBefore.test(textBefore(context, 2))) return undefined;
  const isPaired =
    earlierTilde.test(textBefore(context, NEAR)) || laterTilde.test(text.slice(index + 1, index + 1 + NEAR));
  return isPaired ? undefined : { end: index + 1, spoken: 'から', replacement: 'から' };
};

const functionName = /(?:sin|cos|tan|log)(?=\s?[\dθαβxy(])/y;
const FUNCTIONS: Readonly<Record<string, string>> = {
  sin: 'さいん',
  cos: 'こさいん',
  tan: 'たんじぇんと',
  log: 'ろぐ',
};

/** sin30° */
export const rewriteFunction: Rule = ({ text, index }) => {
  const name = /[A-Za-z.]/.test(text[index - 1] ?? '') ? undefined : matchAt(functionName, text, index)?.[0];
  return name === undefined ? undefined : { end: index + name.length, spoken: FUNCTIONS[name]! };
};

const screen = /(\d{2,3})V型/y;

/** 55V型, a television */
export const rewriteScreen: Rule = ({ text, index }) => {
  const [all, size = ''] = matchAt(screen, text, index) ?? [];
  return all === undefined
    ? undefined
    : { end: index + all.length, spoken: `${kanaNumber(size)} ぶいがた`, replacement: NUMERAL };
};
