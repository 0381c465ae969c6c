import { matchAt, textBefore } from '../../patterns.ts';
import type { SpellOut } from '../../spell-out.ts';
import type { NormalizationOptions } from '../../types.ts';
import { letterNameChain } from '../letter-names.ts';
import { monthNames, shortMonths } from '../months.ts';
import type { Currency, LanguageRules } from '../rules.ts';
import { weekdayList, weekdayNames } from '../weekdays.ts';
import { countedNounPattern } from './counted-nouns.ts';
import { type OpeningDays, openingDaysOf } from './timetables.ts';
import { unitPattern } from './unit-names.ts';

/** The rules of a language, and the patterns and names that are made from them once. */
export interface Language {
  rules: LanguageRules;
  spellOut: SpellOut;
  plurals: Intl.PluralRules;
  /** From January. */
  months: readonly string[];
  /** Names by their abbreviations, without full stops. */
  shortMonths: ReadonlyMap<string, string>;
  /** Days of the week by their names and abbreviations, without full stops. */
  weekdays: ReadonlyMap<string, string>;
  /** Days of the week from Monday. */
  weekdayList: readonly string[];
  /** Initials by the names of their letters, without spaces. Sticky. */
  letterNameChain: RegExp | undefined;
  /** Abbreviated nouns after a number. Sticky. */
  countedNoun: RegExp;
  /** Days of opening hours by their first letters, if the language has them. */
  openingDays: OpeningDays | undefined;
  /** Units after a number. Sticky. */
  unit: RegExp;
  /** Longer names first. */
  currenciesByName: readonly (readonly [sign: string, Currency])[];
}

/** An index in a sentence, in digits of ASCII. */
export interface Context {
  text: string;
  index: number;
  language: Language;
  options: NormalizationOptions;
}

/** The words for the characters up to `end`; empty if silent. */
export interface Match {
  end: number;
  words: string;
}

/** Matches the text from the index on and gives its words. Patterns are sticky. */
export type Rule = (context: Context) => Match | undefined;

/** A name before a number; not the text before the second number of 4x100 or 5km-10km. */
const NAME_BEFORE = /(?<![\d\p{L}.,]|\d\s)[^\P{Script=Latin}ºª]{1,20}-?$/u;
const NEXT_WORD = /\s{1,3}([\p{L}\p{M}]+)/uy;
const SENTENCE_REST = /["»”’)\s]*$/y;

/** Prepares what the rules of a language need at each index. */
export function languageOf(rules: LanguageRules, spellOut: SpellOut): Language {
  return {
    rules,
    spellOut,
    plurals: new Intl.PluralRules(rules.tag),
    months: monthNames(rules.tag, 'long'),
    shortMonths: shortMonths(rules),
    weekdays: weekdayNames(rules.tag),
    weekdayList: weekdayList(rules.tag),
    countedNoun: countedNounPattern(rules),
    openingDays: openingDaysOf(rules),
    unit: unitPattern(rules),
    letterNameChain: letterNameChain(rules),
    currenciesByName: Object.entries(rules.currencies).sort(([, a], [, b]) => b.many.length - a.many.length),
  };
}

/** Whether a number ends before the index, or before the space before it. */
export function isAfterNumber(context: Context): boolean {
  return /\d\s?$/.test(textBefore(context, 2));
}

/** Whether letters precede the number at the index without a space, as in the names `A340`, `SARS-CoV-2` and `M5S`. */
export function isInName(context: Context): boolean {
  return NAME_BEFORE.test(textBefore(context, 24));
}

/** The word after the whitespace at `end`; empty if there is none. */
export function nextWord({ text }: Context, end: number): string {
  return matchAt(NEXT_WORD, text, end)?.[1] ?? '';
}

/** Whether nothing but closing marks follows `end`. */
export function isSentenceEnd({ text }: Context, end: number): boolean {
  return matchAt(SENTENCE_REST, text, end) !== undefined;
}
