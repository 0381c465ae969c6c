import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import {
  matchApproximation,
  matchDegreeSign,
  matchExponent,
  matchProduct,
  matchRaised,
  matchSign,
  matchTilde,
  matchTrend,
} from './arithmetic-signs.ts';
import { matchExclamation, matchOperatorSign, matchStar, matchTypeBracket, matchUnderscore } from './code-symbols.ts';
import { matchHyphen } from './dashes.ts';
import { matchAngleBracket, matchBullet, matchEmphasis, matchGap, matchQuoteMark, matchRuler } from './markup.ts';
import { matchNumberSign } from './number-sign.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { matchSlash } from './slashes.ts';
import { nameOfSymbol } from './symbol-names.ts';
import type { SymbolContext, SymbolRule } from './symbol-rule.ts';

/** In this order: the first that matches wins. */
const rules: readonly SymbolRule[] = [
  matchOperatorSign,
  matchAngleBracket,
  matchTypeBracket,
  matchGap,
  matchRuler,
  matchHeart,
  matchStars,
  matchArrow,
  matchLooseRange,
  matchSign,
  matchTrend,
  matchTrademark,
  matchExponent,
  matchRaised,
  matchHyphen,
  matchExclamation,
  matchProduct,
  matchQuoteMark,
  matchTilde,
  matchStar,
  matchEmphasis,
  matchBullet,
  matchUnderscore,
  matchNumberSign,
  matchIndianAmount,
  matchSlash,
  matchApproximation,
  matchDegreeSign,
];

/** A symbol: any character except letters, digits and punctuation. */
export function matchSymbol(context: Context): Match {
  const { text, index, options } = context;
  const character = String.fromCodePoint(text.codePointAt(index)!);
  const end = index + character.length;
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const say = (words: string, to = end) => ({ end: to, words: options.replace_remaining_symbols ? words : '' });
  const symbol: SymbolContext = { ...context, character, end, before, after, say };
  return firstMatch(rules, symbol) ?? say(nameOfSymbol(character) ?? '');
}

/** `I <3 you`, not `x <3` */
function matchHeart(symbol: SymbolContext): Match | undefined {
  const { text, index, before, previous, say } = symbol;
  if (!text.startsWith('<3', index)) return undefined;
  if (!/^$|\s/.test(before) || !/^$|\s/.test(text[index + 2] ?? '')) return undefined;
  const isAfterOperand = /^(?!I$)\p{L}$|\d/u.test(previous);
  const isAfterHeart = /<3\s$/.test(textBefore(symbol, 3));
  return !isAfterOperand || isAfterHeart ? say('heart', index + 2) : undefined;
}

const stars = /((?:[★⭐]\uFE0F?){2,10}|★(?=☆))☆{0,9}(?:\/5(?!\d))?/uy;

/** `★★★★☆`, `★★★★★/5`, `5★` */
function matchStars({ text, index, character, before, previous, say }: SymbolContext): Match | undefined {
  const [rating, full] = matchAt(stars, text, index) ?? [];
  if (rating && full) {
    const count = full.replaceAll('\uFE0F', '').length;
    return say(`${cardinal(String(count))} star${count > 1 ? 's' : ''}`, index + rating.length);
  }
  if (character !== '★' || !/\d$/.test(before)) return undefined;
  return say(previous === '1' ? 'star' : 'stars');
}

const arrow = /(?:-{1,3}|={1,3})>|(?<=\s)<-{1,2}(?=\s)/y;

const commentBefore = /<!--[^<>]*$/;

/** `a -> b`, not the end of `<!-- note -->` */
function matchArrow({ text, index, say }: SymbolContext): Match | undefined {
  const [found] = matchAt(arrow, text, index) ?? [];
  if (found === undefined) return undefined;
  const isCommentEnd = found === '-->' && commentBefore.test(textBefore({ text, index }, 250));
  return say(isCommentEnd ? '' : 'arrow', index + found.length);
}

const yearBefore = /(?<!\d)(\d{4})\s$/;
const timeBefore = /\d:\d\d(?:\s?[ap]\.?m\.?)?\s$/i;
const timeNext = /[-−]\d{1,2}:\d\d/y;

/** A minus sign that joins two years or times, with a space on one side only: `1525 -1594`, `1:30 -2:30` */
function matchLooseRange(symbol: SymbolContext): Match | undefined {
  const { text, index, end } = symbol;
  const before = textBefore(symbol, 12);
  const [, from = ''] = yearBefore.exec(before) ?? [];
  const to = /^[-−](\d{4})(?!\d)/.exec(text.slice(index, index + 6))?.[1] ?? '';
  const isSpan = /^(?:1\d|20)/.test(from) && /^(?:1\d|20)/.test(to) && from < to;
  const joins = isSpan || (timeBefore.test(before) && matchAt(timeNext, text, index));
  return joins ? { end, words: 'to' } : undefined;
}

/** `Windows® 11` */
function matchTrademark({ character, before, end }: SymbolContext): Match | undefined {
  return /[®™]/.test(character) && /[\p{L}\d]/u.test(before) ? { end, words: '' } : undefined;
}

/** Indian amounts end in `/-`. */
function matchIndianAmount({ text, character, before, end }: SymbolContext): Match | undefined {
  const isEnd = character === '/' && /\d/.test(before) && /^-(?![\p{L}\d])/u.test(text.slice(end, end + 2));
  return isEnd ? { end: end + 1, words: '' } : undefined;
}
