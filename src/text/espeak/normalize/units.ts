import { matchAt, textBefore } from '../../patterns.ts';
import { countedNounAt } from './counted-nouns.ts';
import { cardinal, decimal, isMillions, withoutZero } from './numbers.ts';
import { type Context, isInName, type Language, type Match, nextWord } from './rule.ts';
import { intlName, SIMPLE, unitName } from './unit-names.ts';
import { type WrittenNumber, withRange } from './written-numbers.ts';

const PERCENT = /\s?([%‰])/y;
const DEGREE_SIGN = /[°º](?!\s?[CF](?!\p{L}))/uy;
/** 25oC, too */
const DEGREES = /\s?(?:[°º]\s?|o(?=C))([CF])(?!\p{L})/uy;
/** `kg/m³`, `m/s²` */
const RATE = new RegExp(`\\s?(${SIMPLE})/(${SIMPLE})([²³])?(?![\\p{L}\\d²³/])`, 'uy');
const INCHES = /["″](?![\p{L}\d])/uy;
const SCREEN = /pantalla|monitor|televis|\bTV\b|tablet|port[aá]til|notebook|écran|schermo|display|tela|स्क्रीन/iu;
/** Spanish and Italian `ha` is a verb unless one of these follows: `COVID-19 ha sido`. */
const HECTARES_NEXT =
  /(?!\s?\p{L})|\s(?:d['’]|(?:di|del|y|e|ed|o|en|in|a|al|con|per|para|por|que|che|nel|nella|su|de(?!\s\p{L}{1,20}[aei]r(?!\p{L})))(?!\p{L}))/uy;
const HOURS_BEFORE = /\d\s?h\s$/;
/** A needless full stop after a unit: `5 km. de` */
const STOP = /\.(?=[,;:)]|\s+\p{Ll})/uy;
const ITEM_BEFORE = /(?:^|[;:]\s)$/;
const TEXT_NEXT = /°\s\p{L}/uy;
/** A larger number with a degree sign is rather a temperature. */
const LAST_ITEM = 19;
/** Words of heat and angles. */
const DEGREES_BEFORE =
  /(?<!\p{L})(?:[áâa]ngulos?|angol[oi]|gir[aoi]|girar[e]?|girando|rotaci[oó]n|rotaç[aã]o|rotazione|ruotare?|inclinaci[oó]n|inclinação|inclinazione|horno|forno|temperatur[ae]s?|m[aá]xim[ao]s?|m[ií]nim[ao]s?|m[aá]x\.?|m[ií]n\.?|lat\.?|latitud[e]?|latitudine|long\.?|massim[ao]|minim[ao]|calor|caldo|hac(?:e|en|ía|ían)|hizo|faz(?:em)?|fazia|fez|fanno|ci sono|c['’]erano|fiebre|febbre|febre)(?:\s(?:a|de|di|en|em|es|era|è|é|hasta|fino|até|unos|uns|media|média|máxima|mínima|massima|minima)){0,2}\s$/iu;
/** `la temperatura bajó de 15º a 8º` */
const HEAT_BEFORE = /(?<!\p{L})(?:temperatur|term[óo]metr)\p{L}{1,3}\s[^.,;]{0,30}$/iu;
/** Text that only degrees follow: a minus, or other degrees. */
const SCALE_BEFORE = /(?:(?:^|\s)[-−]|[°º]\s?[CF],?\s(?:(?:y|e|a)\s)?)$/u;
const HEAT_AFTER =
  /\s(?:(?:bajo|sobre|sotto|sopra|abaixo de|acima de)\s(?:cero|zero)|all['’]ombra|a la sombra|à sombra)(?!\p{L})/uy;
const COMPASS_AFTER =
  /\s?(?:[\d.,]+\s?['′’]|[NSEWO](?![\p{L}\d])|(?:norte?|nord|sur?|sul|sud|este?|ovest|oeste|latitud)(?!\p{L}))/uy;
/** Another temperature before: `-3 °C por la mañana, 8° por la tarde` */
const SCALE_USED = /[°º]\s?[CF](?!\p{L})/u;
/** Minutes of an angle: `3° 42' O` */
const MINUTES_NEXT = /\s?\d{1,2}(?:[.,]\d{1,3})?\s?['′’]/y;
/** Words before an amount. */
const AMOUNT_WORD_BEFORE = /(?<!\p{L})(?:a|de|desde|hasta|unos|casi|para|di|da|fino a|até|uns|quase)\s$/iu;
const ARTICLE_BEFORE = /(?<!\p{L})(?:el|al|del|o|no|do|ao|il|nel|dal|sul)\s$/iu;

/** A number with the percent sign, degrees or unit after it: `50 %`, `-5 °C`, `5 km`. */
export function measure(context: Context, number: WrittenNumber): Match | undefined {
  const match =
    percentage(context, number) ??
    degrees(context, number) ??
    (isInName(context) ? undefined : (quantity(context, number) ?? nouns(context, number)));
  return match && withRange(context, match, context.text.slice(number.end, match.end).trim());
}

function percentage({ text, language }: Context, number: WrittenNumber): Match | undefined {
  const match = matchAt(PERCENT, text, number.end);
  if (!match) return undefined;
  const { percent, perMille } = language.rules;
  const words = `${decimal(language, number)} ${match[1] === '%' ? percent : perMille}`;
  return { end: number.end + match[0].length, words };
}

function degrees(context: Context, number: WrittenNumber): Match | undefined {
  const { text, language } = context;
  if (matchAt(DEGREE_SIGN, text, number.end)) {
    if (isItem(context, number)) return { end: number.end + 1, words: decimal(language, number) };
    return { end: number.end + 1, words: `${decimal(language, number)} ${language.rules.symbols['°']}` };
  }
  const match = matchAt(DEGREES, text, number.end);
  if (!match) return undefined;
  const noun = intlName(language, match[1] === 'C' ? 'celsius' : 'fahrenheit', numericValue(number));
  return { end: number.end + match[0].length, words: counted(language, number, noun) };
}

/** Whether the degree sign marks an item of a law: `1° Le nom ; 2° Le lieu`, `aux 1° et 3°`. */
function isItem(context: Context, { end, whole }: WrittenNumber): boolean {
  const { itemBefore } = context.language.rules;
  if (!itemBefore || Number(whole) > LAST_ITEM) return false;
  const before = textBefore(context, 40);
  return itemBefore.test(before) || (ITEM_BEFORE.test(before) && matchAt(TEXT_NEXT, context.text, end) !== undefined);
}

function quantity(context: Context, number: WrittenNumber): Match | undefined {
  const { text, language, options } = context;
  if (!options.unit_normalization) return undefined;
  const match = matchAt(language.unit, text, number.end);
  const value = numericValue(number);
  // 2h 15m
  const symbol = match?.[1] === 'm' && HOURS_BEFORE.test(textBefore(context, 4)) ? 'min' : match?.[1];
  const isVerb = symbol === 'ha' && !matchAt(HECTARES_NEXT, text, number.end + match![0].length);
  const noun = symbol && !isVerb && unitName(language, symbol, value);
  if (!noun) return rate(context, number) ?? inches(context, number);
  const end = number.end + match![0].length;
  const stop = matchAt(STOP, text, end)?.[0] ?? '';
  return { end: end + stop.length, words: counted(language, number, noun) };
}

function rate({ text, language }: Context, number: WrittenNumber): Match | undefined {
  const match = matchAt(RATE, text, number.end);
  const above = match && unitName(language, match[1]!, numericValue(number));
  const below = match && unitName(language, match[2]!, 1);
  if (!above || !below) return undefined;
  const { per, symbols } = language.rules;
  const power = match[3] ? ` ${symbols[match[3]]}` : '';
  return { end: number.end + match[0].length, words: `${counted(language, number, above)} ${per} ${below}${power}` };
}

/** `6,1"`, unless the mark closes a quotation. */
function inches({ text, language }: Context, number: WrittenNumber): Match | undefined {
  if (!matchAt(INCHES, text, number.end)) return undefined;
  const before = text.slice(0, number.end);
  if (isInQuotation(before)) return undefined;
  // The quotation may have begun in another sentence.
  if (!/[\p{L}\d]/u.test(text.slice(number.end)) && !SCREEN.test(before)) return undefined;
  return { end: number.end + 1, words: counted(language, number, intlName(language, 'inch', numericValue(number))) };
}

/** Whether the last quotation mark opens. One after a digit does not. */
function isInQuotation(text: string): boolean {
  let isOpen = false;
  for (const { index } of text.matchAll(/"/g)) isOpen = !isOpen && !/\d/.test(text[index - 1] ?? '');
  return isOpen;
}

function nouns(context: Context, number: WrittenNumber): Match | undefined {
  const noun = countedNounAt(context, number.end, numericValue(number));
  if (!noun) return undefined;
  const isOne = context.language.plurals.select(numericValue(number)) === 'one';
  return { end: noun.end, words: `${counted(context.language, number, isOne ? noun.one : noun.many)}${noun.stop}` };
}

/** Beside these a number is an angle or another value: `x = 45°`, `cos 45°`, `45° + 45°` */
const FORMULA_BEFORE = /(?:[=≈<>≤≥+×÷∠]\s?|(?<!\p{L})(?:sin|sen|cos|tan|tg|cot)\s?)\(?$/u;
const FORMULA_AFTER = /^\)?\s?[=≈<>≤≥+×÷]/;

/** Whether the mark of an ordinal is a degree sign, or stands for one: `180º`, `30ºC`. */
export function isDegrees(context: Context, ordinal: string): boolean {
  if (!/\d[°º]$/.test(ordinal)) return false;
  const number = Number.parseInt(ordinal, 10);
  const end = context.index + ordinal.length;
  const scale = /^(\s?)[CF](?!\p{L})/u.exec(context.text.slice(end, end + 3));
  // 3º C may be a flat or a class.
  if (scale) return ordinal.endsWith('°') || scale[1] === '' || number >= 10;
  if (isBesideDegrees(context, end) || (number >= 10 && matchAt(COMPASS_AFTER, context.text, end))) return true;
  const before = textBefore(context, 40);
  if (FORMULA_BEFORE.test(before) || FORMULA_AFTER.test(context.text.slice(end, end + 3))) return true;
  const isCounted = context.language.rules.genderOf(nextWord(context, end)) !== undefined;
  if (isCounted || ARTICLE_BEFORE.test(before)) return false;
  if (DEGREES_BEFORE.test(before) || HEAT_BEFORE.test(before)) return true;
  if (number >= 20 && number % 5 === 0 && AMOUNT_WORD_BEFORE.test(before)) return true;
  // A place in a race is seldom so high, and is written with º.
  return (number > (ordinal.endsWith('°') ? 19 : 60) && number % 10 === 0) || (number > 60 && number % 45 === 0);
}

/** Whether other degrees, or what only degrees have, are beside the number that ends at `end`. */
function isBesideDegrees(context: Context, end: number): boolean {
  return (
    SCALE_USED.test(textBefore(context, 60)) ||
    SCALE_BEFORE.test(textBefore(context, 40)) ||
    matchAt(MINUTES_NEXT, context.text, end) !== undefined ||
    matchAt(HEAT_AFTER, context.text, end) !== undefined
  );
}

/** A number and the noun that it counts. */
export function counted(language: Language, number: WrittenNumber, noun: string): string {
  const { genderOf, of } = language.rules;
  const gender = genderOf(noun.split(' ')[0]!);
  const whole = withoutZero(number);
  const count = number.decimals === '' ? cardinal(language, whole, gender, noun) : decimal(language, number);
  return `${count} ${number.decimals === '' && isMillions(whole) ? of(noun) : noun}`;
}

function numericValue({ whole, decimals }: WrittenNumber): number {
  return Number(`${whole}.${decimals || '0'}`);
}
