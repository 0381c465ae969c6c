import { matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { nameOfSymbol } from './symbol-names.ts';

const ruler = /([=#*_~$+&@%^|<>/\\`°•·-])\1{2,}/y;
/** Of programming languages. */
const operators: readonly (readonly [string, string])[] = [
  ['&&', 'and'],
  ['||', 'or'],
  ['!==', 'does not equal'],
  ['!=', 'does not equal'],
  ['===', 'equals'],
  ['==', 'equals'],
  ['>=', 'greater than or equal to'],
  ['<=', 'less than or equal to'],
  ['::', ''],
  ['+/-', 'plus or minus'],
  ['§§', 'sections'],
];
/** The types between angle brackets: `vector<int>`. */
const generic = /<([A-Za-z_&*][^<>\n]{0,60}(?:<[^<>\n]{0,60}>[^<>\n]{0,20})?)>/y;
const arrow = /(?:-{1,3}|={1,3})>/y;
const power = /\^\s?(?=[\p{L}\d(+-])/uy;
const sign = /[-−+±](?=[$£€¥₹]?\.?\d)/y;
const superscripts: Record<string, string> = {
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
};
/** Spoken words for `/` in these pairs; `slash` in others. */
const slashPairs: Record<string, string> = {
  'and/or': '',
  'he/she': 'or',
  'she/he': 'or',
  'him/her': 'or',
  'his/her': 'or',
  'his/hers': 'or',
  's/he': 'or',
  'yes/no': 'or',
  'true/false': 'or',
  'on/off': '',
};
const wordAfter = /[\p{L}]{1,12}/uy;
const slashWords = /(?:(w\/o)|(w\/)|(b\/c)|(c\/o)|(n\/a)|(a\/c))(?![p{L}\d])/iy;
const slashMeanings = ['without', 'with', 'because', 'care of', 'not applicable', 'A C'];

/** `w/o`, `c/o` and the like. */
export function matchSlashWord({ text, index }: Context): Match | undefined {
  const match = matchAt(slashWords, text, index);
  if (!match) return undefined;
  return {
    end: index + match[0].length,
    words: slashMeanings[match.slice(1).findIndex((group) => group !== undefined)]!,
  };
}

/** A symbol: any character but letters, digits and punctuation. */
export function matchSymbol(context: Context): Match {
  const { text, index, previous, options } = context;
  const character = String.fromCodePoint(text.codePointAt(index)!);
  const end = index + character.length;
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const say = (words: string, to = end) => ({ end: to, words: options.replace_remaining_symbols ? words : '' });

  const operator = operators.find(([written]) => text.startsWith(written, index));
  if (
    operator &&
    !operator[0].includes(text[index + operator[0].length] || ' ') &&
    !operator[0].includes(before || ' ')
  ) {
    const isSpaced = [before, text[index + operator[0].length] ?? ''].map((beside) => /^[^\p{L}\d)\]]?$/u.test(beside));
    // `==marked==`
    const words = operator[0].startsWith('=') && isSpaced[0] !== isSpaced[1] ? '' : operator[1];
    return say(words, index + operator[0].length);
  }
  if (character === '<' && /\w/.test(before) && previous.length > 1 && matchAt(generic, text, index))
    return { end, words: 'of' };
  if (character === '>' && isGenericEnd(text, index)) return { end, words: '' };
  const rulerFound = matchAt(ruler, text, index);
  if (rulerFound) return { end: index + rulerFound[0].length, words: '' };
  if (
    text.startsWith('<3', index) &&
    /^$|\s/.test(before) &&
    /^$|\s/.test(text[index + 2] ?? '') &&
    !/^(?!I$)\p{L}$|\d/u.test(previous)
  ) {
    return say('heart', index + 2);
  }
  const arrowFound = matchAt(arrow, text, index);
  if (arrowFound) return say('arrow', index + arrowFound[0].length);

  if (matchAt(sign, text, index) && !/[\p{L}\d)\]%°¢€£¥$"'’.″′]/u.test(before))
    return { end, words: signName(character) };
  const superscript = matchSuperscript(text, index);
  if (superscript) return superscript;
  if (character === '^' && matchAt(power, text, index) && /[\p{L}\d)]/u.test(before)) return say('to the power of');
  const digits =
    /\d\s?$/.test(text.slice(Math.max(0, index - 2), index)) && /^\s?[-−.]?\d/.test(text.slice(end, end + 3));
  if (character === '-' || character === '–' || character === '‐' || character === '‑' || character === '−') {
    return matchHyphen(context, end);
  }
  if (character === '*' && digits) return say('times');
  if ((character === '<' || character === '>') && previous === '' && /\s/.test(after)) return { end, words: '' };
  // Markdown: emphasis and headings.
  if ((character === '*' || character === '_' || character === '~') && isEdge(text, index)) {
    return character === '~' && /[$£€¥₹\d]/.test(after) ? say('about') : { end, words: '' };
  }
  if (character === '#') return matchNumberSign(context, end, say);
  // Indian amounts end in `/-`.
  if (character === '/' && /\d/.test(before) && /^-(?![\p{L}\d])/u.test(text.slice(end, end + 2))) {
    return { end: end + 1, words: '' };
  }
  if (character === '/') return matchSlash(context, end, say);
  if (character === '°') return say(previous === '1' ? 'degree' : 'degrees');
  return say(nameOfSymbol(character) ?? '');
}

/** Whether a `>` closes the brackets of `vector<int>`. */
function isGenericEnd(text: string, index: number): boolean {
  return /\w{2,}<[A-Za-z_][^<>]{0,60}(?:<[^<>]{0,60}>?[^<>]{0,20})?$/.test(text.slice(Math.max(0, index - 140), index));
}

function signName(character: string): string {
  if (character === '+') return 'plus';
  return character === '±' ? 'plus or minus' : 'minus';
}

/** Words that take an exponent: units and functions. */
const raised =
  /(?:^|[^\p{L}])(?:\p{L}{1,2}|deg|rad|sec|min|chi|sigma|sin|cos|tan|sec|csc|cot|log|inch|feet|foot|met(?:er|re)s?|miles?)$/u;
/** `error² + bias²`, `5 acre²` */
const calculation = /[=+×·÷√π−*/]|\d\s\p{L}+[²³]/u;
const superscriptRun = /([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20})/y;

function matchSuperscript(text: string, index: number): Match | undefined {
  const [run, sign, power] = matchAt(superscriptRun, text, index) ?? [];
  if (run === undefined) return undefined;
  const digits = Array.from(power!, (each) => superscripts[each]).join('');
  // A footnote.
  const before = text.slice(Math.max(0, index - 12), index);
  const isAfterWord = /\p{L}$/u.test(before) && !raised.test(before) && !calculation.test(text);
  if (sign === '' && (/[.,;:!?…"”’]$/.test(before) || isAfterWord)) return { end: index + run.length, words: '' };
  if (sign === '⁻') return { end: index + run.length, words: `to the power of minus ${cardinal(digits)}` };
  const words = digits === '2' ? 'squared' : digits === '3' ? 'cubed' : `to the power of ${cardinal(digits)}`;
  return { end: index + run.length, words };
}

const clockBefore = /\d(?::\d\d)?(?:\s?[ap]\.?m\.?)\s?$|\d:\d\d\s?$/i;
const clockAfter = /^\s?\d{1,2}(?::\d\d|(?::\d\d)?\s?[ap]\.?m)(?!\d)/i;

const month = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec';
const dateBefore = new RegExp(
  String.raw`(?:(?:${month})[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?|\b\d{1,2}(?:st|nd|rd|th)? (?:${month})[a-z]*\.?|\d\s?[ap]\.?m\.?|\b(?:noon|midnight|BC|BCE|AD))$`,
  'i',
);
const dateAfter = new RegExp(
  String.raw`(?:(?:${month})[a-z]*\.? \d|\d{1,2}(?:st|nd|rd|th)? (?:${month})|noon\b|midnight\b|AD \d|\d{1,2}(?::\d\d)?\s?[ap]\.?m|\d{1,4} (?:BC|AD))`,
  'iy',
);
const measureBefore = /\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)$/u;
const measureAfter = /[~$€£]?\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)(?![\p{L}\d])/uy;

/** `2(b)(1)-(3)`, and a class of characters: `[a-z0-9]` */
const listedBefore = /(?<![=+*^].{0,39})\(\w{1,3}\)$|\[\^?(?:\w-\w){0,4}\w$/;
const listedAfter = /\(\w{1,3}\)(?![(=+*^!])|\w(?:\w-\w){0,4}\]/y;

/** Whether an unspaced dash joins two dates, times, eras, or numbers with the same unit: `10am–noon`, `5km-10km`. */
export function joinsRange(text: string, index: number, end: number): boolean {
  const view = text.slice(Math.max(0, index - 40), index);
  if (/\s$/.test(view)) return false;
  if (dateBefore.test(view) && matchAt(dateAfter, text, end)) return true;
  if (listedBefore.test(view) && matchAt(listedAfter, text, end)) return true;
  const [, unit] = measureBefore.exec(view) ?? [];
  return unit !== undefined && matchAt(measureAfter, text, end)?.[1] === unit;
}

/** A run of variables, numbers and signs of arithmetic. */
const arithmetic = /^[\p{L}\d()[\]{}+*^=.,!²³⁴−-]{3,60}$/u;

/** Whether an unspaced hyphen is a minus between variables, numbers or brackets: `2x-1`, `f(x)=x-1`, `(a+b)(a-b)`. */
export function isMinus(text: string, index: number, end: number): boolean {
  const from = /\S*$/.exec(text.slice(Math.max(0, index - 40), index))![0];
  const to = /^\S*/.exec(text.slice(end, end + 40))![0].replace(/[.,;:?]+$/, '');
  const run = `${from}-${to}`;
  if (!/[a-z\d)\]²³]$/.test(from) || !/^[a-z\d([]/.test(to) || !arithmetic.test(run)) return false;
  if (/\p{L}{2}/u.test(run.replace(/sin|cos|tan|log|ln/g, '')) || !/[a-z]/.test(run)) return false;
  return /[=+*^²³]|[)\]][(!]|\p{L}\(|(?<!\d)\d*[xyz]-\d|\d[xyzn]-/u.test(run);
}

/** A hyphen or dash that is no pause: `to` between numbers and days, silent between words. */
function matchHyphen({ text, index, previous }: Context, end: number): Match {
  if (joinsRange(text, index, end)) return { end, words: 'to' };
  if (isMinus(text, index, end)) return { end, words: 'minus' };
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const spaced = /\s/.test(before) && /\s/.test(after);
  const numeric = /^[\d$£€¥]/.test(previous) || /^\d/.test(previous);
  const numberAfter = /^\s{0,2}[$£€¥]?\.?\d/.test(text.slice(end, end + 5));
  if (clockBefore.test(text.slice(Math.max(0, index - 12), index)) && clockAfter.test(text.slice(end, end + 12))) {
    return { end, words: 'to' };
  }
  if (spaced && numeric && numberAfter && /\d\s*$/.test(text.slice(Math.max(0, index - 3), index))) {
    return { end, words: text[index] === '–' && !text.includes('=') ? 'to' : 'minus' };
  }
  const mathematical = text.includes('=') && (spaced || (/[\d)]/.test(before) && /[\d(]/.test(after)));
  if (mathematical || text[index] === '−') return { end, words: 'minus' };
  // `Llama-3.1-8B`, `CVE-2022-39253`
  const isName = /(?:^|[\s("“])\p{Lu}[\p{L}\d]*-\d[\d.]*$/u.test(text.slice(Math.max(0, index - 40), index));
  if (!spaced && numeric && numberAfter && isName) return { end, words: '' };
  if (!spaced && numeric && numberAfter && /[\d%°\p{L}.¢€£]/u.test(before)) return { end, words: 'to' };
  const offset = /^(?:UTC|GMT)$/.test(previous) && numberAfter;
  if (offset) return { end, words: 'minus' };
  const dates = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*$/;
  const next = /^\p{L}+/u.exec(text.slice(end, end + 12))?.[0] ?? '';
  if (dates.test(previous) && dates.test(next)) return { end, words: 'to' };
  if (/^[A-Z]$/.test(previous) && /^[A-Z]$/.test(next))
    return { end, words: previous === 'A' && next === 'Z' ? 'to' : '' };
  return { end, words: '' };
}

/** Whether a mark is at the edge of a word, like marks of emphasis. */
function isEdge(text: string, index: number): boolean {
  const before = text[index - 1] ?? ' ';
  let end = index;
  while (text[end] === text[index]) end++;
  const after = text[end] ?? ' ';
  const wordBefore = /[\p{L}\d]/u.test(before);
  const wordAfter = /[\p{L}\d]/u.test(after);
  const alone = /\s/.test(before) && /\s/.test(after) && index > 0;
  return !(wordBefore && wordAfter) && !alone;
}

function matchNumberSign({ text, index, previous }: Context, end: number, say: (words: string) => Match): Match {
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const heading = previous === '' && /^#{0,5}\s/.test(text.slice(end, end + 6));
  if (heading) return { end, words: '' };
  if (/^[A-GF]$/.test(previous) && before === previous) return say('sharp');
  if (/\d/.test(after)) return say('number');
  return say(/\p{L}/u.test(after) && !/[\p{L}\d]/u.test(before) ? 'hashtag' : 'hash');
}

const perUnit = /(hr?|mo|yr|wk|kg|lb|oz|gal|sq ?ft|mi|km|min|GB)(?![\p{L}\d])(?:\.(?=\s\p{Ll}))?/uy;
const perNames: Record<string, string> = {
  h: 'hour',
  hr: 'hour',
  mo: 'month',
  yr: 'year',
  wk: 'week',
  kg: 'kilogram',
  lb: 'pound',
  oz: 'ounce',
  gal: 'gallon',
  'sq ft': 'square foot',
  sqft: 'square foot',
  mi: 'mile',
  km: 'kilometer',
  min: 'minute',
  GB: 'gigabyte',
};

function matchSlash(
  { text, index, previous }: Context,
  end: number,
  say: (words: string, to?: number) => Match,
): Match {
  const before = text[index - 1] ?? '';
  if (!/[\p{L}\d¢]/u.test(before)) return say('slash');
  // `FY2020/21`
  const [, from = '', to = ''] = /(\d{4})\/(\d{2})(?!\d)/.exec(text.slice(Math.max(0, index - 4), end + 3)) ?? [];
  if (from !== '' && String(Number(from) + 1).endsWith(to)) return say('to');
  // `9.8/10`
  if (/^\d+\.\d+$/.test(previous) && /\d/.test(text[end] ?? '')) return say('out of');
  const next = matchAt(wordAfter, text, end)?.[0] ?? '';
  // `$10/user/month`
  const isPrice = /[$£€¥][\d.,]{1,20}\/\p{L}{1,20}$/u.test(text.slice(Math.max(0, index - 50), index));
  if ((/^[$£€¥]/.test(previous) || before === '¢' || isPrice) && next) {
    const [all = '', unit = ''] = matchAt(perUnit, text, end) ?? [];
    return say(`per ${perNames[unit] ?? ''}`.trim(), end + all.length);
  }
  return say(slashPairs[`${previous}/${next}`.toLowerCase()] ?? 'slash');
}
