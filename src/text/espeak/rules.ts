import type { SpellOut } from '../spell-out.ts';
import type { EspeakVoice } from './espeak.ts';

export type Gender = 'masculine' | 'feminine';

/** A currency: its name for one and for several, and the same of its hundredth part where it has one. */
export interface Currency {
  one: string;
  many: string;
  gender: Gender;
  cent?: readonly [one: string, many: string];
}

/** Currencies by each of the signs and codes that they are written with. @param currencies by all of theirs, with blanks between */
export function bySigns(currencies: Readonly<Record<string, Currency>>): Record<string, Currency> {
  const entries = Object.entries(currencies);
  return Object.fromEntries(entries.flatMap(([signs, currency]) => signs.split(' ').map((sign) => [sign, currency])));
}

/** What one language knows of numbers, symbols and abbreviations. */
export interface LanguageRules {
  /** As `Intl` takes it. */
  tag: string;
  voice: EspeakVoice;
  /** Letters that the voice can say. */
  letters: RegExp;
  /** A number with its grouping marks; `,` and `.` before its decimals. Sticky. */
  number: RegExp;
  /** Marks that group thousands. */
  grouping: RegExp;
  /** Names of the marks before decimals. */
  points: Readonly<Record<',' | '.', string>>;
  /** Decimals up to so many digits are read as one number. */
  readDecimals: number;
  minus: string;
  plus: string;
  /** Names of rule sets: of a number by itself, before a noun, and of ordinals. */
  sets: Readonly<Record<'alone' | Gender, string>> & { ordinal: Readonly<Record<Gender, string>> };
  /** Gender of a noun that is counted; undefined where the number stands by itself: before a preposition, for one. */
  genderOf(noun: string): Gender | undefined;
  /** Mends what the rule sets give: `noun` is what follows. */
  mend?(words: string, noun: string): string;
  /** An ordinal in digits: `1er`, `2ª`. Sticky; `n` is the number. */
  ordinal: RegExp;
  ordinalGender(suffix: string): Gender;
  /** Words of an ordinal, after `sets.ordinal` made them. */
  mendOrdinal?(words: string, suffix: string, noun: string): string;
  date(day: string, month: string, year: string): string;
  /** The first day of a month, where it is no cardinal number. */
  firstDay?: string;
  /** A year, where it is no plain number. */
  year?(year: number, say: SpellOut['say']): string | undefined;
  /** Sticky; groups h, m, s. */
  time: RegExp;
  /** @param say a number before a feminine or masculine noun, or by itself */
  timeWords(hours: number, minutes: number, seconds: number, say: (number: number, gender?: Gender) => string): string;
  /** By sign or code. */
  currencies: Readonly<Record<string, Currency>>;
  /** Between an amount and its hundredths. */
  centsAfter: string;
  /** Words such as million, after which a currency stands with `of`. */
  scale: RegExp;
  of(noun: string): string;
  percent: string;
  perMille: string;
  /** Between the ends of a range. */
  range: string;
  /** 1/2 before a noun. */
  half?: Readonly<Record<Gender, string>>;
  fraction(above: number, below: number, ordinal: (number: number) => string): string | undefined;
  symbols: Readonly<Record<string, string>>;
  /** By what stands before the full stop, in small letters where it is not a matter of case. */
  abbreviations: Readonly<Record<string, string>>;
  /** Abbreviations that may end a sentence. */
  finalAbbreviations: ReadonlySet<string>;
  /** Words after which a Roman numeral is a number. */
  numbered: ReadonlySet<string>;
  /** First names of rulers: a single I, V or X behind them is a numeral too. */
  rulers: ReadonlySet<string>;
  /** A Roman numeral with the ending of an ordinal, each a group: `XIXe`. Sticky. */
  romanOrdinal: RegExp;
  /** What a Roman numeral is read as. */
  roman(value: number, previous: string, next: string): 'cardinal' | 'ordinal';
  /** Telephone numbers as they are written in the country. Sticky. */
  phone: RegExp;
  /** Whether their groups are read as numbers. */
  phonePairs?: boolean;
  /** Names of signs in addresses. */
  address: Readonly<Record<'.' | '/' | '@' | '-' | '_' | ':', string>>;
  /** Words that a phrase begins with. */
  openers: ReadonlySet<string>;
  /** Words before which openers may sound differently: one that begins with a consonant, one with a vowel. */
  followers: readonly [string, string];
}

/**
 * Tells the gender of a noun.
 * @param end endings of feminine nouns
 * @param feminine nouns that are so whatever their ending
 * @param masculine nouns that are so in spite of it
 * @param uncounted words that are no nouns: a number before them stands by itself
 */
export function genderByEnding(
  end: RegExp,
  { feminine, masculine, uncounted }: Record<'feminine' | 'masculine' | 'uncounted', ReadonlySet<string>>,
): (noun: string) => Gender | undefined {
  return (noun) => {
    const word = noun.toLowerCase();
    if (word === '' || uncounted.has(word)) return undefined;
    return feminine.has(word) || (end.test(word) && !masculine.has(word)) ? 'feminine' : 'masculine';
  };
}
