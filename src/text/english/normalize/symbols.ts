import { matchAt, wordSet } from '../../patterns.ts';
import { matchHyphen } from './dashes.ts';
import { currencySign } from './money.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { matchSlash } from './slashes.ts';
import { matchPower, matchSuperscript, matchUnknownExponent } from './superscripts.ts';
import { nameOfSymbol } from './symbol-names.ts';

const ruler = /([=#*_~$+&@%^|<>/\\`°•·-])\1{2,}/y;
/** Of a table: `+---+---+`, `|---|:--:|` */
const border = /[+|](?:[-=:]{2,200}[+|]){1,60}(?!\S)/y;
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
  ['-=', 'minus equals'],
  ['*=', 'times equals'],
  ['/=', 'divided by equals'],
  ['§§', 'sections'],
  ['¶¶', 'paragraphs'],
];
/** The types between angle brackets: `vector<int>`. */
const generic = /<([A-Za-z_&*][^<>\n]{0,60}(?:<[^<>\n]{0,60}>[^<>\n]{0,20})?)>/y;
const arrow = /(?:-{1,3}|={1,3})>|(?<=\s)<-{1,2}(?=\s)/y;
const stars = /([★⭐]{2,10})☆{0,5}/uy;
const sign = new RegExp(String.raw`[-−+±](?=(?:(?:${currencySign})\s?)?\.?\d)`, 'y');
/** The second year or time of a range, with a space on one side only: `1525 -1594`, `1:30 -2:30` */
const yearBefore = /(?<!\d)(\d{4})\s$/;
const timeBefore = /\d:\d\d(?:\s?[ap]\.?m\.?)?\s$/i;
const onlySpace = /\s*$/y;
const sideNext =
  /\s?\d[\d.]{0,6}(?:\s?×\s?\d[\d.]{0,6})?\s?(?:mm|cm|m|in|inch(?:es)?|ft|feet|px|pixels|meters?|metres?|matri(?:x|ces)|grid|table|board|array)(?!\p{L})/uy;
const spacedAmount = /\s?[$£€¥₹]?\d/y;
const timeNext = /[-−]\d{1,2}:\d\d/y;
/** `*.ts`, without the star. */
const extensionNext = /\.[a-z]\w{0,9}(?![\w*])/y;
/** `*67`, without the star. */
const codeNext = /\d{2,3}(?:[#*]|(?![\p{L}\d*]))/uy;
/** What is pressed, typed or named is not a bullet: `press *` */
export const keyNames = wordSet('press dial hit type enter use using the a an with symbol key character sign called');
/** A symbol: any character except letters, digits and punctuation. */
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
    // `==marked==`, `||v||`
    const words = /^[=|]/.test(operator[0]) && isSpaced[0] !== isSpaced[1] ? '' : operator[1];
    return say(words, index + operator[0].length);
  }
  const bracket = angleBracket(text, index);
  if (bracket) return { end: index + bracket, words: '' };
  if (character === '<' && /\w/.test(before) && previous.length > 1 && matchAt(generic, text, index))
    return { end, words: 'of' };
  if (character === '>' && isGenericEnd(text, index)) return { end, words: '' };
  const rulerFound = matchAt(ruler, text, index) ?? matchAt(border, text, index);
  if (rulerFound) return { end: index + rulerFound[0].length, words: '' };
  if (
    text.startsWith('<3', index) &&
    /^$|\s/.test(before) &&
    /^$|\s/.test(text[index + 2] ?? '') &&
    (!/^(?!I$)\p{L}$|\d/u.test(previous) || /<3\s$/.test(text.slice(Math.max(0, index - 3), index)))
  ) {
    return say('heart', index + 2);
  }
  // `★★★★☆`
  const rating = matchAt(stars, text, index);
  if (rating) return say(`${cardinal(String(rating[1]!.length))} stars`, index + rating[0].length);
  if (character === '★' && /\d$/.test(before)) return say(previous === '1' ? 'star' : 'stars');
  const arrowFound = matchAt(arrow, text, index);
  if (arrowFound) return say('arrow', index + arrowFound[0].length);

  if (joinsLoosely(text, index)) return { end, words: 'to' };
  if (matchAt(sign, text, index) && !/[\p{L}\p{N})\]%°¢€£¥$"'’.″′]/u.test(before))
    return { end, words: signName(character) };
  // `▲ 1.2%`
  if (/[▲▼]/.test(character) && matchAt(spacedAmount, text, end)) return say(character === '▲' ? 'up' : 'down');
  // `Windows® 11`
  if (/[®™]/.test(character) && /[\p{L}\d]/u.test(before)) return { end, words: '' };
  const superscript = matchUnknownExponent(context) ?? matchSuperscript(text, index);
  if (superscript) return superscript;
  const isSpacedPower = before === ' ' && text.startsWith('** ', index);
  // Not of `bold** text`, whose mark is alone.
  const isLoose = text.startsWith('** ', index) && !isSpacedPower;
  if (!isLoose && /[\p{L}\d)]/u.test(isSpacedPower ? (text[index - 2] ?? '') : before)) {
    const raised = matchPower(text, index);
    if (raised) return say(raised.words, raised.end);
  }
  const digits =
    /\d\s?$/.test(text.slice(Math.max(0, index - 2), index)) && /^\s?[-−.]?\d/.test(text.slice(end, end + 3));
  if (character === '-' || character === '–' || character === '−') return matchHyphen(context, end);
  if (character === '!') return say(isNegation(text, index) ? 'not' : 'factorial');
  if (character === '×' && (isSide(text, index, end) || isSquare(text, index, end))) return say('by');
  // `7.62×39mm`, `4 × 6 inches`
  if (character === '×' && digits && matchAt(sideNext, text, end) && !text.includes('=')) return say('by');
  if (character === '·' || (character === '*' && (digits || isProduct(text, index)))) return say('times');
  if ((character === '<' || character === '>') && previous === '' && /^>?\s/.test(text.slice(end, end + 2)))
    return { end, words: '' };
  // `HEAD~3`
  if (character === '~' && !/\p{L}/u.test(before) && matchAt(spacedAmount, text, end)) {
    return say(/\d\s?$/.test(text.slice(Math.max(0, index - 2), index)) ? 'to' : 'about');
  }
  // `SELECT * FROM`, `COUNT(*)`, `*.js`, `dial *67`
  if (
    character === '*' &&
    ((/^select$/i.test(previous) && /^$|[\s,;)]/.test(after)) ||
      (before === '(' && after === ')') ||
      (/['"`]/.test(before) && after === before) ||
      (keyNames.has(previous.toLowerCase()) && matchAt(codeNext, text, end)) ||
      (/^$|[\s/`"“'‘(]/.test(before) && matchAt(extensionNext, text, end)))
  )
    return say('star');
  // Markdown: emphasis and headings.
  if ((character === '*' || character === '_' || character === '~') && isEdge(text, index)) {
    if (character === '~' && after === '/') return say('tilde');
    return { end, words: '' };
  }
  // A bullet, a scene break, the border of a table.
  const isAlone = /^$|\s/.test(before) && /^$|\s/.test(after);
  const isMark = /[*_]/.test(character) || (character === '|' && (previous === '' || matchAt(onlySpace, text, end)));
  if (isMark && isAlone && !keyNames.has(previous.toLowerCase())) return { end, words: '' };
  // `x_1`, `a_i`, `CO_2`
  if (
    character === '_' &&
    /(?<!\w)(?:[A-Za-z]_(?:\d|[ijkn](?!\w))|[α-ωΑ-Ω]_\w(?!\w)|(?:CO|SO|NO|PO|NH|CH)_\d)/.test(
      text.slice(Math.max(0, index - 3), index + 3),
    )
  )
    return { end, words: '' };
  if (character === '#') return matchNumberSign(context, end, say);
  // Indian amounts end in `/-`.
  if (character === '/' && /\d/.test(before) && /^-(?![\p{L}\d])/u.test(text.slice(end, end + 2))) {
    return { end: end + 1, words: '' };
  }
  if (character === '/') return matchSlash(context, end, say);
  if (
    character === '≈' &&
    /^$|[\s(]/.test(before) &&
    !/(?:(?<![\p{L}\d])\p{L}|[\d)²³])\s$/u.test(text.slice(Math.max(0, index - 24), index))
  )
    return say(/\d/.test(after) ? 'about' : 'approximately');
  if (character === '°') {
    // Not of a face such as `(°□°)`.
    const isUnit = /[\d\s½¼¾]|^$/.test(before) || /^[CFKR](?!\p{L})/u.test(text.slice(end, end + 2));
    return isUnit ? say(previous === '1' ? 'degree' : 'degrees') : { end, words: '' };
  }
  return say(nameOfSymbol(character) ?? '');
}

/** Whether a minus sign with a space before it joins two years or times. */
function joinsLoosely(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 12), index);
  const [, from = ''] = yearBefore.exec(before) ?? [];
  const to = /^[-−](\d{4})(?!\d)/.exec(text.slice(index, index + 6))?.[1] ?? '';
  const isSpan = /^(?:1\d|20)/.test(from) && /^(?:1\d|20)/.test(to) && from < to;
  return isSpan || (timeBefore.test(before) && matchAt(timeNext, text, index) !== undefined);
}

/** What stands between angle brackets that are not a comparison: a name, a remark, an address. */
const ENCLOSED = String.raw`(?:<<[\p{L}\d"“]|<(?:\p{Lu}|mailto:|https?:|[\w.+-]+@))[^<>]{0,200}`;
const enclosed = new RegExp(`${ENCLOSED}(?=>)`, 'uy');
const enclosedBefore = new RegExp(`(?:^|[\\s("“])${ENCLOSED}$`, 'u');

/** The length of angle brackets around text, as `<see below>` or, for quotation marks, `<<File>>`; 0 for others. */
function angleBracket(text: string, index: number): number {
  if (text[index] !== '<' && text[index] !== '>') return 0;
  const length = text[index + 1] === text[index] ? 2 : 1;
  const isOpening = /^$|[\s("“]/.test(text[index - 1] ?? '') && matchAt(enclosed, text, index) !== undefined;
  const isClosing = text[index] === '>' && enclosedBefore.test(text.slice(Math.max(0, index - 212), index));
  return isOpening || isClosing ? length : 0;
}

const factorBefore = /(?:[\d)\]]|(?<![\p{L}\d'’])\p{L})\s?$/u;
const factorAfter = /\s?(?:[\d(]|\p{L}(?!\p{L})|[A-Za-z_]\w{0,20}[[(])/uy;

/** Whether an asterisk multiplies: `b[i] * c[j]`, `2*x`; `s*x` hides a letter. */
function isProduct(text: string, index: number): boolean {
  const before = text[index - 1] ?? '';
  const after = text[index + 1] ?? '';
  if (/\s/.test(before) !== /\s/.test(after) || !(/\s|[\d)\]]/.test(before) || /\d|\(/.test(after))) return false;
  return (
    factorBefore.test(text.slice(Math.max(0, index - 4), index)) && matchAt(factorAfter, text, index + 1) !== undefined
  );
}

/** Whether an exclamation mark negates what follows: `a || !b`, not `!important` of CSS. */
export function isNegation(text: string, index: number): boolean {
  return (
    text[index] === '!' &&
    /[\s(|&]|^$/.test(text[index - 1] ?? '') &&
    /^!(?!important\b)[A-Za-z_(]/.test(text.slice(index, index + 12))
  );
}

const factorialNext = /\s?[=×÷*/]\s?[\d(\p{L}]/uy;

/** Whether an exclamation mark makes a factorial: `5! = 120`, `n!/2` */
export function isFactorial(text: string, index: number): boolean {
  const isAfterNumber = /(?:\d|(?<![\p{L}'’])[a-z])$/u.test(text.slice(Math.max(0, index - 2), index));
  return text[index] === '!' && isAfterNumber && matchAt(factorialNext, text, index + 1) !== undefined;
}

/** Whether a sign stands between the sides of a square without units: `3×3`, but not in an equation. */
function isSquare(text: string, index: number, end: number): boolean {
  const around = text.slice(Math.max(0, index - 3), end + 3);
  return /(?<![\d.])(\d{1,2})×\1(?![\d.])/.test(around) && !text.includes('=');
}

/** Whether a sign stands between two lengths with marks: `9" × 13"`. */
function isSide(text: string, index: number, end: number): boolean {
  const before = text.slice(Math.max(0, index - 3), index);
  return /\d["″”'’′]\s?$/.test(before) && /^\s?\d/.test(text.slice(end, end + 2));
}

/** Whether a `>` closes the brackets of `vector<int>`. */
function isGenericEnd(text: string, index: number): boolean {
  return /\w{2,}<[A-Za-z_][^<>]{0,60}(?:<[^<>]{0,60}>?[^<>]{0,20})?$/.test(text.slice(Math.max(0, index - 140), index));
}

function signName(character: string): string {
  if (character === '+') return 'plus';
  return character === '±' ? 'plus or minus' : 'minus';
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

const coded = /\p{Lu}{1,6}-\d/uy;
/** `order #A1B2`, unlike the topic `#COVID19` */
const mixedCode = /(?=\p{Lu}*\d)[\p{Lu}\d]+(?!\p{L})/uy;
const numberedThings = wordSet(
  'order ticket case invoice tracking confirmation reference ref item part serial claim account customer policy booking bug lot',
);

function matchNumberSign(
  { text, index, previous }: Context,
  end: number,
  say: (words: string, to?: number) => Match,
): Match {
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const heading = previous === '' && /^#{0,5}\s/.test(text.slice(end, end + 6));
  if (heading) return { end, words: '' };
  if (/^[A-GF]$/.test(previous) && before === previous) return say('sharp');
  // `the P&L #'s`, `Q2 #s`, `item # 12`, `Deal #?`
  const many = /^['’]?s(?!\p{L})/u.exec(text.slice(end, end + 3))?.[0];
  if (many) return say('numbers', end + many.length);
  // `#INV-2024-0093`
  const isCode = numberedThings.has(previous.toLowerCase()) && matchAt(mixedCode, text, end);
  if (isCode || matchAt(coded, text, end)) return say('number');
  const isLabel =
    /\p{L}/u.test(previous) &&
    !keyNames.has(previous.toLowerCase()) &&
    /^(?:\s\d|\s?[:?])/.test(text.slice(end, end + 2));
  if (isLabel && /[\s\p{L}]/u.test(before)) return say('number');
  if (/\d/.test(after) || /^ of\b/.test(text.slice(end, end + 4))) return say('number');
  return say(/\p{L}/u.test(after) && !/[\p{L}\d]/u.test(before) ? 'hashtag' : 'hash');
}
