import { matchAt } from '../../patterns.ts';
import { UNITS } from '../units.ts';
import type { Rule } from './rule.ts';
import { isRateBefore, UNIT } from './values.ts';

const per = new RegExp(
  `/(?:${UNIT}|(?=\\d{1,4}\\s?(?:k?g|m?[lL]|km|[克升]|毫升|千克|公里)(?![A-Za-z\\d])|月(?![租薪费份票])|年(?![租薪费])|天|日|周|分(?!\\p{Script=Han})|小时|分钟|秒|人|次|晚|平|公斤|千克|斤|吨|升|米|度|亩|[件个台股张本瓶杯份位户间套节]))`,
  'yu',
);

/** 100元/月 */
export const rewritePer: Rule = (context) => {
  const match = matchAt(per, context.text, context.index);
  if (!match || !isRateBefore(context)) return undefined;
  return { end: context.index + match[0].length, replacement: `每${match[1] === undefined ? '' : UNITS[match[1]]!}` };
};
