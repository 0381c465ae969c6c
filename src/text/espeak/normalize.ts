import { type Pronunciation, pronunciationMark } from '../language.ts';
import { matchAt } from '../patterns.ts';
import { romanValue } from '../roman-numerals.ts';
import type { SpellOut } from '../spell-out.ts';
import { transliterate } from '../transliteration.ts';
import type { NormalizationOptions, SpokenToken } from '../types.ts';
import type { Gender, LanguageRules } from './rules.ts';

interface Reading {
  end: number;
  words: string;
}

/** More digits than a number of whole parts is exact for. */
const MOST_DIGITS = 15;
const BLANK = /\s+/y;
const WORD = /[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)*['’]?/uy;
const CHUNK = /[^\s\uFFFC]+/y;
const NEXT_WORD = /\s{1,3}([\p{L}\p{M}]+)/uy;
const MARKS = /[;:,.!?¡¿…"«»“”(){}[\]।॥]/;
const ISO_DATE = /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)/y;
const DATE = /(0?[1-9]|[12]\d|3[01])([/.-])(0?[1-9]|1[0-2])\2(\d{4}|\d{2})(?!\d)/y;
const VERSION = /\d+(?:\.\d+){2,}(?![\d.]*\d)/y;
const GROUPED = /^\d{1,3}(?:\.\d{3})+$/;
const FRACTION = /(\d{1,3})\/(\d{1,3})(?![\d/])/y;
const RANGE = /\s?[-–]\s?(?=\d)/y;
const WORLD_PHONE = /\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){1,5}(?!\d)/y;
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"«»]{2,200}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,5}|[a-z\d-]{2,64}(?:\.[a-z\d-]{2,24}){0,4}\.(?:com|org|net|es|fr|it|br|in|eu|io|info)(?![\p{L}\d])(?:\/[^\s<>"«»]{0,200})?/iuy;
const ROMAN = /((?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\p{L}\d])/uy;
const DEGREES = /\s?°\s?([CF])(?!\p{L})/uy;
const UNIT = /\s?(km\/h|m\/s|km²|m²|km|cm|mm|kg|mg|ml|mL|ha|GB|MB|kB|TB|min|m|g|l|L|h|s|t)(?![\p{L}\d²³/])/uy;
const SCRIPT_DIGITS = /[\u0966-\u096F]/g;
/** By the sign of a unit, its name for `Intl`. */
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
  min: 'minute',
  h: 'hour',
  s: 'second',
};

/** A number as it is written: its sign is not part of it. */
interface Written {
  end: number;
  whole: string;
  decimals: string;
  point: ',' | '.';
}

/** Reads the sentences of one language: what is written, and what eSpeak is to say for it. */
export class Normalizer {
  readonly #rules: LanguageRules;
  readonly #spellOut: SpellOut;
  readonly #months: readonly string[];

  constructor(rules: LanguageRules, spellOut: SpellOut) {
    this.#rules = rules;
    this.#spellOut = spellOut;
    const month = new Intl.DateTimeFormat(rules.tag, { month: 'long', timeZone: 'UTC' });
    this.#months = Array.from({ length: 12 }, (_, index) => month.format(Date.UTC(2024, index, 15)));
  }

