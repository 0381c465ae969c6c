import { textBefore } from '../../cjk/rule.ts';
import { matchAt } from '../../patterns.ts';
import { chineseDigits } from '../numbers.ts';
import type { Rule } from './rule.ts';

const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+86[- ]?)?(?:1[3-9]\d[- ]?\d{4}[- ]?\d{4}|\(?0\d{2,3}(?:[- ]|\)[- ]?)\d{3,4}[- ]?\d{4}|[48]00(?:[- ]?\d{3}[- ]?\d{4}|\d-\d{3}-\d{3}))(?!\d)/y;
/** Numbers that are names: codes and telephone numbers by the word before, rooms and buses by the word after. */
const codeBefore = /(?:邮编|邮政编码|区号|验证码|密码|编号|学号|工号|卡号|账号|尾号)(?:为|是)?[:：]?\s?$/;
const dialledBefore = /(?:拨打|拨|致电|热线|(?:报警|急救|客服|拨打|咨询|服务|联系)电话)(?:为|是)?[:：]?\s?$/;
/** Digits that count nothing and begin no longer number. */
const nameDigits =
  /\d{3,20}(?!\d|[.,]\d|[-–—~～]\d| \d{3}|\s?(?:[个元块万亿多余种条组套遍通]|位(?![于置])|次(?!日)|人(?![工员力])|名(?!称)|天(?![然气津])|分钟|小时|以[内上下]|左右))/y;
/** The digits of a bank card, four by four. */
const cardDigits = /\d{4}(?: \d{3,4}){2,5}(?!\d| \d)/y;
const place = /\d{3,4}(?=室(?![内外温友])|房间|教室|号房|路(?:公交|汽车|电车|车|$|[，。、,.和到的]))/y;
const MAX_NAME = 8;

/** 138 1234 5678, 400-123-4567 */
export const rewritePhone: Rule = ({ text, index, options }) => {
  const match = options.phone_normalization ? matchAt(phone, text, index)?.[0] : undefined;
  if (match === undefined) return undefined;
  const groups = match.match(/\d+/g)!.map((digits) => chineseDigits(digits, true));
  return { end: index + match.length, replacement: (match.startsWith('+') ? '加' : '') + groups.join('') };
};

/** A number that is a name, digit by digit: 邮编100080, 1101室. */
export const rewriteCode: Rule = (context) => {
  const { text, index } = context;
  const before = textBefore(context, MAX_NAME);
  const isCode = codeBefore.test(before);
  const card = isCode ? matchAt(cardDigits, text, index)?.[0] : undefined;
  if (card !== undefined) return { end: index + card.length, replacement: chineseDigits(card.replaceAll(' ', '')) };
  const digits = matchAt(nameDigits, text, index)?.[0];
  if (digits === undefined) return undefined;
  const end = index + digits.length;
  if (isCode) return { end, replacement: chineseDigits(digits) };
  const isPlace = matchAt(place, text, index) !== undefined && !digits.endsWith('00');
  return isPlace || dialledBefore.test(before) ? { end, replacement: chineseDigits(digits, true) } : undefined;
};
