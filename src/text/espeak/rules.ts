import type { SpellOut } from '../spell-out.ts';
import type { EspeakVoice } from './espeak.ts';

/** The grammatical gender of a noun. */
export type Gender = 'masculine' | 'feminine';

/** Singular and plural names of a currency and, if it has one, of its hundredth part. */
export interface Currency {
  one: string;
  many: string;
  gender: Gender;
  cent?: readonly [one: string, many: string];
}

/**
 * Currencies, scales and the like by each of their signs.
 * @param values by signs, separated by spaces
 */
export function bySigns<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.flatMap(([signs, value]) => signs.split(' ').map((sign) => [sign, value])));
}

/** Data of one language: numbers, symbols, abbreviations. */
export interface LanguageRules {
  /** Language tag for `Intl`. */
  tag: string;
  voice: EspeakVoice;
  /** Letters that the voice can pronounce. */
  letters: RegExp;
  /** A number; groups `whole` with grouping marks, `decimals` with `,` or `.`. Sticky. */
  number: RegExp;
  /** Marks that group thousands. */
  grouping: RegExp;
  /** Names of the marks before decimals. */
  points: Readonly<Record<',' | '.', string>>;
  /** Whether an apostrophe may stand before decimals: `22'6`. */
  apostropheDecimals?: boolean;
  /** Up to this many decimals are read as one number. */
  readDecimals: number;
  minus: string;
  /** Matches the letter before how many days or hours remain: `J-3`. */
  countdown?: RegExp;
  /** Before the exponent of a power. */
  power: string;
  plus: string;
  /** CLDR rule sets for a number alone, before a noun, and for ordinals. */
  sets: Readonly<Record<'alone' | Gender, string>> & { ordinal: Readonly<Record<Gender, string>> };
  /** Gender of a counted noun; undefined if the word is none, such as a preposition. */
  genderOf(noun: string): Gender | undefined;
  /**
   * Corrects the words of the rule sets.
   * @param noun the word that follows
   */
  correct?(words: string, noun: string): string;
  /** An ordinal in digits: `1er`, `2ª`. Sticky. */
  ordinal: RegExp;
  ordinalGender(suffix: string): Gender;
  /** The ending that makes an ordinal of a number alone. */
  ordinalSuffix(digits: string): string;
  /** Corrects the words of an ordinal. */
  correctOrdinal?(words: string, suffix: string, noun: string): string;
  date(day: string, month: string, year: string): string;
  /** The first day of a month, if it is not a cardinal number. */
  firstDay?: string;
  /** A year that is not read as a plain number. */
  year?(year: number, say: SpellOut['say']): string | undefined;
  /** Months from 1 by abbreviations that Unicode does not have, without full stops, in lower case. */
  shortMonths?: Readonly<Record<string, number>>;
  /** The end of the text before a date without a year. */
  dateBefore?: RegExp;
  /** The end of the text before a time with a full stop. */
  timeBefore?: RegExp;
  /** What may stand after a time for hours. Sticky. */
  hourUnit?: RegExp;
  /** The part of the day for an hour from 0 to 11. */
  halfDay?(hour: number, isAfternoon: boolean): string;
  /** Whether the part of the day comes before the time. */
  halfDayFirst?: boolean;
  /** Sticky; groups h, m (or m2), s. */
  time: RegExp;
  /** @param say spells a number before a noun of the gender, or alone */
  timeWords(hours: number, minutes: number, seconds: number, say: (number: number, gender?: Gender) => string): string;
  /** By sign or code. */
  currencies: Readonly<Record<string, Currency>>;
  /** Between an amount and its hundredths. */
  centsAfter: string;
  /** Words such as million; `of` links them to the currency, except `thousand`. */
  scale: RegExp;
  of(noun: string): string;
  /** Abbreviations of the scales, after an amount. */
  scales: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** The scale that makes one number with the number before it, without a preposition after it. */
  thousand?: string;
  /** The text before an item of a law that is mentioned, if items are numbered by a degree sign: `aux 1° et 3°`. */
  itemBefore?: RegExp;
  percent: string;
  perMille: string;
  /** Units that `Intl` does not name, by symbol. */
  units: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** The symbols of SI by those of the language's own script. */
  unitSymbols?: Readonly<Record<string, string>>;
  /** Between an amount and what it buys: `5 €/kg`. */
  per: string;
  /** Where a period after a slash has words of its own: `6/die`, sei al giorno. */
  perPeriods?: Readonly<Record<string, string>>;
  /** Between the sides of a size, if not the multiplication sign: `10x15 cm`. */
  by?: string;
  /** Matches the text before a score that is written with an x: `venceu por 2x0`. Between two teams it need not match. */
  goals?: RegExp;
  /** Nouns for `3x`, and the pattern of what follows it if it is not a product. Sticky. */
  repeated?: { one: string; many: string; next: RegExp };
  /** Between a mark and the best one: `8,5/10`. */
  outOf?: string;
  /** Whether `outOf` is also read if the first number is the larger one or both are the same: `12/8`. */
  outOfSmaller?: boolean;
  /** The text before what is counted up to a whole, and the word between the two numbers: `paso 1/3`. */
  steps?: Readonly<{ before: RegExp; of: string }>;
  /** Between the numbers of an interval that is written twice: `8/8h`. */
  every?: string;
  /** Between the two values of a blood pressure. */
  over?: string;
  /** Signs before an age, in words, and the noun of years: `+65 ans`, `-18 ans`. */
  ages?: Readonly<{ years: string; over: string; under: string }>;
  /** Between the ends of a range. */
  range: string;
  /** Whether a number that is written twice, with a hyphen between, is a number for each: `8-8 घंटे`, eight hours each. */
  repeatsForEach?: boolean;
  /** Whether `5'8"` is feet and inches rather than minutes and seconds. */
  primesAreLengths?: boolean;
  /** Between the metres and the centimetres of a height, if anything: `1m75`. */
  metresAnd?: string;
  /** 1/2 before a noun. */
  half?: Readonly<Record<Gender, string>>;
  /** 1/2 after a noun: two cups and a half. */
  halfBehind?: Readonly<Record<Gender, string>>;
  /** Between a number and its fraction. */
  and: string;
  /** Whether a half after hours needs no *and*: `3 h 1/2`. */
  halfFollowsHours?: boolean;
  /** The end of any noun in the plural; undefined if a plural cannot be told from a singular. */
  plural?: RegExp;
  /** Gender of a noun in the plural, if `genderOf` expects the singular. */
  genderOfMany?(noun: string): Gender | undefined;
  /** The singular of a noun, which may already be one; undefined if unknown. */
  singular?(noun: string): string | undefined;
  /** A noun that may follow a number: a measure, or any plural. Other words may match, if `genderOf` knows none for them. */
  countable?: RegExp;
  /** A clause that calculates. */
  calculation: RegExp;
  /** Matches what may follow a title of one letter, if that is more than a name. Sticky. */
  titledNext?: RegExp;
  /** A whole number with a fraction, if the language has its own words. */
  mixed?(whole: number, above: number, below: number, say: (number: number) => string): string | undefined;
  fraction(above: number, below: number, ordinal: (number: number) => string): string | undefined;
  /** The end of the text before a fraction: an article, which takes the place of the one in *un tercio*. */
  articleBefore?: RegExp;
  /** Nouns that a fraction has ordinals before: `3/4 partes`, tres cuartas partes. */
  parts?: RegExp;
  /** Whether two numbers that `fraction` has no name for are a date. `25/9` may also be a ratio, or a score of cricket. */
  isUnnamedFractionDate?: boolean;
  /** A time signature in words. @param ordinal makes the ordinal of the number below */
  meter?(above: string, below: string, ordinal: () => string): string;
  /** Singular and plural of what teams win and lose, by letters: sets of letters, of which the first that fits counts. */
  records?: readonly Readonly<Record<string, readonly [one: string, many: string]>>[];
  /** A fraction before a round of a tournament that no preposition links: `1/2 finale`. */
  round?(below: number): string | undefined;
  /** Matches a word that may follow an abbreviation such as `n.` (number) instead of a number: `n. verde`. Sticky. */
  labelled?: RegExp;
  /** Before the year and before the day of a birth, abbreviated as `n.` in brackets. */
  born?: Readonly<{ in: string; on: string }>;
  /** The postposition of a time of hours and minutes, if none follows, and the pattern of a word that may. Sticky. */
  atTime?: Readonly<{ word: string; next: RegExp }>;
  /** Words before which one unit of a currency has the form of many. Sticky. */
  obliqueNext?: RegExp;
  /** Words of a sentence about cricket; between runs and wickets; behind the runs of a batter who stayed in. */
  cricket?: Readonly<{ sentence: RegExp; wickets: string; notOut: string }>;
  /** A quarter of a year, written `2T`. */
  quarter?: string;
  symbols: Readonly<Record<string, string>>;
  /** By the abbreviation with its full stop, in lower case unless case matters. */
  abbreviations: Readonly<Record<string, string>>;
  /**
   * The title before a name for an abbreviation of one letter, such as `S.`; empty if it is an initial, undefined if it may be one.
   * @param before the end of the text before it
   */
  nameTitle?(abbreviation: string, name: string, before: string): string | undefined;
  /** Abbreviations that are used only before a number, in lower case. */
  numberedAbbreviations: ReadonlySet<string>;
  /** Abbreviations with another meaning after *and*: `arts. 14 y ss.` */
  joined?: Readonly<Record<string, string>>;
  /** Abbreviations with another meaning after a number. */
  counted?: Readonly<Record<string, string>>;
  /** Names of Latin letters in the script of the language: initials, if a full stop follows. */
  letterNames?: ReadonlySet<string>;
  /** Those that are words too, and initials only next to another one. */
  letterWords?: ReadonlySet<string>;
  /** Singular and plural of abbreviations that only follow a number. */
  countedNouns?: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** What some of them mean after a small number: `3 ch.` are rooms, `150 ch.` horses. */
  countedFew?: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** Abbreviations without a full stop: anywhere, before a name, and before a number. */
  shortWords?: Readonly<Record<string, string>>;
  shortTitles?: Readonly<Record<string, string>>;
  shortLabels?: Readonly<Record<string, string>>;
  /** Masculine nouns, abbreviated without a full stop, of which only an ordinal comes before: `2º tri` */
  ordinalNouns?: Readonly<Record<string, string>>;
  /** Those that may also be initials, before a street and the number of a house: `R. Augusta, 100`. */
  streets?: Readonly<Record<string, string>>;
  /** Words with a full stop that at the beginning of a sentence are an answer: `No.` In lower case. */
  answers?: ReadonlySet<string>;
  /** The abbreviation of *numbers* before some of them, without a full stop: `nos 7 et 8`. Sticky. */
  numberedPlural?: Readonly<{ pattern: RegExp; words: string }>;
  /** Abbreviations by a slash: `c/`. */
  slashed?: Readonly<Record<string, string>>;
  /** What `c/` is before an interval: `c/8 h`. */
  each?: string;
  /** Between the genders of `amig@s`, and of one person: `alumno/a`. */
  bothGenders?: string;
  eitherGender?: string;
  /** Whether the feminine ending follows a middle dot or stands in brackets: `étudiant·e·s`, `étudiant(e)s`. */
  dotsBeforeFeminine?: boolean;
  /** Whether plurals end with a vowel: `ragazzi/e`. */
  hasVowelPlurals?: boolean;
  /** Words of both genders with a slash between, by the first: `él/ella`. */
  genderPairs?: Readonly<Record<string, string>>;
  /** Points of the compass by their letters; `O` is the west, for which `W` is understood too. */
  compassPoints?: Readonly<Record<string, string>>;
  /** Books of the Bible by their abbreviations, without a full stop. */
  bibleBooks?: Readonly<Record<string, string>>;
  /** Short names of the days in opening hours, from Monday: `L-V`. */
  openingDays?: readonly (readonly string[])[];
  /** Abbreviations that may end a sentence. */
  finalAbbreviations: ReadonlySet<string>;
  /** Words that make a Roman numeral next to them a number. */
  numbered: ReadonlySet<string>;
  /** Words that make a Roman numeral after them a cardinal number; a single X is a letter: `tipo II` */
  kinds?: ReadonlySet<string>;
  /** Words that follow their numeral and never precede it: `la I República`. */
  numberedAfter?: ReadonlySet<string>;
  /** Articles, alone or with a preposition, before what may be a numeral. */
  articles?: Readonly<Record<Gender, ReadonlySet<string>>>;
  /** First names of rulers: a single I, V or X after them is a numeral too. */
  rulers: ReadonlySet<string>;
  /** Rulers whose numeral is feminine. */
  queens: ReadonlySet<string>;
  /** Whether the voice says *Roman* after a numeral. */
  namesNumerals?: boolean;
  /** Capitals that the voice would read as a number or a unit. */
  spelled: ReadonlySet<string>;
  /** Words of two or three letters, in lower case, that the voice would spell in capitals: stressed ones, and acronyms. */
  capitalized?: ReadonlySet<string>;
  /** A word with the accent that was typed as an apostrophe after it; undefined if it has none. */
  typedAccent?(word: string): string | undefined;
  /** A Roman numeral and its ordinal ending, as groups: `XIXe`. Sticky. */
  romanOrdinal: RegExp;
  /** How to read a Roman numeral. */
  roman(value: number, previous: string, next: string): 'cardinal' | 'ordinal';
  /** National telephone numbers. Sticky. */
  phone: RegExp;
  /** Whether their groups are read as numbers. */
  phonePairs?: boolean;
  /** Names of signs in addresses. */
  address: Readonly<Record<'.' | '/' | '@' | '-' | '_' | ':', string>>;
  /** Words that a phrase begins with. */
  openers: ReadonlySet<string>;
  /** A word that begins with a consonant and one with a vowel: openers may sound different before each. */
  followers: readonly [string, string];
}

