import { clauseAround, isInEquation } from '../../equations.ts';
import { matchAt } from '../../patterns.ts';
import { isFactorial, isNegation, keyNames } from './code-symbols.ts';
import { joinsRange, subtracts } from './dashes.ts';
import { matchPhoneNumber } from './phones.ts';
import type { Context, Match } from './rule.ts';
import { punctuation } from './symbol-names.ts';

/** The ending of a possessive. */
export const possessive = /['’]s(?![\p{L}\d])/uy;
const derivative = /(['’′]{1,2})(?=\(|\s?=\s?[\dA-Za-z(])/y;
const dots = /(?:[.…]\s?){1,20}/y;
const hyphens = /-{2,}|–|‒/y;
const doubleSlash = /\/\/(?=\s|$)/y;
const optionalPlural = /\((e?s)\)(?!\p{L})/uy;

/** Punctuation, with its spoken form. */
export function matchPunctuation(context: Context): Match | undefined {
  const { text, index, options } = context;
  const character = text[index]!;
  if (character === '(') {
    const plural = options.optional_pluralization_normalization && /\p{L}/u.test(text[index - 1] ?? '');
    const match = plural ? matchAt(optionalPlural, text, index) : undefined;
    if (match) return { end: index + match[0].length, words: match[1]! };
    if (options.phone_normalization && matchPhoneNumber(context)) return undefined;
  }
  if (character === '.' && /\d/.test(text[index + 1] ?? '') && !/[\p{L}\d]/u.test(text[index - 1] ?? ''))
    return undefined;
  // `[Your Company]'s plan`
  if (/[\])]/.test(character) && matchAt(possessive, text, index + 1)) return { end: index + 1, words: '' };
  if (matchAt(possessive, text, index) && /[\p{L}\d.™®\])]/u.test(text[index - 1] ?? ''))
    return { end: index + 2, words: "'s" };
  // `f'(x)`, `f''(x)`, `y' = 2x`
  const primes = /(?:^|[^\p{L}'’‘])[a-z]$/iu.test(text.slice(Math.max(0, index - 2), index))
    ? matchAt(derivative, text, index)?.[1]
    : undefined;
  if (primes) return { end: index + primes.length, words: primes.length > 1 ? ' double prime' : ' prime' };
  if (/['’‘‚‛`´‹›]/.test(character)) return { end: index + 1, words: '' };
  if (character === '.' || character === '…') {
    const run = matchAt(dots, text, index)![0].trimEnd();
    if (run === '.' && isAbbreviating(text, index)) return { end: index + 1, words: '' };
    // `1..n`
    if (run === '..' && /\d/.test(text[index - 1] ?? '') && /[\da-zA-Z]/.test(text[index + 2] ?? '')) {
      return { end: index + 2, words: ' to' };
    }
    return { end: index + run.length, words: run === '.' ? '.' : '…' };
  }
  const dashes = matchAt(hyphens, text, index)?.[0];
  if (dashes && !(dashes.length === 1 && isJoining(context)) && text[index + dashes.length] !== '>') {
    return { end: index + dashes.length, words: dashes.length > 6 ? '' : '—' };
  }
  const isAlone = character === '-' && /\s/.test(text[index - 1] ?? '') && /\s/.test(text[index + 1] ?? '');
  if (isAlone && context.previous !== '' && !isJoining(context)) return { end: index + 1, words: '—' };
  // `Doors 7pm // Show 8pm`
  if (character === '/' && matchAt(doubleSlash, text, index) && /^$|\s/.test(text[index - 1] ?? '')) {
    return { end: index + 2, words: context.previous === '' ? '' : '—' };
  }
  if (isSeparator(context) || isMenu(context)) return { end: index + 1, words: '—' };
  if (
    !Object.hasOwn(punctuation, character) ||
    (character === '!' && (text[index + 1] === '=' || isFactorial(text, index) || isNegation(text, index))) ||
    text.startsWith('::', index)
  )
    return undefined;
  if (/[·•]/.test(character) && isBetweenWords(context)) return undefined;
  if (character === '·' && /^[\d)²³]·[\p{L}\d(]$/u.test(text.slice(index - 1, index + 2))) return undefined;
  return { end: index + 1, words: punctuation[character]! };
}

/** Whether a mark has a space on both sides, and something before it. */
function isBetweenWords({ text, index, previous }: Context): boolean {
  return previous !== '' && /^\s.\s/.test(text.slice(index - 1, index + 2));
}

const menuBefore =
  /(?:\b(?:Settings|File|Edit|View|Tools|Preferences|Options|System|Help|Insert|Format|Control Panel|[Mm]enu|[Gg]o to|[Cc]lick|[Ss]elect|[Oo]pen|[Cc]hoose|[Nn]avigate to|[Tt]ap)\b[^.;]{0,60}|\p{L}["”]? > \p{Lu}[^.;>]{1,40})$/u;
const menuNext = /> ["“]?\p{Lu}[^.;>]{1,40} > \p{Lu}/uy;
const itemBefore = /\p{Lu}[\p{L} ]{0,30}["”]? $/u;
const itemNext = /> ["“]?\p{Lu}\p{Ll}/uy;

/** Whether a sign is between the items of a menu: `Settings > General > About`. */
function isMenu({ text, index }: Context): boolean {
  const before = text.slice(Math.max(0, index - 80), index);
  if (text[index] !== '>' || !itemBefore.test(before) || !matchAt(itemNext, text, index)) return false;
  return menuBefore.test(before.trimEnd()) || matchAt(menuNext, text, index) !== undefined;
}

/** Whether a mark separates items: `Home | About`, `a • b`; not in equations, `P(A | B)` or `ls | sort`. */
function isSeparator(context: Context): boolean {
  const { text, index } = context;
  if (!/[·•|*]/.test(text[index]!) || !isBetweenWords(context) || isInEquation(...clauseAround(text, index)))
    return false;
  if (/[·•]/.test(text[index]!)) return true;
  // Not of sets, commands and products, or of typed text.
  const isWord =
    (/^(?!\d)..|^\p{Lu}/u.test(context.previous) || text[index - 2] === '%') &&
    !keyNames.has(context.previous.toLowerCase());
  const isName = /^\s\p{Lu}(?:\p{Ll}|: )/u.test(text.slice(index + 1, index + 5));
  return (
    (isWord || (isName && text[index] === '|')) &&
    /[\p{L}\d)%]\s$/u.test(text.slice(index - 2, index)) &&
    (isName || /^\s[\d©]/.test(text.slice(index + 1, index + 3)))
  );
}

/** The number or letter of a list item, or a single letter, whose full stop is a pause: `plan b. then` */
const itemOrLetter = /^\s*\(?(?:[A-Za-z]|[ivx]{1,4}|[IVX]{1,5})$|(?<!\p{L})\p{Ll}$/u;

/** Whether a full stop belongs to an abbreviation: it does before a comma and within a sentence, where it makes no pause. */
function isAbbreviating(text: string, index: number): boolean {
  if (!/\p{L}/u.test(text[index - 1] ?? '')) return false;
  // `q.4-6h` of doses
  if (
    /(?:^|[\s(,])q$/.test(text.slice(Math.max(0, index - 2), index)) &&
    /^\s?\d/.test(text.slice(index + 1, index + 3))
  )
    return true;
  // `George III.'s reign`
  if (matchAt(possessive, text, index + 1)) return true;
  // `J.-P. Sartre`
  if (/^(?:[,;:]|-\p{Lu}\.)/u.test(text.slice(index + 1, index + 4))) return true;
  const isWithin = /^\s+[^\s"'”’)\]}»*_]/.test(text.slice(index + 1, index + 12));
  return isWithin && !itemOrLetter.test(text.slice(Math.max(0, index - 12), index));
}

/** Whether a dash between numbers or in a calculation is spoken. */
function isJoining({ text, index, previous }: Context): boolean {
  if (joinsRange(text, index, index + 1)) return true;
  const after = /^(?:\s{0,2}[$£€¥]?|[-−](?=\d))\.?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(text.slice(index + 1, index + 6));
  const close = !/\s/.test(text[index - 1] ?? ' ') && !/\s/.test(text[index + 1] ?? ' ');
  if (/^[$£€¥]?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(previous) && after)
    return close || /[\d%½⅓⅔¼¾⅛⅜⅝⅞]\s$/.test(text.slice(Math.max(0, index - 2), index));
  return (
    subtracts(text, index) || (close && /^\p{L}+$/u.test(previous) && text[index] === '–' && /^[A-Z]/.test(previous))
  );
}
