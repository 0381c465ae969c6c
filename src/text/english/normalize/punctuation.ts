import { clauseAround, isInEquation } from '../../equations.ts';
import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { isFactorial, isNegation, keyNames } from './code-symbols.ts';
import { subtracts } from './minus.ts';
import { matchPhoneNumber } from './phones.ts';
import { joinsRange } from './ranges.ts';
import type { Context, Match } from './rule.ts';
import { punctuation } from './symbol-names.ts';

/** A mark with its spoken form; null if it is no punctuation here; undefined if the rule does not know it. */
type Reading = Match | null | undefined;

/** In this order: the first that knows the mark wins. */
const rules: readonly ((context: Context) => Reading)[] = [
  matchBracket,
  matchPoint,
  matchPossessive,
  matchPrime,
  matchQuote,
  matchStops,
  matchDash,
  matchLoneHyphen,
  matchDoubleSlash,
  matchSeparator,
  matchExclamation,
  matchDot,
  matchMark,
];

/** Punctuation, with its spoken form. */
export function matchPunctuation(context: Context): Match | undefined {
  return firstMatch(rules, context) ?? undefined;
}

const optionalPlural = /\((e?s)\)(?!\p{L})/uy;

/** `item(s)`, and the bracket of a telephone number. */
function matchBracket(context: Context): Reading {
  const { text, index, options } = context;
  if (text[index] !== '(') return undefined;
  const mayBePlural = options.optional_pluralization_normalization && /\p{L}/u.test(text[index - 1] ?? '');
  const [plural, ending] = (mayBePlural && matchAt(optionalPlural, text, index)) || [];
  if (plural && ending) return { end: index + plural.length, words: ending };
  return options.phone_normalization && matchPhoneNumber(context) ? null : undefined;
}

/** `.5` */
function matchPoint({ text, index }: Context): Reading {
  const isDecimal = text[index] === '.' && /\d/.test(text[index + 1] ?? '');
  return isDecimal && !/[\p{L}\d]/u.test(text[index - 1] ?? '') ? null : undefined;
}

/** The ending of a possessive. */
export const possessive = /['’]s(?![\p{L}\d])/uy;

/** `Ann's`, `[Your Company]'s plan` */
function matchPossessive({ text, index }: Context): Reading {
  if (/[\])]/.test(text[index]!) && matchAt(possessive, text, index + 1)) return { end: index + 1, words: '' };
  if (!matchAt(possessive, text, index) || !/[\p{L}\d.™®\])]/u.test(text[index - 1] ?? '')) return undefined;
  return { end: index + 2, words: "'s" };
}