/** The part of the rules that names abbreviations. */
export type Abbreviations = Pick<
  LanguageRules,
  | 'abbreviations'
  | 'numberedAbbreviations'
  | 'countedNouns'
  | 'countedFew'
  | 'shortWords'
  | 'ordinalNouns'
  | 'shortTitles'
  | 'shortLabels'
  | 'joined'
  | 'counted'
  | 'numberedPlural'
  | 'streets'
  | 'answers'
  | 'slashed'
  | 'each'
  | 'compassPoints'
  | 'bibleBooks'
  | 'openingDays'
  | 'finalAbbreviations'
>;

/** The points of the compass in a language that joins their names by hyphens: *nord-nord-est*. */
export function hyphenatedPoints(north: string, south: string, east: string, west: string): Record<string, string> {
  const names: Record<string, string> = { N: north, S: south, E: east, O: west };
  const points = ['N', 'S', 'E', 'O', 'NE', 'NO', 'SE', 'SO', 'NNE', 'NNO', 'SSE', 'SSO', 'ENE', 'ESE', 'ONO', 'OSO'];
  return Object.fromEntries(points.map((point) => [point, [...point].map((letter) => names[letter]).join('-')]));
}

/** Nouns and their plurals. */
export function withPlurals(nouns: ReadonlySet<string>, plural: (noun: string) => string): ReadonlySet<string> {
  return new Set([...nouns].flatMap((noun) => [noun, plural(noun)]));
}

/**
 * Makes a `LanguageRules.genderOf` that goes by the ending of the noun.
 * @param end endings of feminine nouns
 * @param feminine nouns with other endings
 * @param masculine nouns with feminine endings
 * @param uncounted words that are not nouns
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
