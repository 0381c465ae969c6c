import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { nounNext } from './units.ts';

const feetInches = /(\d{1,2})\s?(?:['’′]|ft\.?)(?:\s?|-)(\d{1,2})(?:["”″]|''|’’|\s?in\b\.?)/y;
const primes = /(\d{1,4})([′″])/y;
/** `6' tall` */
const feet = /(\d{1,3})['’](?=\s(?:tall|wide|long|high|deep|thick|away|apart|above|below|across|from)(?!\p{L}))/uy;
const arc = /(\d{1,2})(?:\.\d+)?([′″'"’”])/y;

/** Minutes and seconds of an angle: `40°42′46″`. */
export function matchArc({ text, index }: Context): Match | undefined {
  if (!/°\s?(?:\d{1,2}[′']\s?)?$/.test(textBefore({ text, index }, 6))) return undefined;
  const [all, number = '', mark = ''] = matchAt(arc, text, index) ?? [];
  if (all === undefined) return undefined;
  const words = /[″"”]/.test(mark) ? countOf(number, 'second', 'seconds') : countOf(number, 'minute', 'minutes');
  return { end: index + all.length, words };
}

/** `5'11"` as feet and inches; `five eleven` if units are not normalized. */
export function matchFeetAndInches({ text, index, options }: Context): Match | undefined {
  // `5′-ATG-3′`
  if (
    matchAt(nucleicEnd, text, index) ??
    (/[ACGTUN]-$/.test(textBefore({ text, index }, 2)) && matchAt(lastEnd, text, index))
  )
    return { end: index + 2, words: `${cardinal(text[index]!)} prime` };
  const match = matchAt(feetInches, text, index);
  if (match) {
    const [all, feet = '', inches = ''] = match;
    const end = index + all.length;
    if (!options.unit_normalization && !/ft|in/.test(all))
      return { end, words: `${cardinal(feet)} ${cardinal(inches)}` };
    return { end, words: `${countOf(feet, 'foot', 'feet')} ${countOf(inches, 'inch', 'inches')}` };
  }
  const [tall, number = ''] = matchAt(feet, text, index) ?? [];
  if (tall !== undefined) return { end: index + tall.length, words: countOf(number, 'foot', 'feet') };
  const foot = feetAlone(text, index);
  if (foot) return foot;
  const prime = options.unit_normalization ? matchAt(primes, text, index) : undefined;
  if (!prime) return undefined;
  const words = prime[2] === '′' ? countOf(prime[1]!, 'foot', 'feet') : countOf(prime[1]!, 'inch', 'inches');
  return { end: index + prime[0].length, words };
}

/** `10' x 12'`, `8'-10'`, `a 4' gap`: feet, unless the mark closes a quotation or is a minute of play. */
function feetAlone(text: string, index: number): Match | undefined {
  const [all, from = '', to = ''] = matchAt(feetMarked, text, index) ?? [];
  if (all === undefined || quotationOpen.test(text.slice(0, index))) return undefined;
  const end = index + all.length;
  const count = cardinal(from.replace(',', ''));
  const words = to ? `${count} to ${cardinal(to)}` : count;
  if (matchAt(sideNext, text, end)) return { end, words };
  const isSide =
    to !== '' ||
    from.includes(',') ||
    sideBefore.test(textBefore({ text, index }, 6)) ||
    lengthBefore.test(textBefore({ text, index }, 18));
  const isAttributive = matchAt(nounNext, text, end) !== undefined && !matchAt(noLengthNext, text, end);
  if (!isSide && !isAttributive) return undefined;
  return { end, words: `${words} ${isAttributive || (from === '1' && !to) ? 'foot' : 'feet'}` };
}

const feetMarked = /(\d{1,3}(?:,\d{3})?)['’′](?:\s?[-–]\s?(\d{1,3})['’′])?(?=[\s.,;:)×]|x\d|$)/y;
const sideNext = /\s?(?:[x×]|by)\s?\d{1,3}['’′](?=[\s.,;:)×]|x\d|$)/y;
const sideBefore = /['’′"”″]\s?(?:[x×]|by)\s?$/;
const lengthBefore = /(?:height|width|length|depth|elevation|altitude|clearance)(?: is| of)?:?\s$/i;
/** A quotation that may still be open: `'give me 5'`. */
const quotationOpen = /(?:^|[\s([“"—–-])['‘](?!\d0s|(?:tis|twas|em|n|cause|til)(?!\p{L}))[\p{L}\d]/iu;
/** Words of a dialogue, and minutes of play. */
const noLengthNext =
  /\s(?:the|this|that|these|those|his|her|its|our|their|your|but|said|says|asked|replied|added|goal|goals|minute|min|header|penalty|strike|equali[sz]er|winner|free)(?!\p{L})/uy;

function countOf(digits: string, one: string, many: string): string {
  return `${cardinal(digits)} ${digits === '1' ? one : many}`;
}

/** The ends of a nucleic acid. */
const nucleicEnd = /[35][′'’](?=-[ACGTUN]{3}|\s(?:UTRs?|ends?|caps?|overhangs?|exons?|to\s[35]['′’])(?!\p{L})|→[35])/uy;
const lastEnd = /[35][′'’](?![\dsS])/y;
const inchMark = /["″”]/y;
const length = /(?:^|[\s(×x~≈-])\d[\d.,/ ½¼¾⅛⅜⅝⅞"″”–-]{0,12}$|(?:^|\s)[½¼¾⅛⅜⅝⅞]$/;
/** Numbers that only a length is written with at the end of a sentence: `0.25"`, `3-1/2"`, `36" x 80"`, `2–4"`, `Snow: 2"` */
const measured = /(?:\.\d{1,3}|\d\/\d{1,2}|[½¼¾⅛⅜⅝⅞]|(?:[x×]|\d["″”]?–)\s?[\d./-]{1,8}|\p{L}: [\d.]{1,5})$/u;
const anotherBefore = /\d["″”][\s,;]/;
const quotationBefore = /(?:^|[\s(])["“]/;
const measuredThing =
  /(?<!\p{L})(?:screen|TV|monitor|display|laptop|rain(?:fall)?|snow(?:fall)?|diameter|pipe|wide|tall|deep|thick|tires?|wheels?|rims?|width|height|depth|boards?)(?!\p{L})/iu;
/** The other side, or the end of a range. */
const sizeNext = /\s?(?:[x×]|by)\s?\d|\s?[-–]\s?\d[\d./]{0,8}["″”]/y;

/**
 * The inches of `a 55" screen`; silent between the sides of `9" x 13"`. A quotation mark that closes a quotation is none, nor
 * one at the end of a sentence, which may close what was opened before.
 */
export function matchInches({ text, index, previous }: Context): Match | undefined {
  const mark = matchAt(inchMark, text, index)?.[0];
  const before = text.slice(0, index);
  if (!mark || !/[\d½¼¾⅛⅜⅝⅞]$/.test(before) || !length.test(before.slice(-14))) return undefined;
  const end = index + 1;
  if (mark === '"' ? isQuoting(before) : mark === '”' && count(before, '“') > count(before, '”')) return undefined;
  const isFollowed = mark === '″' || /^(?:\)|[\s-]*[(×\p{L}\d])/u.test(text.slice(end, end + 4));
  if (!isFollowed && !isLength(before)) return undefined;
  if (matchAt(sizeNext, text, end)) return { end, words: '' };
  const isAttributive = /^[\s-](?:\d|\p{Lu}\p{L})/u.test(text.slice(end, end + 3)) || matchAt(nounNext, text, end);
  return { end, words: /^(?:1|1\/\d+|[½⅓¼⅛])$/.test(previous) || isAttributive ? 'inch' : 'inches' };
}

/** Whether a length is certain though nothing follows its mark, which could close a quotation that began in another sentence. */
function isLength(before: string): boolean {
  if (measured.test(before) || measuredThing.test(before)) return true;
  return anotherBefore.test(before) && !quotationBefore.test(before);
}

/** Whether a quotation that plain marks enclose is open at the end of a text. */
function isQuoting(before: string): boolean {
  let isOpen = false;
  for (let at = before.indexOf('"'); at >= 0; at = before.indexOf('"', at + 1)) {
    isOpen = !isOpen && /^$|[\s([—–/-]/.test(before[at - 1] ?? '') && /\S/.test(before[at + 1] ?? '');
  }
  return isOpen;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
