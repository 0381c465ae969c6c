import { matchAt, textBefore } from '../../patterns.ts';
import { toAsciiDigits } from '../../transliteration.ts';
import { numberOfDay } from './dates.ts';
import { cardinal, decimal, isMillions, ordinal, withoutZero, year } from './numbers.ts';
import { type Context, isInName, type Match, nextWord } from './rule.ts';
import { scaleAt, scaled } from './scales.ts';
import { monthOf } from './short-dates.ts';
import { isDegrees, measure } from './units.ts';
import { numberAt, rangeDash, type WrittenNumber } from './written-numbers.ts';

const VERSION = /\d+(?:\.\d+){2,}(?![\d.]*\d)/y;
/** Before days of a month, which are read as cardinals though written as ordinals. */
const DAYS_BEFORE = /(?<!\p{L})d[ií]as?\s(?:\d{1,2}[º°.]{0,2}(?:,\s|\s(?:y|e|a|al)\s)){0,4}$/iu;
/** Words before a number that has a hyphen in it and is not a range. */
const NAME_BEFORE =
  /(?<!\p{L})(?:n[.]?[°º]|n[úu]m\.|num[ée]ro|número|[LRD]\.|art(?:\.|icles?)\s[LRD]|r[eé]f\.(?:\s?:)?|fattura n\.|processo|expediente)\s?$/iu;
const NEEDLESS_STOP = /\.(?=\s\p{Ll})/uy;
/** 34th Street */
const ENGLISH_ORDINAL = /\d{1,6}(?:st|nd|rd|th)(?![\p{L}\d])/uy;
/** One article of a law, or several. */
const ARTICLE_NUMBER_BEFORE = /(?<!\p{L})(?:article|art[íi]culo|articolo|artigo)\s$/iu;
const ARTICLES_BEFORE =
  /(?<!\p{L})(?:articles?|art[íi]culos?|articol[oi]|artigos?|arts?\.)\s(?:[\d-]{1,8}(?:,|\s(?:et|à|y|e|a|al))\s){0,3}$/iu;
const YEAR_BEHIND = /\s\p{L}{3,10}\.?\s(?:de\s)?\d{4}(?!\d)/uy;
const BETWEEN_BEFORE = /(?<!\p{L})(?:entre|tra|fra)\s(?:(?:el|il|les?|los?|gli|i|os?)\s)?$/iu;
const SCORE_BEFORE = /(?<!\d)(\d{1,2})\s?([-–]|[xX])\s?$/;
const ARTICLE_BEFORE = /(?<!\p{L})(?:el|del|al|su|un|este)\s$/iu;
/** Also behind the other sets of a match: `6-4, 7-5 से` */
const WORD_BEHIND = /(?:(?:,\s?|\sऔर\s)\d{1,2}-\d{1,2}){0,5}\s([\p{L}\p{M}]+)/uy;
const GROUPED = /^\d{1,3}(?:\.\d{3})+$/;

/** `1.2.3`: part by part. */
export function matchVersion({ text, index, language }: Context): Match | undefined {
  const version = matchAt(VERSION, text, index)?.[0];
  if (!version || GROUPED.test(version)) return undefined;
  const words = version.split('.').map((part) => cardinal(language, part));
  return { end: index + version.length, words: words.join(` ${language.rules.address['.']} `) };
}

/** A letter after these and a number is a part. */
const LABEL_BEFORE = /(?<!\p{L})(?:figs?\.|figuras?|tabs?\.|tabelas?|quadro|nota|item)\s$/iu;

