import { matchAt } from '../../patterns.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const nationalPhone = /(?:\+?(\d{1,3})[ .-]?)?(?:\((\d{3})\)|(\d{3}))[ ./-]?(\d{3})[ .-](\d{4})(?![\p{L}\d]|[-.]\d)/uy;
const internationalPhone = /\+\d{1,4}(?:[ .-]{0,1}\(?\d{1,12}\)?){1,7}(?![\p{L}\d])/uy;
const shortPhone = /(\d{3})-(\d{4})(?![\p{L}\d]|-\d)/uy;
/** German: `030/123456` */
const slashedPhone = /0\d{1,4}\/\d{5,8}(?![\p{L}\d/])/uy;
const degreesNext = /\s?°/y;
const trunkPhone = /(?:0\d{2,4}[ -]|\(0\d{1,4}\) ?)\d{3,4}(?:[ -]?\d{3,4})(?![\p{L}\d])/uy;

/** Telephone numbers, group by group. */
export function matchPhoneNumber({ text, index, options }: Context): Match | undefined {
  if (!options.phone_normalization) return undefined;
  const match =
    matchAt(nationalPhone, text, index) ??
    matchAt(internationalPhone, text, index) ??
    matchAt(shortPhone, text, index) ??
    matchAt(slashedPhone, text, index) ??
    matchAt(trunkPhone, text, index);
  // `727-1227°C`
  if (!match || matchAt(degreesNext, text, index + match[0].length) || match[0].replace(/\D/g, '').length < 7)
    return undefined;
  const groups = match.slice(1).filter((group) => group !== undefined);
  const parts = groups.length > 0 ? groups : (match[0].match(/\d+/g) ?? []);
  const plus = match[0].startsWith('+') ? 'plus ' : '';
  return { end: index + match[0].length, words: plus + parts.map(phoneGroup).join(', ') };
}

function phoneGroup(digits: string): string {
  return /^[1-9]00$/.test(digits) ? cardinal(digits) : digitByDigit(digits);
}
