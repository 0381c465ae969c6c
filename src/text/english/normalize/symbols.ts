import { matchAt } from '../../control-tokens.ts';
import { cardinal } from './numbers.ts';
import type { Place, Reading } from './reading.ts';

const names: Record<string, string> = {
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '%': 'percent',
  '‰': 'per mille',
  '#': 'hash',
  '@': 'at',
  '*': 'asterisk',
  '/': 'slash',
  '⁄': 'slash',
  '\\': 'backslash',
  '^': 'caret',
  '~': 'tilde',
  '<': 'less than',
  '>': 'greater than',
  '|': 'vertical bar',
  _: 'underscore',
  '°': 'degrees',
  '§': 'section',
  '¶': 'paragraph',
  '©': 'copyright',
  '®': 'registered',
  '™': 'trademark',
  '№': 'number',
  '±': 'plus or minus',
  '×': 'times',
  '÷': 'divided by',
  '−': 'minus',
  '≈': 'approximately equals',
  '≠': 'does not equal',
  '≤': 'less than or equal to',
  '≥': 'greater than or equal to',
  '∞': 'infinity',
  '√': 'square root of',
  '∑': 'sum',
  '∆': 'delta',
  '→': 'arrow',
  '←': 'arrow',
  '↔': 'arrow',
  '⇒': 'arrow',
  '†': 'dagger',
  '✓': 'check',
  '✔': 'check',
  '✅': 'check',
  '★': 'star',
  '☆': 'star',
  '⭐': 'star',
  '❤': 'heart',
  '♥': 'heart',
  '♡': 'heart',
  '♯': 'sharp',
  '♭': 'flat',
  '¢': 'cent',
  $: 'dollar',
  '£': 'pound',
  '€': 'euro',
  '¥': 'yen',
  '₹': 'rupee',
  '₩': 'won',
  '₽': 'ruble',
  '₿': 'bitcoin',
  µ: 'micro',
};

/** The name of a symbol that is said; undefined for what is dropped. */
export function nameOfSymbol(symbol: string): string | undefined {
  return Object.hasOwn(names, symbol) ? names[symbol] : undefined;
}

/** Punctuation to the mark that shapes the sentence. Single quotation marks shape nothing and are not here. */
export const punctuation: Readonly<Record<string, string>> = {
  '.': '.',
  '…': '…',
  '!': '!',
  '?': '?',
  ',': ',',
  ';': ';',
  ':': ':',
  '—': '—',
  '―': '—',
  '⸺': '—',
  '"': '"',
  '“': '“',
  '”': '”',
  '„': '“',
  '«': '“',
  '»': '”',
  '(': '(',
  ')': ')',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '。': '.',
  '．': '.',
  '｡': '.',
  '।': '.',
  '॥': '.',
  '۔': '.',
  '։': '.',
  '።': '.',
  '！': '!',
  '？': '?',
  '؟': '?',
  '，': ',',
  '、': ',',
  '،': ',',
  '；': ';',
  '؛': ';',
  '：': ':',
  '「': '“',
  '」': '”',
  '『': '“',
  '』': '”',
  '《': '“',
  '》': '”',
  '（': '(',
  '）': ')',
  '【': '(',
  '】': ')',
  '¡': '',
  '¿': '',
  '•': '',
  '·': '',
};