  /** As `SentenceRules.tokens`. */
  tokens(text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[] {
    // Of the same length: what is written is cut from the text itself.
    const plain = text.replace(SCRIPT_DIGITS, (digit) => String(digit.codePointAt(0)! - 0x0966));
    const given = new Map(pronunciations.map((each) => [each.index, each]));
    const list = new TokenList();
    for (let at = 0; at < text.length; ) {
      const gap = matchAt(BLANK, text, at);
      if (gap) {
        list.endToken();
        at += gap[0].length;
        continue;
      }
      const pronunciation = text[at] === pronunciationMark ? given.get(at) : undefined;
      if (pronunciation) {
        list.endToken();
        list.tokens.push({ written: pronunciation.written, spoken: pronunciation.written, ipa: pronunciation.ipa });
        at += 1;
        continue;
      }
      const { end, words } = options.normalize
        ? this.#read(plain, at, options)
        : { end: at + (matchAt(CHUNK, text, at)?.[0].length ?? 1), words: matchAt(CHUNK, text, at)?.[0] ?? '' };
      list.say(text.slice(at, end), words);
      at = end;
    }
    list.endToken();
    return list.tokens;
  }

  #read(text: string, at: number, options: NormalizationOptions): Reading {
    const digit = /\d/.test(text[at]!);
    return (
      this.#address(text, at, options) ??
      (digit || /[+(]/.test(text[at]!) ? this.#phone(text, at, options) : undefined) ??
      (digit ? (this.#date(text, at) ?? this.#time(text, at)) : undefined) ??
      this.#money(text, at) ??
      (digit ? this.#numeral(text, at, options) : undefined) ??
      this.#word(text, at) ??
      this.#sign(text, at, options)
    );
  }

  #address(text: string, at: number, options: NormalizationOptions): Reading | undefined {
    if (/[\p{L}\d]/u.test(text[at - 1] ?? '')) return undefined;
    const found = matchAt(ADDRESS, text, at)?.[0].replace(/[.,;:!?)\]]+$/, '');
    if (!found) return undefined;
    const mail = found.includes('@');
    const named = !(mail ? options.email_normalization : options.url_normalization) || mail;
    const { address } = this.#rules;
    const words = found.replace(/^https?:\/\//, '').replace(/[./@_:-]|\d+|[^\p{L}\d./@_:-]/gu, (part) => {
      if (/\d/.test(part)) return ` ${this.#digits(part)} `;
      return Object.hasOwn(address, part) && (named || part !== '-') ? ` ${address[part as '.']} ` : ' ';
    });
    return { end: at + found.length, words: words.replace(/\s+/g, ' ').trim() };
  }

  #phone(text: string, at: number, options: NormalizationOptions): Reading | undefined {
    if (!options.phone_normalization || /[\p{L}\d.,]/u.test(text[at - 1] ?? '')) return undefined;
    const found = matchAt(WORLD_PHONE, text, at) ?? matchAt(this.#rules.phone, text, at);
    if (!found || found[0].replace(/\D/g, '').length < 8) return undefined;
    const groups = found[0].match(/\d+/g)!;
    const pairs =
      this.#rules.phonePairs && groups.every((group) => group.length <= 2 || found[0].startsWith(`+${group}`));
    const words = groups.map((group) => (pairs ? this.#whole(group) : this.#digits(group))).join(', ');
    return { end: at + found[0].length, words: found[0].startsWith('+') ? `${this.#rules.plus} ${words}` : words };
  }

  #date(text: string, at: number): Reading | undefined {
    if (/[\d/.-]/.test(text[at - 1] ?? '')) return undefined;
    const iso = matchAt(ISO_DATE, text, at);
    if (iso) return { end: at + iso[0].length, words: this.#dateWords(iso[3]!, iso[2]!, iso[1]!) };
    const found = matchAt(DATE, text, at);
    if (!found) return undefined;
    return { end: at + found[0].length, words: this.#dateWords(found[1]!, found[3]!, found[4]!) };
  }

  #dateWords(day: string, month: string, year: string): string {
    const { firstDay, date } = this.#rules;
    const dayWords = Number(day) === 1 && firstDay ? firstDay : this.#whole(String(Number(day)));
    return date(dayWords, this.#months[Number(month) - 1]!, this.#year(year));
  }

  #year(digits: string): string {
    const special = this.#rules.year?.(Number(digits), (number, set) => this.#spellOut.say(number, set));
    return special ?? this.#whole(digits);
  }

  #time(text: string, at: number): Reading | undefined {
    if (/[\d:.,/]/.test(text[at - 1] ?? '')) return undefined;
    const found = matchAt(this.#rules.time, text, at);
    if (!found) return undefined;
    const { h, m, m2, s } = found.groups as { h: string; m?: string; m2?: string; s?: string };
    const say = (number: number, gender?: Gender) => this.#cardinal(String(number), gender);
    const words = this.#rules.timeWords(Number(h), Number(m ?? m2 ?? 0), Number(s ?? 0), say);
    return { end: at + found[0].length, words };
  }

  #money(text: string, at: number): Reading | undefined {
    const sign = this.#currencyAt(text, at);
    if (sign) {
      const gap = /\s/.test(text[sign.end] ?? '') ? 1 : 0;
      const amount = this.#numberAt(text, sign.end + gap);
      if (!amount) return undefined;
      const scale = matchAt(this.#rules.scale, text, amount.end);
      return this.#amount(amount, sign.currency, scale?.[0] ?? '', amount.end + (scale?.[0].length ?? 0));
    }
    const amount = /[\p{L}\d]/u.test(text[at - 1] ?? '') ? undefined : this.#numberAt(text, at);
    if (!amount) return undefined;
    const scale = matchAt(this.#rules.scale, text, amount.end)?.[0] ?? '';
    const after = amount.end + scale.length;
    const found = this.#currencyAt(text, after + (/\s/.test(text[after] ?? '') ? 1 : 0));
    return found && this.#amount(amount, found.currency, scale, found.end);
  }

  #currencyAt(text: string, at: number): { end: number; currency: string } | undefined {
    if (/\p{L}/u.test(text[at - 1] ?? '')) return undefined;
    for (const length of [3, 2, 1]) {
      const sign = text.slice(at, at + length);
      const word = /[\p{L}\p{M}]$/u.test(sign) && /[\p{L}\p{M}]/u.test(text[at + length] ?? '');
      if (sign.length === length && !word && Object.hasOwn(this.#rules.currencies, sign)) {
        return { end: at + length, currency: sign };
      }
    }
    return undefined;
  }

  #amount({ whole, decimals, point }: Written, sign: string, scale: string, end: number): Reading {
    const { currencies, centsAfter, of } = this.#rules;
    const { one, many, gender, cent } = currencies[sign]!;
    const round = /^0*$/.test(decimals);
    if (scale !== '' || (!round && (decimals.length !== 2 || !cent))) {
      const number = this.#decimal({ whole, decimals, point });
      const word = scale.trim();
      return { end, words: word ? `${number} ${word} ${of(many)}` : `${number} ${many}` };
    }
    const count = this.#cardinal(whole, gender, one);
    const millions = /0{6}$/.test(whole) && Number(whole) > 0;
    const name = Number(whole) === 1 ? one : millions ? of(many) : many;
    const cents = round
      ? ''
      : `${this.#cardinal(String(Number(decimals)), 'masculine')} ${cent![Number(decimals) === 1 ? 0 : 1]}`;
    if (round) return { end, words: `${count} ${name}` };
    return { end, words: Number(whole) === 0 ? cents : `${count} ${name} ${centsAfter} ${cents}`.replace(/\s+/g, ' ') };
  }

  #numeral(text: string, at: number, options: NormalizationOptions): Reading | undefined {
    const rules = this.#rules;
    const version = matchAt(VERSION, text, at)?.[0];
    if (version && !GROUPED.test(version)) {
      const words = version.split('.').map((part) => this.#whole(part));
      return { end: at + version.length, words: words.join(` ${rules.points['.']} `) };
    }
    const ordinal = matchAt(rules.ordinal, text, at);
    if (ordinal) {
      const end = at + ordinal[0].length;
      const suffix = ordinal[0].replace(/[\d.]/g, '');
      return { end, words: this.#ordinal(Number.parseInt(ordinal[0], 10), suffix, this.#nextWord(text, end)) };
    }
    const fraction = matchAt(FRACTION, text, at);
    if (fraction) {
      const [all, above, below] = fraction;
      const end = at + all.length;
      const gender = rules.genderOf(this.#nextWord(text, end));
      const ordinal = (number: number) => this.#ordinal(number, '', '');
      const half = above === '1' && below === '2' && gender ? rules.half?.[gender] : undefined;
      const words = half ?? rules.fraction(Number(above), Number(below), ordinal);
      if (words) return { end, words };
    }
    const number = this.#numberAt(text, at);
    if (!number) return undefined;
    const { end } = number;
    const suffix = this.#suffix(text, number, options);
    if (suffix) return suffix;
    const range = matchAt(RANGE, text, end);
    const to = range && !/[\d-]/.test(text[at - 1] ?? '') ? this.#numberAt(text, end + range[0].length) : undefined;
    if (range && to && number.decimals === '' && !/^\s?[-–]/.test(text.slice(to.end, to.end + 2))) {
      const from = end - at === 4 ? this.#year(number.whole) : this.#whole(number.whole);
      return { end: end + range[0].length, words: `${from} ${rules.range}` };
    }
    const noun = this.#nextWord(text, end);
    if (number.decimals !== '') return { end, words: this.#decimal(number) };
    const month = this.#months.some((name) => name.toLowerCase() === noun.toLowerCase());
    if (
      number.whole === '1' &&
      rules.firstDay &&
      (month || this.#months.some((name) => text.startsWith(` de ${name}`, end)))
    ) {
      return { end, words: rules.firstDay };
    }
    const adjacent = /[\p{L}‑-]/u.test(text[at - 1] ?? '');
    const gender = adjacent ? undefined : rules.genderOf(noun);
    // With a comma in it, it is no year.
    const words =
      end - at === 4 && gender === undefined ? this.#year(number.whole) : this.#cardinal(number.whole, gender, noun);
    return { end, words };
  }

  /** A number with what stands behind it: a percent sign, degrees, a unit. */
  #suffix(text: string, number: Written, options: NormalizationOptions): Reading | undefined {
    const { percent, perMille, tag } = this.#rules;
    const sign = /^\s?([%‰])/.exec(text.slice(number.end, number.end + 2));
    if (sign) {
      const words = `${this.#decimal(number)} ${sign[1] === '%' ? percent : perMille}`;
      return { end: number.end + sign[0].length, words };
    }
    const degrees = matchAt(DEGREES, text, number.end);
    const unit = degrees ?? (options.unit_normalization ? matchAt(UNIT, text, number.end) : undefined);
    const name = degrees ? (degrees[1] === 'C' ? 'celsius' : 'fahrenheit') : UNITS[unit?.[1] ?? ''];
    if (!unit || !name) return undefined;
    const value = Number(`${number.whole}.${number.decimals || '0'}`);
    const format = new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'long', useGrouping: false });
    const noun = format
      .formatToParts(value)
      .filter(({ type }) => type === 'unit')
      .map((part) => part.value.trim())
      .join(' ');
    const count =
      number.decimals === ''
        ? this.#cardinal(number.whole, this.#rules.genderOf(noun.split(' ')[0]!), noun)
        : this.#decimal(number);
    return { end: number.end + unit[0].length, words: `${count} ${noun}` };
  }

  #numberAt(text: string, at: number): Written | undefined {
    const found = matchAt(this.#rules.number, text, at);
    if (!found) return undefined;
    const { whole, decimals = '' } = found.groups as { whole: string; decimals?: string };
    const point = decimals[0] === '.' ? '.' : ',';
    return {
      end: at + found[0].length,
      whole: whole.replace(this.#rules.grouping, ''),
      decimals: decimals.slice(1),
      point,
    };
  }

  #nextWord(text: string, at: number): string {
    return matchAt(NEXT_WORD, text, at)?.[1] ?? '';
  }

  /** A number by itself. */
  #whole(digits: string): string {
    return this.#cardinal(digits, undefined);
  }

  #cardinal(digits: string, gender: Gender | undefined, noun = ''): string {
    const { sets, mend } = this.#rules;
    const long = digits.length > MOST_DIGITS || (digits.length > 1 && digits.startsWith('0'));
    const words = long ? undefined : this.#spellOut.say(Number(digits), sets[gender ?? 'alone']);
    if (words === undefined) return this.#digits(digits);
    return mend ? mend(words, gender ? noun : '') : words;
  }

  #decimal({ whole, decimals, point }: Pick<Written, 'whole' | 'decimals' | 'point'>): string {
    if (decimals === '') return this.#whole(whole);
    const { points, readDecimals } = this.#rules;
    const [zeros] = /^0*/.exec(decimals)!;
    const rest = decimals.slice(zeros.length);
    const read = rest === '' ? '' : rest.length <= readDecimals ? this.#whole(rest) : this.#digits(rest);
    return [this.#whole(whole), points[point], zeros === '' ? '' : this.#digits(zeros), read].filter(Boolean).join(' ');
  }

  #digits(digits: string): string {
    return [...digits].map((digit) => this.#spellOut.say(Number(digit), this.#rules.sets.alone) ?? '').join(' ');
  }

  #ordinal(number: number, suffix: string, noun: string): string {
    const { sets, ordinalGender, mendOrdinal } = this.#rules;
    const words = this.#spellOut.say(number, sets.ordinal[ordinalGender(suffix)]) ?? this.#whole(String(number));
    return mendOrdinal ? mendOrdinal(words, suffix, noun) : words;
  }

  #word(text: string, at: number): Reading | undefined {
    return this.#roman(text, at) ?? this.#abbreviation(text, at) ?? this.#letters(text, at);
  }

