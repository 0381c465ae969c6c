import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

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

/** `a && b`; silent in `==marked==` and `||v||`. */
export function matchOperatorSign({ text, index, before, say }: SymbolContext): Match | undefined {
  // Of Lua: `if x ~= nil then`
  if (text.startsWith('~=', index))
    return say(/\bthen\b/.test(text) ? 'does not equal' : 'approximately equals', index + 2);
  const [written, words] = operators.find(([written]) => text.startsWith(written, index)) ?? [];
  if (written === undefined || words === undefined) return undefined;
  const end = index + written.length;
  const after = text[end] ?? '';
  if (written.includes(before || ' ') || written.includes(after || ' ')) return undefined;
  const [isFreeBefore, isFreeAfter] = [before, after].map((beside) => /^[^\p{L}\d)\]]?$/u.test(beside));
  return say(/^[=|]/.test(written) && isFreeBefore !== isFreeAfter ? '' : words, end);
}

/** The types between angle brackets. */
const generic = /<([A-Za-z_&*][^<>\n]{0,60}(?:<[^<>\n]{0,60}>[^<>\n]{0,20})?)>/y;
const genericBefore = /\w{2,}<[A-Za-z_][^<>]{0,60}(?:<[^<>]{0,60}>?[^<>]{0,20})?$/;

/** The angle brackets of `vector<int>`. */
export function matchTypeBracket(symbol: SymbolContext): Match | undefined {
  const { text, index, character, before, previous, end } = symbol;
  if (character === '<' && /\w/.test(before) && previous.length > 1 && matchAt(generic, text, index))
    return { end, words: 'of' };
  const isEnd = character === '>' && genericBefore.test(textBefore(symbol, 140));
  return isEnd ? { end, words: '' } : undefined;
}

/** `*.ts`, without the star. */
const extensionNext = /\.[a-z]\w{0,9}(?![\w*])/y;
/** `*67`, without the star. */
const codeNext = /\d{2,3}(?:[#*]|(?![\p{L}\d*]))/uy;
/** What is pressed, typed or named is not a bullet: `press *` */
export const keyNames = wordSet('press dial hit type enter use using the a an with symbol key character sign called');

/** `SELECT * FROM`, `COUNT(*)`, `*.js`, `dial *67` */
export function matchStar({ text, character, before, after, previous, end, say }: SymbolContext): Match | undefined {
  if (character !== '*') return undefined;
  const isStar =
    (/^select$/i.test(previous) && /^$|[\s,;)]/.test(after)) ||
    (before === '(' && after === ')') ||
    (/['"`]/.test(before) && after === before) ||
    (keyNames.has(previous.toLowerCase()) && matchAt(codeNext, text, end)) ||
    (/^$|[\s/`"“'‘(]/.test(before) && matchAt(extensionNext, text, end));
  return isStar ? say('star') : undefined;
}

/** An underscore within a name, silent like a hyphen: `x_1`, `CO_2`, `snake_case` */
export function matchUnderscore({ character, before, after, end }: SymbolContext): Match | undefined {
  return character === '_' && /[\p{L}\p{N}_]/u.test(before) && /[\p{L}\p{N}_]/u.test(after)
    ? { end, words: '' }
    : undefined;
}

/** `!ready`, `5!` */
export function matchExclamation({ text, index, character, say }: SymbolContext): Match | undefined {
  return character === '!' ? say(isNegation(text, index) ? 'not' : 'factorial') : undefined;
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
/** `n!`, `(n-1)!` */
const countBefore = /(?<![\p{L}\d'’&]|\d\s)n$|\([a-z]\s?[-−+]\s?[a-z\d]{1,3}\)$/u;

/** Whether an exclamation mark makes a factorial: `5! = 120`, `x!/2`, `n!` */
export function isFactorial(text: string, index: number): boolean {
  if (text[index] !== '!') return false;
  const before = textBefore({ text, index }, 12);
  if (countBefore.test(before)) return true;
  const isAfterNumber = /(?:\d|(?<![\p{L}'’])[a-z])$/u.test(before);
  return isAfterNumber && matchAt(factorialNext, text, index + 1) !== undefined;
}
