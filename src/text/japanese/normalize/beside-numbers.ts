import { matchAt, textBefore } from '../../patterns.ts';
import type { Rule } from './rule.ts';

/** A character with this reading next to a number. */
interface BesideNumber {
  pattern: RegExp;
  before: RegExp;
  spoken: string;
  /** Where the dictionary has a longer word: 年一 is a name. */
  replacement?: string;
}

const MAX_BEFORE = 10;
const CHARACTERS: readonly BesideNumber[] = [
  // 14銭(1.4%)高, but not 高い
  { pattern: /高(?![\p{Script=Han}いくさけかめま])/uy, before: /[%円銭ト][)）]$/, spoken: 'だか' },
  // 15時着, but not 15時着席
  { pattern: /着(?![\p{Script=Han}いかきくけこせたてる])/uy, before: /(?:\d[時分]|:\d\d)$/, spoken: 'ちゃく' },
  { pattern: /走(?![\p{Script=Han}らりるれろっ])/uy, before: /\d\s?(?:m|km|メートル|キロ)$/, spoken: 'そー' },
  // 年3回, but not その年3月
  {
    pattern: /年(?=約?\d[\d.,]{0,6}\s?[%％回度万億千円人本件日])/uy,
    before: /(?:^|[\s。、，,(（:「はもでが])$/,
    spoken: 'ねん',
    replacement: '毎年',
  },
];

/** A character whose reading next to a number differs. */
export const rewriteBesideNumber: Rule = (context) => {
  const { text, index } = context;
  const before = textBefore(context, MAX_BEFORE);
  const found = CHARACTERS.find((each) => matchAt(each.pattern, text, index) && each.before.test(before));
  if (!found) return undefined;
  const { spoken, replacement } = found;
  return { end: index + 1, spoken, ...(replacement !== undefined && { replacement }) };
};
