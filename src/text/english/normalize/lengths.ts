import { matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { nounNext } from './units.ts';

const feetInches = /(\d{1,2})\s?(?:['’′]|ft\.?)\s?(\d{1,2})(?:["”″]|''|’’|\s?in\b\.?)/y;
const primes = /(\d{1,4})([′″])/y;
const arc = /(\d{1,2})(?:\.\d+)?([′″'"’”])/y;

/** Minutes and seconds of an angle: `40°42′46″`. */
export function matchArc({ text, index }: Context): Match | undefined {
  if (!/°\s?(?:\d{1,2}[′']\s?)?$/.test(text.slice(Math.max(0, index - 6), index))) return undefined;
  const [all, number = '', mark = ''] = matchAt(arc, text, index) ?? [];
  if (all === undefined) return undefined;
  const words = /[″"”]/.test(mark) ? count(number, 'second', 'seconds') : count(number, 'minute', 'minutes');
  return { end: index + all.length, words };
}

/** `5'11"` as feet and inches; `five eleven` if units are not normalized. */
export function matchFeetAndInches({ text, index, options }: Context): Match | undefined {
  const match = matchAt(feetInches, text, index);
  if (match) {
    const [all, feet = '', inches = ''] = match;
    const end = index + all.length;
    if (!options.unit_normalization && !/ft|in/.test(all))
      return { end, words: `${cardinal(feet)} ${cardinal(inches)}` };
    return { end, words: `${count(feet, 'foot', 'feet')} ${count(inches, 'inch', 'inches')}` };
  }
  const prime = options.unit_normalization ? matchAt(primes, text, index) : undefined;
  if (!prime) return undefined;
  const words = prime[2] === '′' ? count(prime[1]!, 'foot', 'feet') : count(prime[1]!, 'inch', 'inches');
  return { end: index + prime[0].length, words };
}

function count(digits: string, one: string, many: string): string {
  return `${cardinal(digits)} ${digits === '1' ? one : many}`;
}

const inchMark = /["″”]/y;
const length = /(?:^|[\s(×x~≈-])\d[\d.,/ ½¼¾⅛⅜⅝⅞-]{0,12}$|(?:^|\s)[½¼¾⅛⅜⅝⅞]$/;
const inchesBefore = /(?<=(?:^|[\s(x×])[\d.,/½¼¾⅛⅜⅝⅞]{1,8})["″”](?=[\sx×-])/g;
const sizeNext = /\s?(?:[x×]|by)\s?\d/y;

/**
 * The inches of `a 55" screen`; silent between the sides of `9" x 13"`. A quotation mark that closes a quotation is none, nor
 * one at the end of a sentence, which may close what was opened before.
 */
export function matchInches({ text, index, previous }: Context): Match | undefined {
  const mark = matchAt(inchMark, text, index)?.[0];
  const before = text.slice(0, index);
  if (!mark || !/[\d½¼¾⅛⅜⅝⅞]$/.test(before) || !length.test(before.slice(-14))) return undefined;
  const end = index + 1;
  const quotes = (pattern: RegExp) => before.replace(inchesBefore, '').match(pattern)?.length ?? 0;
  if (mark === '"' && quotes(/"/g) % 2 === 1) return undefined;
  if (mark === '”' && quotes(/“/g) > quotes(/”/g)) return undefined;
  if (mark !== '″' && !/^(?:\)|[\s-]*[(\p{L}\d])/u.test(text.slice(end, end + 4)) && !/\d["″”]\s/.test(before))
    return undefined;
  if (matchAt(sizeNext, text, end)) return { end, words: '' };
  const isAttributive = /^[\s-](?:\d|\p{Lu}\p{L})/u.test(text.slice(end, end + 3)) || matchAt(nounNext, text, end);
  return { end, words: /^(?:1|1\/\d+|[½⅓¼⅛])$/.test(previous) || isAttributive ? 'inch' : 'inches' };
}