const derivative = /(['’′]{1,2})(?=\(|\s?=\s?[\dA-Za-z(])/y;

/** `f'(x)`, `f''(x)`, `y' = 2x` */
function matchPrime(context: Context): Reading {
  const { text, index } = context;
  if (!/(?:^|[^\p{L}'’‘])[a-z]$/iu.test(textBefore(context, 2))) return undefined;
  const primes = matchAt(derivative, text, index)?.[1];
  if (!primes) return undefined;
  return { end: index + primes.length, words: primes.length > 1 ? ' double prime' : ' prime' };
}

function matchQuote({ text, index }: Context): Reading {
  return /['’‘‚‛`´‹›]/.test(text[index]!) ? { end: index + 1, words: '' } : undefined;
}

const dots = /(?:[.…]\s?){1,20}/y;

/** `.`, `...`, the range `1..n`; silent after an abbreviation. */
function matchStops({ text, index }: Context): Reading {
  const run = matchAt(dots, text, index)?.[0].trimEnd();
  if (run === undefined) return undefined;
  if (run === '.') return { end: index + 1, words: isAbbreviating(text, index) ? '' : '.' };
  const isRange = run === '..' && /\d/.test(text[index - 1] ?? '') && /[\da-zA-Z]/.test(text[index + 2] ?? '');
  return { end: index + run.length, words: isRange ? ' to' : '…' };
}

const dash = /-{2,}|–|‒/y;

/** `--`, `–`; silent in a row of more than six. */
function matchDash(context: Context): Reading {
  const { text, index } = context;
  const run = matchAt(dash, text, index)?.[0];
  if (!run || text[index + run.length] === '>' || (run.length === 1 && isJoining(context))) return undefined;
  return { end: index + run.length, words: run.length > 6 ? '' : '—' };
}

/** A hyphen between spaces for a dash. */
function matchLoneHyphen(context: Context): Reading {
  const { text, index, previous } = context;
  const isAlone = text[index] === '-' && /\s/.test(text[index - 1] ?? '') && /\s/.test(text[index + 1] ?? '');
  return isAlone && previous !== '' && !isJoining(context) ? { end: index + 1, words: '—' } : undefined;
}

const doubleSlash = /\/\/(?=\s|$)/y;

/** `Doors 7pm // Show 8pm` */
function matchDoubleSlash({ text, index, previous }: Context): Reading {
  if (!matchAt(doubleSlash, text, index) || !/^$|\s/.test(text[index - 1] ?? '')) return undefined;
  return { end: index + 2, words: previous === '' ? '' : '—' };
}

/** `Home | About`, `Settings > General` */
function matchSeparator(context: Context): Reading {
  return isSeparator(context) || isMenu(context) ? { end: context.index + 1, words: '—' } : undefined;
}

/** The operator of `!=`, `5! = 120` and `!ready`. */
function matchExclamation({ text, index }: Context): Reading {
  if (text[index] !== '!') return undefined;
  return text[index + 1] === '=' || isFactorial(text, index) || isNegation(text, index) ? null : undefined;
}

/** A dot that multiplies: `2·x`, `a · b = c` */
function matchDot(context: Context): Reading {
  const { text, index } = context;
  if (!/[·•]/.test(text[index]!)) return undefined;
  const isProduct = text[index] === '·' && /^[\d)²³]·[\p{L}\d(]$/u.test(text.slice(index - 1, index + 2));
  return isBetweenWords(context) || isProduct ? null : undefined;
}

function matchMark({ text, index }: Context): Reading {
  const words = text.startsWith('::', index) ? undefined : lookUp(punctuation, text[index]!);
  return words === undefined ? undefined : { end: index + 1, words };
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
function isMenu(context: Context): boolean {
  const { text, index } = context;
  const before = textBefore(context, 80);
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
  if (/(?:^|[\s(,])q$/.test(textBefore({ text, index }, 2)) && /^\s?\d/.test(text.slice(index + 1, index + 3)))
    return true;
  // `George III.'s reign`
  if (matchAt(possessive, text, index + 1)) return true;
  // `J.-P. Sartre`
  if (/^(?:[,;:]|-\p{Lu}\.)/u.test(text.slice(index + 1, index + 4))) return true;
  const isWithin = /^\s+[^\s"'”’)\]}»*_]/.test(text.slice(index + 1, index + 12));
  return isWithin && !itemOrLetter.test(textBefore({ text, index }, 12));
}

/** Whether a dash between numbers or in a calculation is spoken. */
function isJoining({ text, index, previous }: Context): boolean {
  if (joinsRange(text, index, index + 1)) return true;
  const after = /^(?:\s{0,2}[$£€¥]?|[-−](?=\d))\.?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(text.slice(index + 1, index + 6));
  const close = !/\s/.test(text[index - 1] ?? ' ') && !/\s/.test(text[index + 1] ?? ' ');
  if (/^[$£€¥]?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(previous) && after)
    return close || /[\d%½⅓⅔¼¾⅛⅜⅝⅞]\s$/.test(textBefore({ text, index }, 2));
  return (
    subtracts(text, index) || (close && /^\p{L}+$/u.test(previous) && text[index] === '–' && /^[A-Z]/.test(previous))
  );
}
