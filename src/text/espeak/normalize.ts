import { firstMatch } from '../first-match.ts';
import { fold, unfolded } from '../folding.ts';
import { type Pronunciation, pronunciationMark } from '../language.ts';
import { matchAt } from '../patterns.ts';
import type { SpellOut } from '../spell-out.ts';
import type { NormalizationOptions, SpokenToken } from '../types.ts';
import { matchAbbreviation, matchInitials, matchLetterNames, matchSlashed } from './normalize/abbreviations.ts';
import { matchTypedAccent } from './normalize/accents.ts';
import { matchAddress } from './normalize/addresses.ts';
import { matchPower, matchScientific } from './normalize/calculations.ts';
import { matchCapitals } from './normalize/capitals.ts';
import { matchCompass } from './normalize/compass.ts';
import { matchDate, matchDateRange, matchDecade, matchShortMonth } from './normalize/dates.ts';
import { matchCue, matchDuration, matchStopwatch } from './normalize/durations.ts';
import { matchAbsoluteValue, matchModulo, matchProduct } from './normalize/formulas.ts';
import { matchFraction, matchMixed } from './normalize/fractions.ts';
import { matchBothGenders } from './normalize/genders.ts';
import { matchMoney } from './normalize/money.ts';
import { matchNumber, matchOrdinal, matchOtherDigits, matchVersion } from './normalize/numerals.ts';
import { matchPhone } from './normalize/phones.ts';
import { matchProportion } from './normalize/proportions.ts';
import { matchQuarter } from './normalize/quarters.ts';
import { matchPerUnit } from './normalize/rates.ts';
import { matchAround, matchNotOut, matchRatio } from './normalize/ratios.ts';
import { matchMeter, matchRecord } from './normalize/records.ts';
import { matchRoman, matchRomanCharacters } from './normalize/roman.ts';
import { type Context, type Language, languageOf, type Match, type Rule } from './normalize/rule.ts';
import { matchMonthAndYear } from './normalize/short-dates.ts';
import { matchShortWord } from './normalize/short-words.ts';
import {
  matchAge,
  matchApostrophe,
  matchDash,
  matchEmoticon,
  matchMark,
  matchMenu,
  matchOperator,
  matchOrnament,
  matchSymbol,
} from './normalize/signs.ts';
import { matchFootnote, matchSubscript, matchUnknownExponent } from './normalize/superscripts.ts';
import { matchTime } from './normalize/times.ts';
import { matchRepeated, matchTimes, matchTimesAPeriod } from './normalize/times-sign.ts';
import { matchShortDays } from './normalize/timetables.ts';
import { matchVerse } from './normalize/verses.ts';
import { matchWeekday } from './normalize/weekdays.ts';
import { matchPoweredUnit, matchWord } from './normalize/words.ts';
import type { LanguageRules } from './rules.ts';

/** In order: the first one that matches reads the text. A character that none matches is a symbol. */
const RULES: readonly Rule[] = [
  matchEmoticon,
  matchCue,
  matchAddress,
  matchVerse,
  matchPhone,
  matchScientific,
  matchQuarter,
  matchRecord,
  matchMeter,
  matchRatio,
  matchRepeated,
  matchDate,
  matchDuration,
  matchStopwatch,
  matchTime,
  matchProportion,
  matchMoney,
  matchVersion,
  matchDecade,
  matchOrdinal,
  matchMixed,
  matchFraction,
  matchNumber,
  matchOtherDigits,
  matchMonthAndYear,
  matchShortMonth,
  matchCompass,
  matchShortDays,
  matchWeekday,
  matchTypedAccent,
  matchBothGenders,
  matchRoman,
  matchRomanCharacters,
  matchAbbreviation,
  matchInitials,
  matchLetterNames,
  matchSlashed,
  matchTimesAPeriod,
  matchTimes,
  matchShortWord,
  matchUnknownExponent,
  matchPoweredUnit,
  matchCapitals,
  matchWord,
  matchOperator,
  matchMark,
  matchDateRange,
  matchAge,
  matchDash,
  matchApostrophe,
  matchFootnote,
  matchPower,
  matchAbsoluteValue,
  matchModulo,
  matchProduct,
  matchAround,
  matchPerUnit,
  matchMenu,
  matchNotOut,
  matchOrnament,
  matchSubscript,
];
const WHITESPACE = /\s+/y;
const NOT_WHITESPACE = /[^\s\uFFFC]+/y;
const SCRIPT_DIGITS = /[\u0966-\u096F]/g;
const ABBREVIATING_ZERO = /(?<=[\u0900-\u0963])\u0966(?![\u0966-\u096F\d])/g;

/** Normalizes the sentences of one language: writes numbers, symbols and abbreviations in words for eSpeak. */
export class Normalizer {
  readonly #language: Language;

  constructor(rules: LanguageRules, spellOut: SpellOut) {
    this.#language = languageOf(rules, spellOut);
  }

  /** As `SentenceRules.tokens`. */
  tokens(source: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[] {
    const folded = options.normalize ? fold(source) : unfolded(source);
    const text = options.normalize ? inAsciiDigits(folded.text) : source;
    const pronunciationAt = new Map(pronunciations.map((each) => [each.index, each]));
    const list = new TokenList();
    for (let index = 0; index < text.length; ) {
      const gap = matchAt(WHITESPACE, text, index);
      if (gap) {
        list.endToken();
        index += gap[0].length;
        continue;
      }
      const pronunciation = text[index] === pronunciationMark ? pronunciationAt.get(folded.sourceOf(index)) : undefined;
      if (pronunciation) {
        list.endToken();
        const { written, ...reading } = pronunciation;
        list.tokens.push(...(reading.tokens ?? [{ written, spoken: written, ipa: reading.ipa }]));
        index += 1;
        continue;
      }
      const context = { text, index, language: this.#language, options };
      const { end, words } = options.normalize
        ? (firstMatch(RULES, context) ?? matchSymbol(context))
        : asWritten(context);
      list.add(folded.written(index, end), words);
      index = end;
    }
    list.endToken();
    return list.tokens;
  }
}

/** Digits of Devanagari in ASCII; the length stays. Many write a zero for the sign of abbreviations: डॉ०. */
function inAsciiDigits(text: string): string {
  return text.replace(ABBREVIATING_ZERO, '॰').replace(SCRIPT_DIGITS, (digit) => String(digit.codePointAt(0)! - 0x0966));
}

function asWritten({ text, index }: Context): Match {
  const words = matchAt(NOT_WHITESPACE, text, index)?.[0] ?? '';
  return { end: index + (words.length || 1), words };
}

/** Collects tokens; whitespace ends one. */
class TokenList {
  readonly tokens: SpokenToken[] = [];
  #written = '';
  #spoken = '';

  add(written: string, words: string): void {
    this.#written += written;
    const needsSpace = /[\p{L}\p{M}\p{N}]$/u.test(this.#spoken) && /^[\p{L}\p{N}]/u.test(words);
    this.#spoken += needsSpace ? ` ${words}` : words;
  }

  endToken(): void {
    if (this.#written !== '') this.tokens.push({ written: this.#written, spoken: this.#spoken.trim() });
    this.#written = '';
    this.#spoken = '';
  }
}
