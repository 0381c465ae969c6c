import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaDigits, kanaNumber, NUMERAL } from '../numbers.ts';
import type { Rule } from './rule.ts';

const draws = /(\d{1,3})分(?![けかのま])/y;
const floor = /(B)?(\d{1,2})F(?![A-Za-z\d])/y;
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
  const [all, basement, number = ''] = matchAt(floor, text, index) ?? [];
  if (all === undefined || /[A-Za-z]/.test(text[index - 1] ?? '')) return undefined;
  if (!basement && !buildingBefore.test(textBefore(context, 5))) return undefined;
  return {
    end: index + all.length,
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