  #roman(text: string, at: number): Reading | undefined {
    if (/[\p{L}\d'’-]/u.test(text[at - 1] ?? '')) return undefined;
    const [, found, suffix = ''] = matchAt(this.#rules.romanOrdinal, text, at) ?? matchAt(ROMAN, text, at) ?? [];
    if (!found) return undefined;
    const value = romanValue(found);
    const end = at + found.length + suffix.length;
    const next = this.#nextWord(text, end);
    if (suffix !== '') return { end, words: this.#ordinal(value, suffix, next) };
    const before = /([\p{L}\p{M}]+\.?)\s{1,3}$/u.exec(text.slice(Math.max(0, at - 40), at))?.[1] ?? '';
    const { numbered } = this.#rules;
    const known = numbered.has(before.toLowerCase()) || numbered.has(next.toLowerCase());
    const long = found.length > 1 && /^[IVX]+$/.test(found);
    const named = /^\p{Lu}\p{Ll}/u.test(before) && (long || this.#rules.rulers.has(before.toLowerCase()));
    if (!known && !named) return undefined;
    const kind = this.#rules.roman(value, before, next);
    const gender = this.#rules.genderOf(numbered.has(next.toLowerCase()) ? next : before) === 'feminine' ? 'ª' : '';
    return { end, words: kind === 'ordinal' ? this.#ordinal(value, gender, next) : this.#whole(String(value)) };
  }

  #abbreviation(text: string, at: number): Reading | undefined {
    if (/[\p{L}\p{M}]/u.test(text[at - 1] ?? '')) return undefined;
    const { abbreviations, finalAbbreviations } = this.#rules;
    for (const pattern of [
      /(?:[\p{L}\p{M}]{1,6}[.-]\s?){2,3}(?![\p{L}\p{M}])/uy,
      /[\p{L}\p{M}]{1,8}\.(?:[ªº]|ssa|ra)?|n[.]?[°ºᵒ]/iuy,
    ]) {
      const found = matchAt(pattern, text, at)?.[0].trimEnd();
      const key = found?.replace(/\s/g, '');
      const words = key && (listed(abbreviations, key) ?? listed(abbreviations, key.toLowerCase()));
      if (!found || words === undefined) continue;
      const end = at + found.length;
      // The full stop ends the sentence too.
      const final = /^["»”’)\s]*$/.test(text.slice(end)) && (finalAbbreviations.has(key!) || text.length === end);
      return { end, words: final ? `${words}.` : words };
    }
    return undefined;
  }

  #letters(text: string, at: number): Reading | undefined {
    const found = matchAt(WORD, text, at)?.[0];
    if (!found) return undefined;
    const end = at + found.length;
    const times = /^[xX]$/.test(found) && /\d\s?$/.test(text.slice(Math.max(0, at - 2), at));
    if (times && /^\s?\d/.test(text.slice(end, end + 2))) return { end, words: this.#rules.symbols['×']! };
    if (this.#rules.letters.test(found)) return { end, words: found };
    // Greek and Cyrillic by the sound of their letters; other scripts cannot be said.
    return { end, words: /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(found) ? transliterate(found) : '' };
  }

  #sign(text: string, at: number, options: NormalizationOptions): Reading {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const end = at + character.length;
    const before = text[at - 1] ?? ' ';
    const after = text[end] ?? ' ';
    if (MARKS.test(character)) return { end, words: character };
    const dashes = matchAt(/-{2,6}|[–—―]/y, text, at)?.[0];
    if (dashes) return { end: at + dashes.length, words: '—' };
    const negative = /[-−]/.test(character) && /\d/.test(after) && !/[\p{L}\d]/u.test(before);
    if (negative) return { end, words: this.#rules.minus };
    if (character === '-') return { end, words: /\s/.test(before) && /\s/.test(after) && at > 0 ? '—' : '' };
    if (/['’]/.test(character)) return { end, words: /\p{L}/u.test(before) ? character : '' };
    const run = matchAt(/([^\p{L}\p{N}\s])\1{2,}/uy, text, at)?.[0];
    if (run) return { end: at + run.length, words: '' };
    if (character === '/' && /\p{L}/u.test(before) && /\p{L}/u.test(after)) return { end, words: ' ' };
    const counted = character === '#' && !/\d/.test(after);
    const formats = /[*_~^|`]/.test(character) && !(/\d\s?$/.test(text.slice(0, at)) && /^\s?\d/.test(text.slice(end)));
    if (counted || formats || !options.replace_remaining_symbols) return { end, words: '' };
    return { end, words: listed(this.#rules.symbols, character) ?? '' };
  }
}

/** Collects what is written and said; a blank ends a token. */
class TokenList {
  readonly tokens: SpokenToken[] = [];
  #written = '';
  #spoken = '';

  say(written: string, words: string): void {
    this.#written += written;
    const touching = /[\p{L}\p{M}\p{N}]$/u.test(this.#spoken) && /^[\p{L}\p{N}]/u.test(words);
    this.#spoken += touching ? ` ${words}` : words;
  }

  endToken(): void {
    if (this.#written !== '') this.tokens.push({ written: this.#written, spoken: this.#spoken.trim() });
    this.#written = '';
    this.#spoken = '';
  }
}

function listed(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
