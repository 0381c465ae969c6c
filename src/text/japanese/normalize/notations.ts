import { matchAt, textBefore } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaNumber, NUMERAL } from '../numbers.ts';
import type { Rule } from './rule.ts';

const floor = /(B)?(\d{1,2})F(?![A-Za-z\d])(\s?(?:会議|フロア|ロビー|受付|売り?場|ホール|レストラン|カフェ))?/y;
const buildingBefore = /(?:ビル|タワー|プラザ|館|ヒルズ|モール|センター|店|地上|地下|[ァ-ヴー]{3})\s?$/;
const page = /pp?\.\s?(\d{1,4})(?:[-–〜~～](\d{1,4}))?(?![\d-])/y;
const phone = /TEL(?=[:：.]?\s?[(（+\d])/y;
/** How many minutes; not the adverb of 何分にも. */
const howManyMinutes = /何分(?=$|[でかくまもおごのだ間後前。、,.?!？！])/y;

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
