import { matchAt } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaMeasured, kanaNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import type { Rule } from './rule.ts';
import { isRateBefore } from './values.ts';

const per =
  /\/([月年日週分秒](?!\p{Script=Han})|人|時間|個|回|本|枚|台|株|泊|名|室|件|km|kg|g|L|l|ml|㎡|m²|m)(?![A-Za-z\d²])/uy;
/** What the values of food are given for. */
const portion = /\/(\d{1,4})\s?(kg|g|L|l|ml|mL|km)(?![A-Za-z\d²])/y;
const EVERY: Readonly<Record<string, string>> = {
  月: 'まいつき',
  年: 'まいとし',
  日: 'まいにち',
  週: 'まいしゅー',
  分: 'まいふん',
  秒: 'まいびょー',
};

/** 500円/月 */
export const rewritePer: Rule = (context) => {
  const [whole, digits, measure = ''] = matchAt(portion, context.text, context.index) ?? [];
  if (whole !== undefined && isRateBefore(context)) {
    const spoken = ` ${kanaMeasured(kanaNumber(digits!), UNITS[measure]!)} あたり`;
    return { end: context.index + whole.length, spoken: spoken.trim(), replacement: '毎月' };
  }
  const unit = matchAt(per, context.text, context.index)?.[1];
  if (unit === undefined || !isRateBefore(context)) return undefined;
  const end = context.index + 1 + unit.length;
  if (Object.hasOwn(EVERY, unit)) return { end, spoken: EVERY[unit]!, replacement: '毎月' };
  const one = Object.hasOwn(UNITS, unit) ? kanaMeasured(kanaNumber('1'), UNITS[unit]!) : kanaCounted('1', unit);
  return { end, spoken: `${one} あたり`, replacement: '毎月' };
};