/** `1er`, `2ª`, `3.º` */
export function matchOrdinal(context: Context): Match | undefined {
  const { text, index, language } = context;
  const written = (matchAt(language.rules.ordinal, text, index) ?? matchAt(ENGLISH_ORDINAL, text, index))?.[0];
  if (!written || isDegrees(context, written)) return undefined;
  // GPT-4o
  if (/\d[oa]$/.test(written) && /\p{L}-$/u.test(textBefore(context, 2))) return undefined;
  // fig. 2a
  if (/\da$/.test(written) && LABEL_BEFORE.test(textBefore(context, 12))) return undefined;
  const suffix = written.replace(/[\d.]/g, '');
  // 1er. trimestre
  const stop = /^\p{Ll}/u.test(suffix) ? (matchAt(NEEDLESS_STOP, text, index + written.length)?.[0].length ?? 0) : 0;
  const end = index + written.length + stop;
  const number = Number.parseInt(written, 10);
  const before = textBefore(context, 24);
  if (DAYS_BEFORE.test(before)) {
    return { end, words: number === 1 ? ordinal(language, 1, suffix) : cardinal(language, String(number)) };
  }
  const next = nextWord(context, end);
  // 1º Abre la puerta
  const isNoun = !/^\p{Lu}/u.test(next) || ARTICLE_BEFORE.test(before);
  return { end, words: ordinal(language, number, suffix, isNoun ? next : '') };
}

/** A number, with its unit or scale if it has one. */
export function matchNumber(context: Context): Match | undefined {
  const number = numberAt(context, context.index);
  if (!number) return undefined;
  return (
    measure(context, number) ??
    rangeStart(context, number) ??
    thousands(context, number) ??
    shortScale(context, number) ??
    numberOfDay(context, number) ??
    count(context, number)
  );
}

/** The first number of a range. */
function rangeStart(context: Context, number: WrittenNumber): Match | undefined {
  const { text, language } = context;
  const isChained = /[\d-]$|\d\s?[-–]\s$/.test(textBefore(context, 4));
  const isName = NAME_BEFORE.test(textBefore(context, 20));
  const dash = isChained || (isInName(context) && !isName) ? undefined : rangeDash(context, number.end);
  const to = dash === undefined ? undefined : numberAt(context, dash);
  // 1500 - 3º andar
  if (to && /^\s/.test(text.slice(number.end)) && /[ºª]/.test(text[to.end] ?? '')) return undefined;
  if (dash === undefined || !to || /^\s?[-–]/.test(text.slice(to.end, to.end + 2))) return undefined;
  // Loi n° 78-17, art. L. 121-1, article 515-14, articles 9 et 815-3
  const articleBefore = isFalling(number, to) ? ARTICLES_BEFORE : ARTICLE_NUMBER_BEFORE;
  // 2024-0153
  const isCode = /^0\d\d/.test(text.slice(dash, dash + 3)) && to.decimals === '';
  const isHyphen = isName || isCode || articleBefore.test(textBefore(context, 40));
  // Boeing 787-9
  if (!isHyphen && number.whole.length === 3 && to.whole.length === 1 && number.decimals === '') return undefined;
  // 01-10 marzo
  const day = number.whole.startsWith('0') ? numberOfDay(context, { ...number, end: to.end })?.words : undefined;
  const from = day ?? (mayBeYear(context, number) ? year(language, number.whole) : fromWords(context, number, to));
  // 8-8 घंटे: eight each time
  // 3-1 से: the word follows
  const isSame = to.whole === number.whole && number.decimals + to.decimals === '';
  if (language.rules.repeatsForEach && (isSame || language.rules.range === matchAt(WORD_BEHIND, text, to.end)?.[1]))
    return { end: dash, words: from };
  const { address, and, range } = language.rules;
  const link = isHyphen ? address['-'] : BETWEEN_BEFORE.test(textBefore(context, 12)) ? and : range;
  return { end: dash, words: `${from} ${link}` };
}

/** The first number of a range, with the gender of the noun that the second one counts: `2-3 vezes`. */
function fromWords({ language, ...context }: Context, number: WrittenNumber, to: WrittenNumber): string {
  const { countable, genderOf } = language.rules;
  const noun = nextWord({ language, ...context }, to.end);
  const isCounted = number.decimals + to.decimals === '' && countable?.test(noun) && /s$/.test(noun);
  return isCounted ? cardinal(language, withoutZero(number), genderOf(noun), noun) : decimal(language, number);
}

/** Whether the second number of a pair is less, and no end of a year: `815-3`, but `1994-95`. */
function isFalling(from: WrittenNumber, to: WrittenNumber): boolean {
  return Number(to.whole) < Number(from.whole) && !(from.whole.length === 4 && to.whole.length === 2);
}

