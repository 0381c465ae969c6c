import { type Rules, rewriteByRules } from '../cjk/rule.ts';
import { type RewriteAt, type Span, splitSpans } from '../cjk/spans.ts';
import type { NormalizationOptions } from '../types.ts';
import { rewritePower, rewriteRaisedUnit, rewriteScientific } from './normalize/calculations.ts';
import {
  rewriteCheer,
  rewriteCode,
  rewriteEventDate,
  rewriteHeight,
  rewriteNameNumber,
  rewriteNumberedYear,
  rewriteParts,
  rewritePhone,
  rewriteStandard,
} from './normalize/codes.ts';
import { rewriteDate, rewriteDay, rewriteYear } from './normalize/dates.ts';
import { rewriteMixedNumber, rewriteOutOf, rewriteSlashed } from './normalize/fractions.ts';
import { rewriteCurrency } from './normalize/money.ts';
import {
  rewriteHundredths,
  rewriteNumber,
  rewriteNumbered,
  rewriteOtherDigits,
  rewriteRoman,
  rewriteVersion,
} from './normalize/numerals.ts';
import { rewritePercent, rewritePercentRange } from './normalize/percentages.ts';
import { rewritePer } from './normalize/rates.ts';
import type { Context, Rule, SpokenLatin } from './normalize/rule.ts';
import { rewriteMarkOutOf, rewriteRating, rewriteRatio, rewriteScore } from './normalize/scores.ts';
import {
  rewriteHashtag,
  rewriteMark,
  rewriteMinus,
  rewriteNamedRange,
  rewriteNegative,
  rewriteNumberSign,
  rewriteOperator,
  rewritePoint,
  rewritePressure,
  rewriteRange,
  rewriteSymbol,
  rewriteTimes,
} from './normalize/signs.ts';
import { rewriteCue, rewriteDuration, rewriteHour, rewriteTime } from './normalize/times.ts';
import { rewriteCompatible, rewriteEnglishOrdinal, rewriteLatin, rewriteOtherLetters } from './normalize/words.ts';

const DIGIT_RULES: readonly Rule[] = [
  rewriteNameNumber,
  rewriteCheer,
  rewriteEventDate,
  rewriteHeight,
  rewriteScientific,
  rewritePhone,
  rewriteCode,
  rewriteStandard,
  rewriteNumberedYear,
  rewriteDate,
  rewriteDay,
  rewriteYear,
  rewriteScore,
  rewriteParts,
  rewriteMarkOutOf,
  rewriteEnglishOrdinal,
  rewriteCue,
  rewriteTime,
  rewriteHour,
  rewriteDuration,
  rewriteRatio,
  rewriteMixedNumber,
  rewriteOutOf,
  rewriteSlashed,
  rewriteVersion,
  rewritePercentRange,
  rewritePercent,
  rewriteHundredths,
  rewriteNumber,
];
const RULES: Rules<Context> = {
  ofCharacter: rulesOf,
  normalizing: [rewriteNegative, rewriteOperator],
  always: [
    rewritePoint,
    rewriteMark,
    rewriteCompatible,
    rewriteRaisedUnit,
    rewriteLatin,
    rewriteOtherLetters,
    rewriteNumber,
    rewriteOtherDigits,
  ],
  last: rewriteSymbol,
};

/**
 * The spans of a sentence: rewrites numbers, amounts, dates, times, Latin words and punctuation.
 * @param listedAt rewrites the user's own words
 */
export function normalize(
  written: string,
  options: NormalizationOptions,
  spokenLatin: SpokenLatin,
  listedAt?: RewriteAt,
): Span[] {
  return splitSpans(
    written,
    (text, index) => listedAt?.(text, index) ?? rewriteByRules(RULES, { text, index, options, spokenLatin }),
  );
}

/** The rules for what begins with a character. */
function rulesOf({ text, index }: Context): readonly Rule[] {
  const character = text[index]!;
  const before = text[index - 1] ?? '';
  if (/\d/.test(character)) return /[\d.]/.test(before) ? [] : DIGIT_RULES;
  if (/[~～〜\-–—−]/.test(character)) return [rewriteMinus, rewriteRange, rewriteNamedRange];
  if (character === '/') return [rewritePressure, rewritePer];
  if (/[*xX]/.test(character)) return [rewriteTimes, rewriteRoman];
  if (character === '#') return [rewriteNumberSign, rewriteHashtag];
  if (character === '★') return [rewriteRating];
  if (/[¼-¾⅐-⅞]/.test(character)) return [rewriteMixedNumber];
  if (/[\^⁰¹²³⁴-⁻]/.test(character)) return [rewritePower];
  if (/[+(]/.test(character)) return [rewritePhone];
  const mayBegin = /[¥￥$€£₩₹₽A-Zanp№]/.test(character) && !/[A-Za-z]/.test(before);
  return mayBegin ? [rewriteRoman, rewriteCurrency, rewriteNumbered, rewriteTime] : [];
}