const entity = /&(amp|lt|gt|quot|nbsp|apos|#39|#160);/y;
const entities: Record<string, string> = { amp: 'and', lt: 'less than', gt: 'greater than' };
const ruler = /([=#*_~$+&@%^|<>/\\`°•·-])\1{2,}/y;
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
/** What `/` says between these words; nothing else than `slash` elsewhere. */
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
export function readSlashWord({ text, at }: Place): Reading | undefined {
  const found = matchAt(slashWords, text, at);
  if (!found) return undefined;
  return { end: at + found[0].length, words: slashMeanings[found.slice(1).findIndex((group) => group !== undefined)]! };
}

/** Whatever is neither a letter, a digit nor punctuation, one symbol at a time. Never undefined for such a place. */
export function readSymbol(place: Place): Reading {
  const { text, at, previous, options } = place;
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const end = at + character.length;
  const before = text[at - 1] ?? '';
  const after = text[end] ?? '';
  const say = (words: string, to = end) => ({ end: to, words: options.replace_remaining_symbols ? words : '' });

  const entityFound = matchAt(entity, text, at);
  if (entityFound) return say(entities[entityFound[1]!] ?? '', at + entityFound[0].length);
  const rulerFound = matchAt(ruler, text, at);
  if (rulerFound) return { end: at + rulerFound[0].length, words: '' };
  if (
    text.startsWith('<3', at) &&
    /^$|\s/.test(before) &&
    /^$|\s/.test(text[at + 2] ?? '') &&
    !/^(?!I$)\p{L}$|\d/u.test(previous)
  ) {
    return say('heart', at + 2);
  }
  if (text.startsWith('!=', at)) return say('does not equal', at + 2);
  const arrowFound = matchAt(arrow, text, at);
  if (arrowFound) return say('arrow', at + arrowFound[0].length);

  if (matchAt(sign, text, at) && !/[\p{L}\d)\]%°"'’.]/u.test(before)) return { end, words: signName(character) };
  if (character in superscripts) return readSuperscript(text, at);
  if (character === '^' && matchAt(power, text, at) && /[\p{L}\d)]/u.test(before)) return say('to the power of');
  const digits = /\d\s?$/.test(text.slice(Math.max(0, at - 2), at)) && /^\s?[-−.]?\d/.test(text.slice(end, end + 3));
  if (character === '-' || character === '–' || character === '‐' || character === '‑' || character === '−') {
    return readHyphen(place, end);
  }
  if (character === '*' && digits) return say('times');
  if ((character === '<' || character === '>') && previous === '' && /\s/.test(after)) return { end, words: '' };
  // Marks of emphasis and headings in Markdown.
  if ((character === '*' || character === '_' || character === '~') && isEdge(text, at)) {
    return character === '~' && /\d/.test(after) ? say('about') : { end, words: '' };
  }
  if (character === '~' && /[$£€\d]/.test(after) && !/[\p{L}\d]/u.test(before)) return say('about');
  if (character === '#') return readNumberSign(place, end, say);
  if (character === '/') return readSlash(place, end, say);
  if (character === '°') return say(previous === '1' ? 'degree' : 'degrees');
  return say(nameOfSymbol(character) ?? '');
}

function signName(character: string): string {
  if (character === '+') return 'plus';
  return character === '±' ? 'plus or minus' : 'minus';
}

const superscriptRun = /[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20}/y;

function readSuperscript(text: string, at: number): Reading {
  const run = matchAt(superscriptRun, text, at)![0];
  const digits = Array.from(run, (each) => superscripts[each]).join('');
  const words = digits === '2' ? 'squared' : digits === '3' ? 'cubed' : `to the power of ${cardinal(digits)}`;
  return { end: at + run.length, words };
}

/** A hyphen or dash that is no pause: `to` between numbers and days, nothing between words. */
function readHyphen({ text, at, previous }: Place, end: number): Reading {
  const before = text[at - 1] ?? '';
  const after = text[end] ?? '';
  const spaced = /\s/.test(before) && /\s/.test(after);
  const numeric = /^[\d$£€¥]/.test(previous) || /^\d/.test(previous);
  const numberAfter = /^\s{0,2}[$£€¥]?\.?\d/.test(text.slice(end, end + 5));
  if (spaced && numeric && numberAfter && /\d\s*$/.test(text.slice(Math.max(0, at - 3), at))) {
    return { end, words: text[at] === '–' && !text.includes('=') ? 'to' : 'minus' };
  }
  const mathematical = text.includes('=') && (spaced || (/[\d)]/.test(before) && /[\d(]/.test(after)));
  if (mathematical || text[at] === '−') return { end, words: 'minus' };
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

/** Whether a mark stands at the edge of a word, or alone, as marks of emphasis do. */
function isEdge(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  let end = at;
  while (text[end] === text[at]) end++;
  const after = text[end] ?? ' ';
  const wordBefore = /[\p{L}\d]/u.test(before);
  const wordAfter = /[\p{L}\d]/u.test(after);
  const alone = /\s/.test(before) && /\s/.test(after) && at > 0;
  return !(wordBefore && wordAfter) && !alone;
}

function readNumberSign({ text, at, previous }: Place, end: number, say: (words: string) => Reading): Reading {
  const before = text[at - 1] ?? '';
  const after = text[end] ?? '';
  const heading = previous === '' && /^#{0,5}\s/.test(text.slice(end, end + 6));
  if (heading) return { end, words: '' };
  if (/^[A-GF]$/.test(previous) && before === previous) return say('sharp');
  if (/\d/.test(after)) return say('number');
  return say(/\p{L}/u.test(after) && !/[\p{L}\d]/u.test(before) ? 'hashtag' : 'hash');
}

const perUnit = /(?:hr?|mo|yr|wk|kg|lb|oz|gal|sq ?ft|mi|km|min|GB)(?![\p{L}\d])/uy;
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

function readSlash({ text, at, previous }: Place, end: number, say: (words: string, to?: number) => Reading): Reading {
  const before = text[at - 1] ?? '';
  if (!/[\p{L}\d¢]/u.test(before)) return say('slash');
  // `9.8/10`
  if (/^\d+\.\d+$/.test(previous) && /\d/.test(text[end] ?? '')) return say('out of');
  const next = matchAt(wordAfter, text, end)?.[0] ?? '';
  if ((/^[$£€¥]/.test(previous) || before === '¢') && next) {
    const unit = matchAt(perUnit, text, end)?.[0] ?? '';
    return say(`per ${perNames[unit] ?? ''}`.trim(), end + unit.length);
  }
  return say(slashPairs[`${previous}/${next}`.toLowerCase()] ?? 'slash');
}