/** `41 mil`: one number, with the gender of the noun after it. */
function thousands(context: Context, number: WrittenNumber): Match | undefined {
  const { rules } = context.language;
  if (nextWord(context, number.end) !== rules.thousand || number.decimals !== '' || number.whole.length > 3) {
    return undefined;
  }
  const scale = scaleAt(context, number);
  if (!scale) return undefined;
  const noun = nextWord(context, scale.end);
  return { end: scale.end, words: scaled(context.language, number, scale, rules.genderOf(noun), noun) };
}

const OTHER_DIGITS = /\p{Nd}{1,20}|[⓪①-⑳]/uy;

/** Digits of other scripts and numbers in circles: `٣`, `①`. */
export function matchOtherDigits({ text, index, language }: Context): Match | undefined {
  const written = matchAt(OTHER_DIGITS, text, index)?.[0];
  return written === undefined
    ? undefined
    : { end: index + written.length, words: cardinal(language, toAsciiDigits(written)) };
}

const OF_NEXT = /\s(?:d[ei]\s|d['’])/uy;

/** `3 mld`, `10 lakh`: abbreviations of scales that are long enough to mean nothing else. */
function shortScale(context: Context, number: WrittenNumber): Match | undefined {
  const scale = scaleAt(context, number);
  if (!scale?.isShort) return undefined;
  const written = context.text.slice(number.end, scale.end).trim().replace(/\.$/, '');
  // 2 mi de pessoas, 1,2 M de votos; 5 m are metres.
  const mayBeScale = written.length === 2 || written === 'M';
  const isDecimal = number.decimals !== '' && /^(?:bi|mi)$/.test(written);
  if (written.length < 3 && !isDecimal && !(mayBeScale && matchAt(OF_NEXT, context.text, scale.end))) return undefined;
  return { end: scale.end, words: scaled(context.language, number, scale, 'masculine', '') };
}

/** A number with the gender of the noun after it, or a year. */
function count(context: Context, number: WrittenNumber): Match {
  const { text, index, language } = context;
  const { end, whole, decimals } = number;
  if (decimals !== '') return { end, words: decimal(language, number) };
  if (/(?<!\d)(?:19|20)\d\d[-–]$/.test(textBefore(context, 6)) && /^0[1-9]$/.test(whole))
    return { end, words: cardinal(language, withoutZero(number)) };
  const noun = nextWord(context, end);
  const scale = scaleAt(context, number);
  // un millón
  if (scale && !scale.isShort) return { end, words: cardinal(language, whole, 'masculine', noun) };
  // The second number of a score counts neither the team after it nor another noun.
  const [, from, mark] = SCORE_BEFORE.exec(textBefore(context, 6)) ?? [];
  const isFalling = mark !== undefined && !/x/i.test(mark) && Number(from) >= Number(whole);
  const isScore = from !== undefined && (isFalling || /^\p{Lu}/u.test(noun));
  // 200-300 personas
  const isRangeEnd = /\d-$/.test(textBefore(context, 2)) && /s$/.test(noun);
  const isAdjacent = isScore || (!isRangeEnd && /[\p{L}‑-]/u.test(text[index - 1] ?? ''));
  // 1 ene 2024, but 1 set
  const isDay = monthOf(language, noun) !== undefined && matchAt(YEAR_BEHIND, text, end) !== undefined;
  const nounGender = isAdjacent || isDay ? undefined : language.rules.genderOf(noun);
  // En 1559 muestra: a counted noun would be plural.
  const isPlural = language.rules.plural?.test(noun) ?? true;
  const gender = Number(whole) === 1 || isPlural || nounGender === 'masculine' ? nounGender : undefined;
  const isYear = gender === undefined && mayBeYear(context, number);
  if (isYear) return { end, words: year(language, whole) };
  const isCounted = gender !== undefined && language.rules.countable?.test(noun);
  const words = cardinal(language, isCounted ? withoutZero(number) : whole, gender, noun);
  // 2.000.000 habitantes
  const of = isCounted && isMillions(whole) ? ` ${language.rules.of(noun).slice(0, -noun.length).trim()}` : '';
  return { end, words: words + of };
}

/** Four digits without a separator. */
function mayBeYear({ index }: Context, { end, decimals }: WrittenNumber): boolean {
  return decimals === '' && end - index === 4;
}
