import { type Rules, rewriteByRules } from '../cjk/rule.ts';
import { type RewriteAt, type Span, splitSpans } from '../cjk/spans.ts';
import type { NormalizationOptions } from '../types.ts';
import type { EnglishWords } from './latin.ts';
import { rewriteAddress } from './normalize/addresses.ts';
import { rewriteApproximate, rewriteApproximateKanji } from './normalize/approximates.ts';
import { rewriteBesideNumber } from './normalize/beside-numbers.ts';
import { rewriteFormula, rewritePower, rewriteRaisedUnit, rewriteUnit } from './normalize/calculations.ts';
import { rewriteCircles } from './normalize/circles.ts';
import {
  rewriteDate,
  rewriteEra,
  rewriteMonthDay,
  rewriteNamedDay,
  rewriteWeekdayList,
  rewriteWeekdays,
} from './normalize/dates.ts';
import { rewriteCode, rewriteLetteredCode, rewriteParts, rewritePhone } from './normalize/digit-groups.ts';
import { rewriteBattingAverage, rewriteMixedNumber, rewriteSlashed, rewriteTenths } from './normalize/fractions.ts';
import { rewriteCurrency } from './normalize/money.ts';
import {
  rewriteFloor,
  rewriteFunction,
  rewriteHowManyMinutes,
  rewritePage,
  rewritePawn,
  rewriteScreen,
  rewriteTelephone,
} from './normalize/notations.ts';
import {
  rewriteNumber,
  rewriteNumbered,
  rewriteOtherDigits,
  rewriteRoman,
  rewriteVersion,
} from './normalize/numerals.ts';
import { rewritePer } from './normalize/rates.ts';
import type { Context, Rule } from './normalize/rule.ts';
import {
  rewriteDraws,
  rewriteMarkOutOf,
  rewriteRating,
  rewriteRatio,
  rewriteScore,
  rewriteTopHalf,
} from './normalize/scores.ts';
import {
  rewriteDot,
  rewriteFahrenheit,
  rewriteHashtag,
  rewriteLoss,
  rewriteMark,
  rewriteMinus,
  rewriteNegative,
  rewriteOperator,
  rewritePoint,
  rewritePressure,
  rewriteRange,
  rewriteSymbol,
  rewriteTimes,
} from './normalize/signs.ts';
import { rewriteCue, rewriteDuration, rewriteHour, rewriteTime } from './normalize/times.ts';
import { rewriteBetween, rewriteWordRange } from './normalize/word-ranges.ts';
import {
  rewriteBracketed,
  rewriteByNeighbour,
  rewriteCompany,
  rewriteCompatible,
  rewriteLatin,
  rewriteLaugh,
  rewriteNetLaugh,
  rewriteNewWord,
  rewriteOtherLetters,
  rewritePoliceCall,
  rewriteShop,
  rewriteTitle,
} from './normalize/words.ts';

const DIGIT_RULES: readonly Rule[] = [
  rewriteByNeighbour,
  rewriteCue,
  rewriteDraws,
  rewriteFloor,
  rewriteLetteredCode,
  rewritePawn,
  rewriteScreen,
  rewriteApproximate,
  rewriteAddress,
  rewritePoliceCall,
  rewriteShop,
  rewriteDate,
  rewriteNamedDay,
  rewritePhone,
  rewriteParts,
  rewriteCode,
  rewriteScore,
  rewriteMonthDay,
  rewriteTenths,
  rewriteMarkOutOf,
  rewriteFahrenheit,
  rewriteTime,
  rewriteHour,
  rewriteDuration,
  rewriteRatio,
  rewriteMixedNumber,
  rewriteSlashed,
  rewriteVersion,
  rewriteBattingAverage,
  rewriteNumber,
];
const LETTER_RULES: readonly Rule[] = [
  rewriteFloor,
  rewritePage,
  rewriteTelephone,
  rewriteFunction,
  rewriteAddress,
  rewriteTitle,
  rewriteNetLaugh,
  rewriteRoman,
  rewriteEra,
  rewriteTime,
  rewriteHour,
  rewriteCurrency,
  rewriteNumbered,
  rewriteUnit,
  rewriteRaisedUnit,
  rewriteFormula,
];
const RULES: Rules<Context> = {
  ofCharacter: rulesOf,
  normalizing: [rewriteBracketed, rewriteCompany, rewriteNegative, rewriteOperator, rewritePoint, rewriteDot],
  always: [rewriteMark, rewriteCompatible, rewriteLatin, rewriteOtherLetters, rewriteNumber, rewriteOtherDigits],
  last: rewriteSymbol,
};

/**
 * The spans of a sentence: rewrites numbers, amounts, dates, times, Latin words and punctuation.
 * @param listedAt rewrites the user's own words
 */
export function normalize(
  written: string,
  options: NormalizationOptions,
  english: EnglishWords,
  listedAt?: RewriteAt,
): Span[] {
  return splitSpans(written, (text, index) => {
    const context: Context = { text, index, options, english };
    return listedAt?.(text, index) ?? rewriteNewWord(context) ?? rewriteByRules(RULES, context);
  });
}

/** The rules for what begins with a character. */
function rulesOf({ text, index }: Context): readonly Rule[] {
  const character = text[index]!;
  if (/\d/.test(character)) return /\d/.test(text[index - 1] ?? '') ? [] : DIGIT_RULES;
  if (/[xX]/.test(character)) return [rewriteTimes, ...LETTER_RULES];
  if (/[A-Za-z]/.test(character)) return LETTER_RULES;
  if (/[¼-¾⅐-⅞]/.test(character)) return [rewriteMixedNumber];
  if (/[\^⁰¹²³⁴-⁻]/.test(character)) return [rewritePower];
  if (/[(〒+]/.test(character)) return [rewritePhone];
  if (/[〜~～\-–−]/.test(character)) return [rewriteMinus, rewriteRange, rewriteWordRange];
  if (/[一二三四五六七八]/.test(character)) return [rewriteApproximateKanji];
  if (character === '毎') return [rewriteWeekdayList];
  if (/[月火水木金土日]/.test(character)) return [rewriteByNeighbour, rewriteWeekdays, rewriteWeekdayList];
  if (character === '間') return [rewriteBetween];
  if (/[こそあど人角]/.test(character)) return [rewriteByNeighbour];
  if (character === '表') return [rewriteTopHalf];
  if (character === '何') return [rewriteHowManyMinutes];
  if (character === '笑') return [rewriteLaugh];
  if (/[高着走年]/.test(character)) return [rewriteBesideNumber];
  if (character === '*') return [rewriteTimes];
  if (character === '★') return [rewriteRating];
  if (/[▲△]/.test(character)) return [rewriteLoss, rewriteCircles];
  if (/[○〇◯×✕◎]/.test(character)) return [rewriteCircles];
  if (character === '/') return [rewritePressure, rewritePer];
  if (character === '.') return [rewriteBattingAverage];
  return /[午¥￥$＄€£￡₩₹₽№#]/.test(character) ? [rewriteTime, rewriteCurrency, rewriteNumbered, rewriteHashtag] : [];
}
