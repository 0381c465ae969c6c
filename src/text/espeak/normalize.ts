import { fold, unfolded } from '../folding.ts';
import { type Pronunciation, pronunciationMark } from '../language.ts';
import { matchAt } from '../patterns.ts';
import { romanValue } from '../roman-numerals.ts';
import type { SpellOut } from '../spell-out.ts';
import { transliterate } from '../transliteration.ts';
import type { NormalizationOptions, SpokenToken } from '../types.ts';
import { isMinus } from './calculations.ts';
import { monthNames, shortMonths } from './months.ts';
import type { Currency, Gender, LanguageRules } from './rules.ts';

/** The words for the characters up to `end`; empty if silent. */
interface SpokenForm {
  end: number;
  words: string;
}

/** Longer numbers are not exact, and are read digit by digit. */
const MAX_DIGITS = 15;
const WHITESPACE = /\s+/y;
const WORD = /[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)*['’]?/uy;
const NOT_WHITESPACE = /[^\s\uFFFC]+/y;
const NEXT_WORD = /\s{1,3}([\p{L}\p{M}]+)/uy;
const MARKS = /[;:,.!?¡¿…"«»“”(){}[\]।॥]/;
const ISO_DATE = /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)/y;
const DATE = /(0?[1-9]|[12]\d|3[01])([/.-])(0?[1-9]|1[0-2])\2(\d{4}|\d{2})(?!\d)/y;
const YEAR_MONTH = /20(\d{2})-(0[1-9]|1[0-2])(?![\d-])/y;
const DAY_AND_MONTH = /(0?[1-9]|[12]\d|3[01])\/(0?[1-9]|1[0-2])(?![\d/])/y;
const DOTTED_TIME = /(?<h>[01]?\d|2[0-4])\.(?<m>[0-5]\d)(?![\p{L}\d]|[.,:]\d|\s?[€$£%])/uy;
const HALF_DAY_TIME = /(0?[1-9]|1[0-2])(?::([0-5]\d))?\s?([ap])(?:\.\s?m\.|m(?![\p{L}\d]))/iuy;
const VERSION = /\d+(?:\.\d+){2,}(?![\d.]*\d)/y;
const GROUPED = /^\d{1,3}(?:\.\d{3})+$/;
/** Plural articles and years. */
const DECADE_BEFORE = /(?<!\p{L})(?:los|años|les|des|années|gli|anni|os|dos|nos|anos)\s$/iu;
/** A title and a name. */
const TITLED_RULER =
  /(?<!\p{L})(?:papa|rey|reina|rei|rainha|re|regina|dom|dona|don|doña)\s\p{Lu}[\p{L}\p{M}]+\s{1,3}$/iu;
const VULGAR_FRACTION = /[¼½¾⅓⅔⅕-⅞]/y;
const MIXED = /(\d{1,3})(?:\s(?=\d)|\s?(?=\D))(\d{1,2}\/\d{1,2}(?![\d/])|[¼½¾⅓⅔⅕-⅞])/y;
const FRACTION = /(\d{1,3})\/(\d{1,3})(?![\d/])/y;
const RANGE = /(\s?)[-–]\s?(?=\d)/y;
const POWER = /(?:\^|\*\*(?=\d))\(?([-−]?)(\d{1,15}|[nxk](?![\p{L}\d]))\)?/uy;
const SUBSCRIPT = /[₀-₉]{1,15}/y;
const INTERNATIONAL_PHONE = /\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){1,6}(?!\d)/y;
/** A number without separators, by its country code: https://www.itu.int/pub/T-SP-E.164D */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d{6})/;
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"«»]{2,200}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,5}|[a-z\d-]{2,64}(?:\.[a-z\d-]{2,24}){0,4}\.(?:com|org|net|es|fr|it|br|in|eu|io|info)(?![\p{L}\d])(?:\/[^\s<>"«»]{0,200})?/iuy;
const ROMAN = /((?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\p{L}\d])/uy;
const DEGREES = /\s?[°º]\s?([CF])(?!\p{L})/uy;
const ARTICLE_BEFORE = /(?<!\p{L})(?:el|al|del|o|no|do|ao|il|nel|dal|sul)\s$/iu;
const UNIT =
  /\s?(km\/h|m\/s|mg\/d[Ll]|[kc]?m[²³23]|km|cm|mm|kWh|kW|kg|mg|ml|mL|mq|ha|GB|MB|kB|TB|Mbps|min|m|g|l|L|h|s|t)(?![\p{L}\d²³/])/uy;
const AMOUNT_BEFORE = /[€$£¥₹](?:\s?\d[\d.,]{0,15}(?:\s?\p{L}{1,3})?)?$/u;
/** A number after an abbreviation. */
const NUMBER_NEXT = /^\s?(?:\d|[IVXLC]{1,8}(?![\p{L}\d]))/u;
/** A name after a title. */
const TITLED_NEXT = /^\s(?:l[ae]s?\s|l['’])?\p{Lu}(?:[\p{L}'’]|\.\s\p{Lu}\p{Ll})/u;
/** The end of a sentence. */
const ENDING = /^["»”’)\s]*$/;
const SHORT_MONTH = /([\p{L}\p{M}]{3,5}|[\p{L}\p{M}]{2}(?=[.॰]))(?![\p{L}\p{M}])[.॰]?/uy;
const DAY_BEFORE = /(?<!\d)(?:0?[1-9]|[12]\d|3[01])(?:er|º|°)?\s(?:de\s)?$/u;
const INITIAL_BEFORE = /(?<![\p{L}\p{M}])\p{L}\p{M}*\.-?$/u;
const INITIALS = /(?:\p{Lu}\.-?){2,6}(?![\p{L}\p{M}])|(?:\p{Script=Latin}\.){3,6}(?![\p{L}\p{M}])/uy;
/** Longer ones first. Those of one part do not end beside an initial. */
const ABBREVIATIONS = [
  ...[4, 3, 2].map((parts) => new RegExp(`(?:[\\p{L}\\p{M}]{1,6}(?:[.॰]-?|-)\\s?){${parts}}(?![\\p{L}\\p{M}])`, 'uy')),
  /[\p{L}\p{M}]{1,8}\.(?:[ªº]|\p{Ll}{1,3}(?![\p{L}\p{M}.]))/uy,
  /[\p{L}\p{M}]{1,8}[.॰](?!\p{Ll}|-?\p{L}\p{M}*[.॰])|n[.]?[°ºᵒ]/iuy,
];
const EXPONENT = /[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,15}/y;
const SCRIPT_DIGITS = /[\u0966-\u096F]/g;
/** Names of units for `Intl`, by symbol. */
const UNITS: Readonly<Record<string, string>> = {
  'km/h': 'kilometer-per-hour',
  'm/s': 'meter-per-second',
  km: 'kilometer',
  cm: 'centimeter',
  mm: 'millimeter',
  m: 'meter',
  kg: 'kilogram',
  g: 'gram',
  ml: 'milliliter',
  mL: 'milliliter',
  l: 'liter',
  L: 'liter',
  ha: 'hectare',
  GB: 'gigabyte',
  MB: 'megabyte',
  kB: 'kilobyte',
  TB: 'terabyte',
  Mbps: 'megabit-per-second',
  min: 'minute',
  h: 'hour',
  s: 'second',
};

/** Thousands, millions …, in words. */
interface Scale {
  end: number;
  word: string;
  isThousand: boolean;
  /** Whether it is abbreviated. */
  isShort: boolean;
}

interface CurrencySign {
  end: number;
  currency: string;
}

/** A written number, without its sign. */
interface WrittenNumber {
  end: number;
  whole: string;
  decimals: string;
  point: ',' | '.';
}

/** Normalizes the sentences of one language: writes numbers, symbols and abbreviations in words for eSpeak. */
export class Normalizer {
  readonly #rules: LanguageRules;
  readonly #spellOut: SpellOut;
  readonly #months: readonly string[];
  /** Names by their abbreviations, without full stops. */
  readonly #shortMonths: ReadonlyMap<string, string>;
  readonly #plurals: Intl.PluralRules;
  /** Longer names first. */
  readonly #currenciesByName: readonly (readonly [sign: string, Currency])[];

  constructor(rules: LanguageRules, spellOut: SpellOut) {
    this.#rules = rules;
    this.#spellOut = spellOut;
    this.#plurals = new Intl.PluralRules(rules.tag);
    this.#currenciesByName = Object.entries(rules.currencies).sort(([, a], [, b]) => b.many.length - a.many.length);
    this.#months = monthNames(rules.tag, 'long');
    this.#shortMonths = shortMonths(rules.tag);
  }

  /** As `SentenceRules.tokens`. */
  tokens(source: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[] {
    const folded = options.normalize ? fold(source) : unfolded(source);
    const { text } = folded;
    // The same length as `text`, so that indexes fit both.
    const asciiDigits = text.replace(SCRIPT_DIGITS, (digit) => String(digit.codePointAt(0)! - 0x0966));
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
      const { end, words } = options.normalize
        ? this.#spokenForm(asciiDigits, index, options)
        : {
            end: index + (matchAt(NOT_WHITESPACE, text, index)?.[0].length ?? 1),
            words: matchAt(NOT_WHITESPACE, text, index)?.[0] ?? '',
          };
      list.add(folded.written(index, end), words);
      index = end;
    }
    list.endToken();
    return list.tokens;
  }

  #spokenForm(text: string, index: number, options: NormalizationOptions): SpokenForm {
    const isDigit = /\d/.test(text[index]!);
    return (
      this.#address(text, index, options) ??
      (isDigit || /[+(]/.test(text[index]!) ? this.#phone(text, index, options) : undefined) ??
      (isDigit ? (this.#date(text, index) ?? this.#time(text, index)) : undefined) ??
      this.#money(text, index) ??
      (isDigit ? this.#numeral(text, index, options) : this.#fraction(text, index)) ??
      this.#word(text, index) ??
      this.#sign(text, index, options)
    );
  }

  #address(text: string, index: number, options: NormalizationOptions): SpokenForm | undefined {
    if (/[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
    const match = matchAt(ADDRESS, text, index)?.[0].replace(/[.,;:!?)\]]+$/, '');
    if (!match) return undefined;
    const isMail = match.includes('@');
    const namesHyphen = !(isMail ? options.email_normalization : options.url_normalization) || isMail;
    const { address } = this.#rules;
    const words = match.replace(/^https?:\/\//, '').replace(/[./@_:-]|\d+|[^\p{L}\d./@_:-]/gu, (part) => {
      if (/\d/.test(part)) return ` ${this.#digits(part)} `;
      return Object.hasOwn(address, part) && (namesHyphen || part !== '-') ? ` ${address[part as '.']} ` : ' ';
    });
    return { end: index + match.length, words: words.replace(/\s+/g, ' ').trim() };
  }

  #phone(text: string, index: number, options: NormalizationOptions): SpokenForm | undefined {
    if (!options.phone_normalization || /[\p{L}\d.,]/u.test(text[index - 1] ?? '')) return undefined;
    const match =
      matchAt(INTERNATIONAL_PHONE, text, index) ?? matchAt(this.#rules.phone, text, index) ?? longNumber(text, index);
    if (!match || match[0].replace(/\D/g, '').length < 8) return undefined;
    const groups = this.#phoneGroups(match[0]);
    const isPaired =
      this.#rules.phonePairs && groups.every((group) => group.length <= 2 || match[0].startsWith(`+${group}`));
    const words = groups.map((group) => (isPaired ? this.#whole(group) : this.#digits(group))).join(', ');
    return { end: index + match[0].length, words: match[0].startsWith('+') ? `${this.#rules.plus} ${words}` : words };
  }

  #phoneGroups(phone: string): string[] {
    const groups = phone.match(/\d+/g)!;
    if (groups.length > 1) return groups;
    const [digits] = groups as [string];
    const [country = ''] = phone.startsWith('+') ? (COUNTRY_CODE.exec(digits) ?? []) : [];
    const rest = digits.slice(country.length);
    const parts = this.#rules.phonePairs ? rest.match(/^\d(?=(?:\d{2})+$)|\d{2}|\d/g)! : [rest];
    return [country, ...parts].filter(Boolean);
  }

  #date(text: string, index: number): SpokenForm | undefined {
    if (/[\d/.-]/.test(text[index - 1] ?? '')) return undefined;
    const iso = matchAt(ISO_DATE, text, index);
    if (iso) return { end: index + iso[0].length, words: this.#dateWords(iso[3]!, iso[2]!, iso[1]!) };
    const yearMonth = matchAt(YEAR_MONTH, text, index);
    // 2011-12 are two years.
    if (yearMonth && yearMonth[1]! >= yearMonth[2]!) {
      const words = this.#rules.date('', this.#months[Number(yearMonth[2]) - 1]!, this.#year(`20${yearMonth[1]}`));
      return { end: index + yearMonth[0].length, words: words.trim().replace(/^de /, '') };
    }
    const match = matchAt(DATE, text, index);
    if (!match) return this.#dayAndMonth(text, index);
    return { end: index + match[0].length, words: this.#dateWords(match[1]!, match[3]!, match[4]!) };
  }

  /** `el 5/11`: a date after an article, unless it is rather a fraction. */
  #dayAndMonth(text: string, index: number): SpokenForm | undefined {
    const match = matchAt(DAY_AND_MONTH, text, index);
    const before = text.slice(Math.max(0, index - 12), index);
    if (!match || !this.#rules.dateBefore?.test(before)) return undefined;
    const [all, day, month] = match as unknown as [string, string, string];
    const isFraction = Number(month) <= 10 && Number(day) < Number(month);
    if (isFraction && !/(?:d[ií]a|giorno)\s$/iu.test(before)) return undefined;
    const words = this.#dateWords(day, month, '').replace(/\s*(?:de)?\s*$/, '');
    return { end: index + all.length, words };
  }

  #dateWords(day: string, month: string, year: string): string {
    const { firstDay, date } = this.#rules;
    const dayWords = Number(day) === 1 && firstDay ? firstDay : this.#whole(String(Number(day)));
    return date(dayWords, this.#months[Number(month) - 1]!, year && this.#year(year));
  }

  #year(digits: string): string {
    const special = this.#rules.year?.(Number(digits), (number, set) => this.#spellOut.say(number, set));
    return special ?? this.#whole(digits);
  }

  #time(text: string, index: number): SpokenForm | undefined {
    if (/[\d:.,/]/.test(text[index - 1] ?? '')) return undefined;
    const half = this.#halfDayTime(text, index);
    if (half) return half;
    const match = this.#timeAt(text, index);
    if (!match) return undefined;
    const { h, m, m2, s } = match.groups as { h: string; m?: string; m2?: string; s?: string };
    const say = (number: number, gender?: Gender) => this.#cardinal(String(number), gender);
    const words = this.#rules.timeWords(Number(h), Number(m ?? m2 ?? 0), Number(s ?? 0), say);
    const end = index + match[0].length;
    const dash = this.#rangeDash(text, end);
    return dash && this.#timeAt(text, dash) ? { end: dash, words: `${words} ${this.#rules.range}` } : { end, words };
  }

  /** A time, with a full stop between hours and minutes only after a word that announces it: `ore 9.30-12.30`. */
  #timeAt(text: string, index: number): RegExpExecArray | undefined {
    const time = matchAt(this.#rules.time, text, index);
    if (time) return time;
    const isAnnounced = this.#rules.timeBefore?.test(text.slice(Math.max(0, index - 20), index));
    return isAnnounced ? matchAt(DOTTED_TIME, text, index) : undefined;
  }

  /** `5:30pm`, `10 p. m.` */
  #halfDayTime(text: string, index: number): SpokenForm | undefined {
    const match = this.#rules.halfDay && matchAt(HALF_DAY_TIME, text, index);
    if (!match) return undefined;
    const [all, hour, minutes = '0', half] = match as unknown as [string, string, string | undefined, string];
    const say = (number: number, gender?: Gender) => this.#cardinal(String(number), gender);
    const time = this.#rules.timeWords(Number(hour), Number(minutes), 0, say).replace(/ (?:en|in) punto$/, '');
    const end = index + all.length;
    const words = `${time} ${this.#rules.halfDay!(Number(hour) % 12, half.toLowerCase() === 'p')}`;
    return { end, words: all.endsWith('.') && ENDING.test(text.slice(end)) ? `${words}.` : words };
  }

  #money(text: string, index: number): SpokenForm | undefined {
    const isWordPart = /[\p{L}\d]/u.test(text[index - 1] ?? '');
    const sign = /\p{L}/u.test(text[index - 1] ?? '') ? undefined : this.#currencyAt(text, index);
    if (sign) return this.#amountBehind(text, sign);
    const amount = isWordPart ? undefined : this.#numberAt(text, index);
    if (!amount) return undefined;
    const scale = this.#scaleAt(text, amount);
    const after = scale?.end ?? amount.end;
    // 20k euros
    const named = scale?.isShort ? this.#namedCurrency(text, after) : undefined;
    const match = this.#currencyAt(text, after + (/\s/.test(text[after] ?? '') ? 1 : 0)) ?? named;
    if (!match) return undefined;
    const form = this.#amount(amount, match.currency, scale, match.end);
    return this.#beforeRange(text, form, text.slice(after, match.end).trim());
  }

  /** The amount behind a currency sign. A range names the currency once, at its end: `$10-20`, `$10-$20`. */
  #amountBehind(text: string, { end: signEnd, currency }: CurrencySign): SpokenForm | undefined {
    const amount = this.#numberAt(text, signEnd + (/\s/.test(text[signEnd] ?? '') ? 1 : 0));
    if (!amount) return undefined;
    const dash = matchAt(/[-–]/y, text, amount.end);
    const next = amount.end + 1;
    const nextSign = dash && this.#currencyAt(text, next);
    const isRange = dash && !isMinus(text, amount.end) && (!nextSign || nextSign.currency === currency);
    const to = isRange ? this.#amountBehind(text, nextSign ?? { end: next, currency }) : undefined;
    if (to) {
      const { one, gender } = this.#rules.currencies[currency]!;
      const from =
        amount.decimals === ''
          ? this.#cardinal(amount.whole, gender, one)
          : this.#amount(amount, currency, undefined, amount.end).words;
      return { end: to.end, words: `${from} ${this.#rules.range} ${to.words}` };
    }
    const scale = this.#scaleAt(text, amount);
    const end = scale?.end ?? amount.end;
    const code = matchAt(/\s?([A-Z]{3})(?![\p{L}\d])/uy, text, end);
    const named =
      code && Object.hasOwn(this.#rules.currencies, code[1]!)
        ? { end: end + code[0].length, currency: code[1]! }
        : this.#namedCurrency(text, end);
    return this.#amount(amount, named?.currency ?? currency, scale, named?.end ?? end);
  }

  /** The currency whose name follows an amount: `$5 millones de pesos`. */
  #namedCurrency(text: string, index: number): CurrencySign | undefined {
    const follows = (name: string) =>
      text.startsWith(` ${name}`, index) && !/[\p{L}\p{M}]/u.test(text[index + 1 + name.length] ?? '');
    for (const [sign, { one, many }] of this.#currenciesByName) {
      const name = [many, this.#rules.of(many), one].find(follows);
      if (name) return { end: index + 1 + name.length, currency: sign };
    }
    return undefined;
  }

  /** The word for thousands, millions … after a number, or its abbreviation. */
  #scaleAt(text: string, { end, whole, decimals }: WrittenNumber): Scale | undefined {
    const { scale, scales, thousand } = this.#rules;
    const word = matchAt(scale, text, end)?.[0];
    if (word)
      return { end: end + word.length, word: word.trim(), isThousand: word.trim() === thousand, isShort: false };
    const short = matchAt(/\s?(\p{L}{1,7})(?![\p{L}\p{M}\d])/uy, text, end);
    if (!short || !Object.hasOwn(scales, short[1]!)) return undefined;
    const [one, many] = scales[short[1]!]!;
    const isOne = this.#plurals.select(Number(`${whole}.${decimals || 0}`)) === 'one';
    const named = isOne ? one : many;
    return { end: end + short[0].length, word: named, isThousand: named === thousand, isShort: true };
  }

  /** A number with its scale, as one number where it can be: two thousand. */
  #scaled(number: WrittenNumber, { word, isThousand }: Scale, gender: Gender | undefined, noun: string): string {
    if (isThousand && number.decimals === '' && number.whole.length <= 3) {
      return this.#cardinal(`${number.whole}000`, gender, noun);
    }
    const count = number.decimals === '' ? this.#cardinal(number.whole, 'masculine', word) : this.#decimal(number);
    return `${count} ${word}`;
  }

  /** Adds the word between the ends of a range, if another value with the same suffix follows a dash. */
  #beforeRange(text: string, { end, words }: SpokenForm, suffix: string): SpokenForm {
    const next = this.#rangeDash(text, end);
    const to = next && this.#numberAt(text, next);
    const isSameKind = to && (next === end + 1 || matchAt(/\s?\S{1,6}/y, text, to.end)?.[0].includes(suffix));
    return isSameKind ? { end: next!, words: `${words} ${this.#rules.range}` } : { end, words };
  }

  /** The end of a dash between two values of a range. */
  #rangeDash(text: string, index: number): number | undefined {
    const dash = matchAt(RANGE, text, index);
    return dash && !isMinus(text, index + dash[1]!.length) ? index + dash[0].length : undefined;
  }

  #currencyAt(text: string, index: number): CurrencySign | undefined {
    for (const length of [3, 2, 1]) {
      const sign = text.slice(index, index + length);
      const isPartOfWord = /[\p{L}\p{M}]$/u.test(sign) && /[\p{L}\p{M}]/u.test(text[index + length] ?? '');
      if (sign.length === length && !isPartOfWord && Object.hasOwn(this.#rules.currencies, sign)) {
        return { end: index + length, currency: sign };
      }
    }
    return undefined;
  }

  #amount(number: WrittenNumber, sign: string, scale: Scale | undefined, end: number): SpokenForm {
    const { whole, decimals } = number;
    const { currencies, centsAfter, of } = this.#rules;
    const { one, many, gender, cent } = currencies[sign]!;
    const isWhole = /^0*$/.test(decimals);
    if (scale) {
      const name = scale.isThousand ? many : of(many);
      return { end, words: `${this.#scaled(number, scale, gender, many)} ${name}` };
    }
    if (!isWhole && (decimals.length !== 2 || !cent)) return { end, words: `${this.#decimal(number)} ${many}` };
    const count = this.#cardinal(whole, gender, one);
    const isMillions = /0{6}$/.test(whole) && Number(whole) > 0;
    const name = Number(whole) === 1 ? one : isMillions ? of(many) : many;
    const cents = isWhole
      ? ''
      : `${this.#cardinal(String(Number(decimals)), 'masculine')} ${cent![Number(decimals) === 1 ? 0 : 1]}`;
    if (isWhole) return { end, words: `${count} ${name}` };
    return { end, words: Number(whole) === 0 ? cents : `${count} ${name} ${centsAfter} ${cents}`.replace(/\s+/g, ' ') };
  }

  #numeral(text: string, index: number, options: NormalizationOptions): SpokenForm | undefined {
    const rules = this.#rules;
    const version = matchAt(VERSION, text, index)?.[0];
    if (version && !GROUPED.test(version)) {
      const words = version.split('.').map((part) => this.#whole(part));
      return { end: index + version.length, words: words.join(` ${rules.points['.']} `) };
    }
    const decade = this.#decade(text, index);
    if (decade) return decade;
    const ordinal = matchAt(rules.ordinal, text, index);
    if (ordinal && !this.#isDegrees(text, index, ordinal[0])) {
      const end = index + ordinal[0].length;
      const suffix = ordinal[0].replace(/[\d.]/g, '');
      return { end, words: this.#ordinal(Number.parseInt(ordinal[0], 10), suffix, this.#nextWord(text, end)) };
    }
    const fraction = this.#mixed(text, index) ?? this.#fraction(text, index);
    if (fraction) return fraction;
    const number = this.#numberAt(text, index);
    if (!number) return undefined;
    const { end } = number;
    const suffix = this.#suffix(text, number, options);
    if (suffix) return this.#beforeRange(text, suffix, text.slice(end, suffix.end).trim());
    const dash = this.#rangeDash(text, end);
    const to = dash && !/[\d-]/.test(text[index - 1] ?? '') ? this.#numberAt(text, dash) : undefined;
    if (dash && to && !/^\s?[-–]/.test(text.slice(to.end, to.end + 2))) {
      const isYear = number.decimals === '' && end - index === 4;
      const from = isYear ? this.#year(number.whole) : this.#decimal(number);
      return { end: dash, words: `${from} ${rules.range}` };
    }
    const noun = this.#nextWord(text, end);
    if (noun === rules.thousand && number.decimals === '' && number.whole.length <= 3) {
      const scale = this.#scaleAt(text, number)!;
      const counted = this.#nextWord(text, scale.end);
      return { end: scale.end, words: this.#scaled(number, scale, rules.genderOf(counted), counted) };
    }
    if (number.decimals !== '') return { end, words: this.#decimal(number) };
    const isMonth = this.#isMonth(noun);
    if (
      number.whole === '1' &&
      rules.firstDay &&
      (isMonth || this.#months.some((name) => text.startsWith(` de ${name}`, end)))
    ) {
      return { end, words: rules.firstDay };
    }
    const isAdjacent = /[\p{L}‑-]/u.test(text[index - 1] ?? '');
    const gender = isAdjacent ? undefined : rules.genderOf(noun);
    // Four digits without a separator may be a year.
    const words =
      end - index === 4 && gender === undefined ? this.#year(number.whole) : this.#cardinal(number.whole, gender, noun);
    return { end, words };
  }

  #fraction(text: string, index: number): SpokenForm | undefined {
    const match = matchAt(FRACTION, text, index) ?? matchAt(VULGAR_FRACTION, text, index);
    if (!match) return undefined;
    const end = index + match[0].length;
    const [above, below] = fractionParts(match[0]);
    const gender = this.#rules.genderOf(this.#nextWord(text, end));
    const half = above === 1 && below === 2 && gender ? this.#rules.half?.[gender] : undefined;
    const words = half ?? lookUp(this.#rules.symbols, match[0]) ?? this.#fractionWords(above, below);
    return words === undefined ? undefined : { end, words };
  }

  #fractionWords(above: number, below: number): string | undefined {
    return this.#rules.fraction(above, below, (number) => this.#ordinal(number, '', ''));
  }

  /** `2 1/2 tazas`, `1½ heure`: the noun is said before the fraction, as in two cups and a half. */
  #mixed(text: string, index: number): SpokenForm | undefined {
    const match = /[\d.,/-]/.test(text[index - 1] ?? '') ? undefined : matchAt(MIXED, text, index);
    if (!match) return undefined;
    const { halfBehind, and, genderOf, genderOfMany, singular, mixed } = this.#rules;
    const end = index + match[0].length;
    const whole = Number(match[1]);
    const [above, below] = fractionParts(match[2]!);
    if (above >= below) return undefined;
    const special = mixed?.(whole, above, below, (number) => this.#whole(String(number)));
    if (special) return { end, words: special };
    const next = this.#nextWord(text, end);
    const gender = (whole > 1 ? genderOfMany?.(next) : undefined) ?? genderOf(next);
    const isHalf = above === 1 && below === 2;
    const part = isHalf && halfBehind ? halfBehind[gender ?? 'masculine'] : this.#fractionWords(above, below);
    if (!part) return undefined;
    const noun = gender === undefined ? undefined : whole > 1 ? next : singular?.(next);
    if (!noun) return { end, words: `${this.#cardinal(match[1]!, gender)} ${and} ${part}` };
    const nounEnd = text.indexOf(next, end) + next.length;
    return { end: nounEnd, words: `${this.#cardinal(match[1]!, gender, noun)} ${noun} ${and} ${part}` };
  }

  /** `los 90s`, `les 60's`: no seconds. */
  #decade(text: string, index: number): SpokenForm | undefined {
    const match = matchAt(/((?:1\d|20)?\d0)(['’]?)s(?![\p{L}\d])/uy, text, index);
    if (!match || /[\p{L}\d.,/-]/u.test(text[index - 1] ?? '')) return undefined;
    const [all, digits, apostrophe] = match;
    const isNamed =
      apostrophe !== '' || digits!.length === 4 || DECADE_BEFORE.test(text.slice(Math.max(0, index - 10), index));
    return isNamed ? { end: index + all.length, words: this.#year(digits!) } : undefined;
  }

  /** Whether the mark behind a number is a degree sign, or an ordinal mark in its place: `180º`, `30ºC`. */
  #isDegrees(text: string, index: number, ordinal: string): boolean {
    const number = Number.parseInt(ordinal, 10);
    if (!/\d[°º]$/.test(ordinal)) return false;
    const end = index + ordinal.length;
    const scale = /^(\s?)[CF](?!\p{L})/u.exec(text.slice(end, end + 3));
    // 3º C may be a flat or a class.
    if (scale) return ordinal.endsWith('°') || scale[1] === '' || number >= 10;
    const isCounted = this.#rules.genderOf(this.#nextWord(text, end)) !== undefined;
    const isNamed = ARTICLE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
    return number >= 20 && number % 10 === 0 && !isCounted && !isNamed;
  }

  /** A number with the percent sign, degrees or unit after it. */
  #suffix(text: string, number: WrittenNumber, options: NormalizationOptions): SpokenForm | undefined {
    const { percent, perMille } = this.#rules;
    const sign = /^\s?([%‰])/.exec(text.slice(number.end, number.end + 2));
    if (sign) {
      const words = `${this.#decimal(number)} ${sign[1] === '%' ? percent : perMille}`;
      return { end: number.end + sign[0].length, words };
    }
    if (/^[°º](?!\s?[CF](?!\p{L}))/u.test(text.slice(number.end, number.end + 4))) {
      return { end: number.end + 1, words: `${this.#decimal(number)} ${this.#rules.symbols['°']}` };
    }
    const degrees = matchAt(DEGREES, text, number.end);
    const unit = degrees ?? (options.unit_normalization ? matchAt(UNIT, text, number.end) : undefined);
    if (!unit) return undefined;
    const value = Number(`${number.whole}.${number.decimals || '0'}`);
    const noun = degrees
      ? this.#unitName(degrees[1] === 'C' ? 'celsius' : 'fahrenheit', value)
      : this.#unitNoun(unit[1]!.replace('2', '²').replace('3', '³').replace('dl', 'dL'), value);
    if (!noun) return undefined;
    const count =
      number.decimals === ''
        ? this.#cardinal(number.whole, this.#rules.genderOf(noun.split(' ')[0]!), noun)
        : this.#decimal(number);
    return { end: number.end + unit[0].length, words: `${count} ${noun}` };
  }

  #unitNoun(symbol: string, value: number): string | undefined {
    const { units } = this.#rules;
    if (Object.hasOwn(units, symbol)) return units[symbol]![this.#plurals.select(value) === 'one' ? 0 : 1];
    return Object.hasOwn(UNITS, symbol) ? this.#unitName(UNITS[symbol]!, value) : undefined;
  }

  #unitName(unit: string, value: number): string {
    const options = { style: 'unit', unit, unitDisplay: 'long', useGrouping: false } as const;
    return new Intl.NumberFormat(this.#rules.tag, options)
      .formatToParts(value)
      .filter(({ type }) => type === 'unit')
      .map((part) => part.value.trim())
      .join(' ');
  }

  #numberAt(text: string, index: number): WrittenNumber | undefined {
    const match = matchAt(this.#rules.number, text, index);
    if (!match) return undefined;
    const { whole, decimals = '' } = match.groups as { whole: string; decimals?: string };
    const point = decimals[0] === '.' ? '.' : ',';
    return {
      end: index + match[0].length,
      whole: whole.replace(this.#rules.grouping, ''),
      decimals: decimals.slice(1),
      point,
    };
  }

  #nextWord(text: string, index: number): string {
    return matchAt(NEXT_WORD, text, index)?.[1] ?? '';
  }

  /** A number without a noun. */
  #whole(digits: string): string {
    return this.#cardinal(digits, undefined);
  }

  #cardinal(digits: string, gender: Gender | undefined, noun = ''): string {
    const { sets, correct } = this.#rules;
    const isDigitwise = digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'));
    const words = isDigitwise ? undefined : this.#spellOut.say(Number(digits), sets[gender ?? 'alone']);
    if (words === undefined) return this.#digits(digits);
    return correct ? correct(words, gender ? noun : '') : words;
  }

  #decimal({ whole, decimals, point }: Pick<WrittenNumber, 'whole' | 'decimals' | 'point'>): string {
    if (decimals === '') return this.#whole(whole);
    const { points, readDecimals } = this.#rules;
    const [zeros] = /^0*/.exec(decimals)!;
    const rest = decimals.slice(zeros.length);
    const restWords = rest === '' ? '' : rest.length <= readDecimals ? this.#whole(rest) : this.#digits(rest);
    return [this.#whole(whole), points[point], zeros === '' ? '' : this.#digits(zeros), restWords]
      .filter(Boolean)
      .join(' ');
  }

  #digits(digits: string): string {
    return [...digits].map((digit) => this.#spellOut.say(Number(digit), this.#rules.sets.alone) ?? '').join(' ');
  }

  #ordinal(number: number, suffix: string, noun: string): string {
    const { sets, ordinalGender, correctOrdinal } = this.#rules;
    const words = this.#spellOut.say(number, sets.ordinal[ordinalGender(suffix)]) ?? this.#whole(String(number));
    return correctOrdinal ? correctOrdinal(words, suffix, noun) : words;
  }

  #word(text: string, index: number): SpokenForm | undefined {
    return (
      this.#shortMonth(text, index) ??
      this.#roman(text, index) ??
      this.#abbreviation(text, index) ??
      this.#initials(text, index) ??
      this.#shortened(text, index) ??
      this.#letters(text, index)
    );
  }

  #roman(text: string, index: number): SpokenForm | undefined {
    if (/[\p{L}\d'’-]/u.test(text[index - 1] ?? '')) return undefined;
    const [, numeral, suffix = ''] =
      matchAt(this.#rules.romanOrdinal, text, index) ?? matchAt(ROMAN, text, index) ?? [];
    // Article L. 121-1 is no article 50.
    if (!numeral || (/^[LC]$/.test(numeral) && suffix === '')) return undefined;
    const value = romanValue(numeral);
    const end = index + numeral.length + suffix.length;
    const next = this.#nextWord(text, end);
    if (suffix !== '') return { end, words: this.#ordinal(value, suffix, next) };
    const written = /([\p{L}\p{M}]+\.?)\s{0,3}$/u.exec(text.slice(Math.max(0, index - 40), index))?.[1] ?? '';
    const before = lookUp(this.#rules.abbreviations, written.toLowerCase()) ?? written;
    const { numbered, rulers, queens, namesNumerals } = this.#rules;
    const isNumbered = numbered.has(before.toLowerCase()) || numbered.has(next.toLowerCase());
    const isLong = numeral.length > 1 && /^[IVX]+$/.test(numeral);
    const isTitled = TITLED_RULER.test(text.slice(Math.max(0, index - 40), index));
    const isKnown = isTitled || rulers.has(before.toLowerCase()) || queens.has(before.toLowerCase());
    const isRuler = /^\p{Lu}\p{Ll}/u.test(before) && (isLong || isKnown);
    if (!isNumbered && !isRuler) {
      return namesNumerals && isLong ? { end, words: this.#whole(String(value)) } : undefined;
    }
    const kind = this.#rules.roman(value, before, next);
    const isFeminine =
      queens.has(before.toLowerCase()) ||
      this.#rules.genderOf(numbered.has(next.toLowerCase()) ? next : before) === 'feminine';
    const gender = isFeminine ? 'ª' : '';
    return { end, words: kind === 'ordinal' ? this.#ordinal(value, gender, next) : this.#whole(String(value)) };
  }

  #abbreviation(text: string, index: number): SpokenForm | undefined {
    const before = text.slice(Math.max(0, index - 8), index);
    if (/[\p{L}\p{M}]$/u.test(before) || INITIAL_BEFORE.test(before)) return undefined;
    const { finalAbbreviations } = this.#rules;
    for (const pattern of ABBREVIATIONS) {
      const match = matchAt(pattern, text, index)?.[0].trimEnd();
      const key = match && abbreviationKey(match);
      const words = key && this.#abbreviated(key, before, text.slice(index + match.length, index + match.length + 20));
      if (!match || !words) continue;
      const end = index + match.length;
      // Its full stop may also end the sentence.
      const isFinal = ENDING.test(text.slice(end)) && (finalAbbreviations.has(key!) || text.length === end);
      return { end, words: isFinal ? `${words}.` : words };
    }
    return undefined;
  }

  /** The words for an abbreviation; undefined where its neighbours show that it is none. */
  #abbreviated(key: string, before: string, after: string): string | undefined {
    const { abbreviations, numberedAbbreviations, counted } = this.#rules;
    const lower = key.toLowerCase();
    const unit = counted && /\d\s?$/.test(before) ? lookUp(counted, key) : undefined;
    if (unit) return unit;
    // 20 s. 5 is no century.
    const isNumbered = NUMBER_NEXT.test(after) && !/\d\s?$/.test(before);
    if (numberedAbbreviations.has(lower) && isNumbered) return lookUp(abbreviations, lower);
    const words = lookUp(abbreviations, key) ?? lookUp(abbreviations, lower);
    if (numberedAbbreviations.has(lower) && words === lookUp(abbreviations, lower)) return undefined;
    const isTitle = /^\p{Lu}\.$/u.test(key);
    return isTitle && (!TITLED_NEXT.test(after) || /\p{Lu}\.\s$/u.test(before)) ? undefined : words;
  }

  /** The name of a month for its abbreviation, beside a number or in a range: `5 nov. 2024`, `ene-mar`. */
  #shortMonth(text: string, index: number): SpokenForm | undefined {
    if (/[\p{L}\p{M}\d.]/u.test(text[index - 1] ?? '')) return undefined;
    const match = matchAt(SHORT_MONTH, text, index);
    const name = match && this.#shortMonths.get(match[1]!.toLowerCase());
    if (!name) return undefined;
    const end = index + match[0].length;
    const isYearNext = /^\s(?:de\s)?(?:19|20)\d{2}(?!\d)/.test(text.slice(end, end + 9));
    const before = text.slice(Math.max(0, index - 10), index);
    const next = matchAt(/[-–]([\p{L}\p{M}]{3,5})(?![\p{L}\p{M}])/uy, text, end)?.[1];
    if (next && this.#isMonth(next)) return { end: end + 1, words: `${name} ${this.#rules.range}` };
    const from = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{3,5})[.॰]?[-–]$/u.exec(before)?.[1];
    // In Italian, 3 set are won in tennis.
    const isDayBefore = (match[0].length > 3 || match[1] !== 'set') && DAY_BEFORE.test(before);
    if (!isYearNext && !isDayBefore && !(from && this.#isMonth(from))) return undefined;
    // 5 de noviembre de 2024
    const hasOf = this.#rules.date('', name, '').includes(' de ');
    const of = hasOf && /\d\s$/.test(before) ? 'de ' : '';
    const ofYear = hasOf && isYearNext && !/^\sde\s/.test(text.slice(end, end + 4)) ? ' de' : '';
    const isAbbreviated = match[1]!.length < name.length && match[0] !== match[1];
    const stop = match[0] !== match[1] && (!isAbbreviated || ENDING.test(text.slice(end))) ? '.' : '';
    return { end, words: `${of}${name}${ofYear}${stop}` };
  }

  /** Whether a word is a month, in full or abbreviated. */
  #isMonth(word: string): boolean {
    const lower = word.toLowerCase();
    return this.#shortMonths.has(lower) || this.#months.some((name) => name.toLowerCase() === lower);
  }

  /** Letters with full stops: `U.S.A.`, `S.p.A.`, `J.-C.` */
  #initials(text: string, index: number): SpokenForm | undefined {
    if (/[\p{L}\p{M}.]/u.test(text[index - 1] ?? '')) return undefined;
    const match = matchAt(INITIALS, text, index)?.[0];
    if (!match) return undefined;
    const end = index + match.length;
    const words = match
      .replace(/[^\p{L}\p{M}]+/gu, ' ')
      .trim()
      .toUpperCase();
    // A short capitalized word after it rather begins a sentence than a name.
    const next = this.#nextWord(text, end);
    const isOpener = /^\p{Lu}/u.test(next) && (next.length <= 3 || this.#rules.openers.has(next.toLowerCase()));
    return { end, words: isOpener || ENDING.test(text.slice(end)) ? `${words}.` : words };
  }

  /** `c/ leite` and `amig@s`. */
  #shortened(text: string, index: number): SpokenForm | undefined {
    if (/[\p{L}\p{M}\d/]/u.test(text[index - 1] ?? '')) return undefined;
    const slashed = matchAt(/(\p{Ll}\/|\p{Lu}\/(?=\s?\p{Lu}))(?=\s?\p{L}{2})/uy, text, index)?.[1];
    const words = slashed && this.#rules.slashed && lookUp(this.#rules.slashed, slashed);
    if (words) return { end: index + slashed!.length, words };
    const both = this.#rules.bothGenders && matchAt(/(\p{L}{2,30})@(s?)(?![\p{L}\p{M}\d.@])/uy, text, index);
    if (!both) return undefined;
    const [all, stem, plural] = both;
    return { end: index + all.length, words: `${stem}o${plural} ${this.#rules.bothGenders} ${stem}a${plural}` };
  }

  #letters(text: string, index: number): SpokenForm | undefined {
    const match = matchAt(WORD, text, index)?.[0];
    if (!match) return undefined;
    const end = index + match.length;
    const isTimes = /^[xX]$/.test(match) && /\d\s?$/.test(text.slice(Math.max(0, index - 2), index));
    if (isTimes && /^\s?\d/.test(text.slice(end, end + 2))) return { end, words: this.#rules.symbols['×']! };
    if (this.#rules.spelled.has(match) && !/\d\s?$/.test(text.slice(Math.max(0, index - 2), index))) {
      return { end, words: [...match].join(' ') };
    }
    if (this.#rules.letters.test(match)) return { end, words: match };
    // Only Greek and Cyrillic can be transliterated.
    return { end, words: /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(match) ? transliterate(match) : '' };
  }

  /** `10⁻³`, `10^6`, `2**3`. */
  #power(text: string, index: number): SpokenForm | undefined {
    const { power, minus, symbols } = this.#rules;
    const raised = matchAt(EXPONENT, text, index)?.[0];
    const isBase = /[\d)]$|(?<!\p{L})\p{L}{1,3}$/u.test(text.slice(Math.max(0, index - 4), index));
    const match = raised ? undefined : matchAt(POWER, text, index);
    if (!raised && (!match || !isBase)) return undefined;
    const exponent = raised?.normalize('NFKC') ?? `${match![1]}${match![2]}`;
    const end = index + (raised ?? match![0]).length;
    const named = exponent === '2' ? symbols['²'] : exponent === '3' ? symbols['³'] : undefined;
    if (named) return { end, words: named };
    const sign = /^[-−]/.test(exponent) ? `${minus} ` : '';
    const value = exponent.replace(/^[-−+]/, '');
    return { end, words: `${power} ${sign}${/\d/.test(value) ? this.#whole(value) : value}` };
  }

  #sign(text: string, index: number, options: NormalizationOptions): SpokenForm {
    const character = String.fromCodePoint(text.codePointAt(index)!);
    const end = index + character.length;
    const before = text[index - 1] ?? ' ';
    const after = text[end] ?? ' ';
    if (character === '.') {
      if (/[\p{Ll}\d]/u.test(before) && /[\p{Ll}\d]/u.test(after))
        return { end, words: /\d/.test(after) ? this.#rules.points['.'] : '' };
      if (after === '/' && !/[\p{L}\d]/u.test(before)) return { end: end + 1, words: '' };
    }
    if (MARKS.test(character)) return { end, words: character };
    if (/[-–]/.test(character)) {
      if (isMinus(text, index)) return { end, words: this.#rules.minus };
      if (isBetweenUnits(text, index)) return { end, words: this.#rules.range };
    }
    const dashes = matchAt(/-{2,6}|[–—―]/y, text, index)?.[0];
    if (dashes) return { end: index + dashes.length, words: '—' };
    const isNegative = /[-−]/.test(character) && /\d/.test(after) && !/[\p{L}\d]/u.test(before);
    if (isNegative) return { end, words: this.#rules.minus };
    if (character === '-') return { end, words: /\s/.test(before) && /\s/.test(after) && index > 0 ? '—' : '' };
    if (/['’]/.test(character)) return { end, words: /\p{L}/u.test(before) ? character : '' };
    const power = this.#power(text, index);
    if (power) return power;
    const repeated = matchAt(/([^\p{L}\p{N}\s])\1{2,}/uy, text, index)?.[0];
    if (repeated) return { end: index + repeated.length, words: '' };
    // Rs. 500/-
    const flourish = /\d/.test(before) ? matchAt(/\/[-–]\/?(?![\p{L}\d])/uy, text, index)?.[0] : undefined;
    if (flourish) return { end: index + flourish.length, words: '' };
    if (character === '/' && /\p{L}/u.test(after) && AMOUNT_BEFORE.test(text.slice(Math.max(0, index - 30), index))) {
      const unit = options.unit_normalization ? matchAt(UNIT, text, end) : undefined;
      const noun = unit && this.#unitNoun(unit[1]!, 1);
      return noun
        ? { end: end + unit[0].length, words: `${this.#rules.per} ${noun}` }
        : { end, words: this.#rules.per };
    }
    if (character === '/' && /\p{L}/u.test(before) && /\p{L}/u.test(after)) return { end, words: ' ' };
    const subscript = matchAt(SUBSCRIPT, text, index)?.[0];
    if (subscript) return { end: index + subscript.length, words: this.#whole(subscript.normalize('NFKC')) };
    const isHashtag = character === '#' && !/\d/.test(after);
    const isFormatting =
      /[*_~^|`]/.test(character) && !(/\d\s?$/.test(text.slice(0, index)) && /^\s?\d/.test(text.slice(end)));
    if (isHashtag || isFormatting || !options.replace_remaining_symbols) return { end, words: '' };
    return { end, words: lookUp(this.#rules.symbols, character) ?? '' };
  }
}

/** Whether the dash at `index` is between values with the same unit: `5km-10km`. */
function isBetweenUnits(text: string, index: number): boolean {
  const unit = /\d\s?([\p{L}%‰°²³/]{1,6})$/u.exec(text.slice(Math.max(0, index - 10), index))?.[1];
  const to = /^\d[\d.,]{0,15}\s?/.exec(text.slice(index + 1, index + 20))?.[0];
  return unit !== undefined && to !== undefined && text.startsWith(unit, index + 1 + to.length);
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

/** The numbers of `1/2` or `½`. */
function fractionParts(fraction: string): [above: number, below: number] {
  const [above, below] = fraction.normalize('NFKC').split(/[/⁄]/);
  return [Number(above), Number(below)];
}

/** Nine digits or more without separators, which count nothing unless they are round. */
function longNumber(text: string, index: number): RegExpExecArray | undefined {
  const match = matchAt(/\d{9,15}(?![\d.,]*\d|\s?[%‰€$£₹])/y, text, index);
  return match && !match[0].endsWith('000') ? match : undefined;
}

/** An abbreviation as the tables write it: without spaces, with plain full stops. */
function abbreviationKey(written: string): string {
  return written.replace(/\s/g, '').replaceAll('॰', '.');
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
