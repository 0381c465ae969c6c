import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { amount, scaleWords } from './amounts.ts';
import { isAttributive } from './attributive-amounts.ts';
import { type Currency, codes, symbols } from './currencies.ts';
import { decimal } from './numbers.ts';
import type { Context, Match, Rule } from './rule.ts';

const codeNames = Object.keys(codes).filter((code) => code !== 'kr');
const number = String.raw`(\d{1,3}(?:\.\d{3}){2,20}(?![\d.]\d)|\d{1,3}(?:\.\d{3}){1,6}(?=,\d{2}(?!\d|,\d))|\d{1,3}(?:,\d{3}){1,20}(?!\d|,\d)|\d{1,2}(?:,\d{2}){1,20},\d{3}(?!\d|,\d)|\d{1,60})?(\.\d{1,30}|,\d{2}(?!\d|,\d))?`;
const scale = String.raw`(?:[\s-]{0,2}(hundred|thousand|lakhs?|crores?|million|billion|trillion|quadrillion)\b|(k|mn|mm|mio|m|bn|b|tn|t|cr)(?![\p{L}\d]))?`;
/** The pattern of the sign or code of a currency. */
export const currencySign = String.raw`(?:US|CA|AU|NZ|HK|NT|MX|C|A|S|R)?\$|(?:CN|JP)?¥|[£€₹₨₩₽₿₺₴₪₫฿₦₱₵₡]|(?:${codeNames.join('|')})(?=\s?\d)`;
const prefixed = new RegExp(
  String.raw`(${currencySign}|R[se]\.?(?=\s?\d))(-?)\s?(?=\.?\d)${number}(?:[-–](\d{1,9}(?:\.\d{1,9})?)(?!\d|[.,–-]\d))?${scale}(?:\s(${codeNames.join('|')})(?![\p{L}\d]))?`,
  'iuy',
);
const suffix = new RegExp(
  String.raw`(?:[\s-]{0,2}(hundred|thousand|lakhs?|crores?|million|billion|trillion)|\s?([kK]|[mM]|bn|B|Mio|mn|tn))?\s?(?:([¢€£¥₹₩₽₺₴₪₫฿])|\$(?![\d.])|(${codeNames.join('|')}|kr)(?![\p{L}\d]))`,
  'uy',
);

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [matchLoss, matchBlank, matchPrice];

const blank = /\$(X{1,3}|[YZ]),000(?!,?\d)/y;

/** An amount to fill in: `$X,000` */
function matchBlank({ text, index }: Context): Match | undefined {
  const [all = '', letters = ''] = matchAt(blank, text, index) ?? [];
  return all ? { end: index + all.length, words: `${spell(letters)} thousand dollars` } : undefined;
}

/** `$3.50`, `£5m`, `$10-20`, `US$1 trillion`, `EUR 5`, `₹1,00,000`, `Rs. 500`. */
export function matchMoney(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

/** A loss in books of account: `$(12.5)m` */
const loss =
  /([$£€¥])\((\d{1,3}(?:,\d{3}){0,5}(?:\.\d{1,3})?)\)(?:\s?(million|billion|thousand|mm?|bn|b|k|MM?|B|K)(?![\p{L}\d]))?/uy;

function matchLoss({ text, index }: Context): Match | undefined {
  const [all, symbol = '', number = '', scale = ''] = matchAt(loss, text, index) ?? [];
  const currency = symbols[symbol];
  if (all === undefined || !currency) return undefined;
  const [whole = '', part = ''] = number.split('.');
  const words = amount({ whole, part, scale: scaleWords[scale.toLowerCase()] ?? (scale || undefined) }, currency);
  return { end: index + all.length, words: `minus ${words}` };
}

/** A number after the sign or code of its currency. */
interface Price extends Context {
  /** As written. */
  all: string;
  /** Index after it. */
  end: number;
  /** The sign or code. */
  symbol: string;
  currency: Currency;
  isNegative: boolean;
  whole: string;
  /** Decimals with their point; empty if there are none. */
  part: string;
  /** The end of a range. */
  upTo: string | undefined;
  /** `million` */
  scale: string | undefined;
  /** As written: the `M` in `$5M` */
  scaleLetter: string;
  /** The code of the currency after the number: `$5 USD` */
  code: string | undefined;
}

/** In this order: the first that matches wins. */
const priceRules: readonly ((price: Price) => Match | undefined)[] = [matchScaledByNext, matchScaledRange, matchAmount];

/** `$3.50`, `EUR 5` */
function matchPrice(context: Context): Match | undefined {
  const price = priceAt(context);
  return price && !isNoMoney(price) ? firstMatch(priceRules, price) : undefined;
}

function priceAt(context: Context): Price | undefined {
  const [all, symbol = '', minus, written = '', decimals = '', upTo, scaleWord, scaleLetter = '', code] =
    matchAt(prefixed, context.text, context.index) ?? [];
  const currency = codes[(code ?? symbol).toUpperCase()] ?? symbols[symbol.toUpperCase().replace('.', '')];
  if (all === undefined || !currency) return undefined;
  return {
    ...context,
    all,
    end: context.index + all.length,
    symbol,
    currency,
    isNegative: minus === '-',
    whole: written.replaceAll('.', ','),
    // `€9,99`
    part: decimals.replace(',', '.'),
    upTo,
    scale: scaleWord?.toLowerCase() ?? scaleWords[scaleLetter.toLowerCase()],
    scaleLetter,
    code,
  };
}

/** Whether letters are no currency: `re 5`, the conference `COP28`, the blood value `INR 2.5`, the rate `EUR/USD 1.085` */
function isNoMoney(price: Price): boolean {
  const { all, symbol, whole, part, scale, allCaps } = price;
  // `try 5 times`, `Rub 2 tsp`
  const isWord =
    /^(?:try|rub|ron|cop)$/i.test(symbol) && (symbol !== symbol.toUpperCase() || (allCaps && whole.length < 3));
  // `PHP 8.2`
  const isLanguage = /^php$/i.test(symbol) && /^[4-9]$/.test(whole) && part.length < 3 && !scale;
  const isConference = symbol === 'COP' && /^COP\d{1,2}$/.test(all.trim());
  const isBloodValue = /^INR$/i.test(symbol) && !scale && /^\d$/.test(whole) && part.length === 2;
  const isRate = /^\p{L}/u.test(symbol) && /\p{L}\/$/u.test(textBefore(price, 2));
  return /^r[se]/.test(symbol) || isWord || isLanguage || isConference || isBloodValue || isRate;
}

/** A larger amount whose scale holds for the one before too: `$5 to $10 million`. */
const largerNext =
  /\s?(?:to|and|or|-|–|—)\s?[$£€¥₹]\d{1,3}(?:\.\d{1,3})?(?:[\s-]{0,2}(?:hundred|thousand|lakh|crore|million|billion|trillion)\b|(?:k|m|bn|b)(?![\p{L}\d]))/iuy;

/** The first of `$5 to $10 million` */
function matchScaledByNext({ text, end, whole, part, upTo, scale, code }: Price): Match | undefined {
  if (scale || code || upTo || Number(whole.replaceAll(',', '')) >= 1000) return undefined;
  return matchAt(largerNext, text, end) && { end, words: decimal(whole + part) };
}

const scaledNext = /[-–](\d{1,3}(?:\.\d{1,3})?)(?:k|mn|mm|m|bn|b|tn|t)(?![\p{L}\d])/iuy;

/** `$1.5M–2M` */
function matchScaledRange(price: Price): Match | undefined {
  const { text, end, currency, whole, part, scale, scaleLetter } = price;
  const [upper = '', most = ''] = scaleLetter ? (matchAt(scaledNext, text, end) ?? []) : [];
  if (upper === '' || !upper.toLowerCase().endsWith(scaleLetter.toLowerCase())) return undefined;
  const words = `${decimal(whole + part)} to ${decimal(most)} ${scale} ${currency.many}`;
  return { end: end + upper.length, words };
}

/** `$3.50`, `$5 million dollars`, `a $20 bill` */
function matchAmount(price: Price): Match | undefined {
  const { text, end, currency, isNegative, whole, part, upTo, scale } = price;
  const named = namedAfter(text, end, currency);
  const isSingular = !named && isAttributive(price, end);
  const names = named ? { ...currency, one: named.name, many: named.name } : currency;
  const words = amount({ whole, part: part.slice(1), upTo, scale }, isSingular ? { ...names, many: names.one } : names);
  return { end: named?.end ?? end, words: isNegative ? `minus ${words}` : words };
}

const wordAfter = /[\s-](\p{L}{2,20})(?!\p{L})/uy;

/** The currency's name if it follows the amount once more: `$5 million dollars`. */
function namedAfter(text: string, end: number, { one, many }: Currency): { end: number; name: string } | undefined {
  const match = matchAt(wordAfter, text, end);
  const word = match?.[1]?.toLowerCase() ?? '';
  const name = [many, one].find((each) => each === word || each.endsWith(` ${word}`)) ?? (word === 'bucks' && word);
  return match && name ? { end: end + match[0].length, name } : undefined;
}

const millions =
  /(\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?)\s?(m|tn)(?=\s(?:euros?|dollars?|pounds?|yen|yuan|rupees?|rubles?|roubles?|francs?|kron[ae]r?|pesos?|reais|rand|won|people|users|customers|viewers|voters|tonnes?|barrels|shares)(?!\p{L}))/uy;

/** `120.7m euros` */
export function matchScaledCurrency({ text, index }: Context): Match | undefined {
  const [all, number = '', letter = ''] = matchAt(millions, text, index) ?? [];
  return all === undefined ? undefined : { end: index + all.length, words: `${decimal(number)} ${scaleWords[letter]}` };
}

/** Hundredths before the name of a currency; a pound may be a weight: `5.00 euros` */
const centsNamed = /\s(euro|dollar)s?(?![\p{L}\d-])/uy;

function namedCents({ text }: Context, whole: string, part: string, end: number): Match | undefined {
  const [all = '', name] = part.length === 2 ? (matchAt(centsNamed, text, end) ?? []) : [];
  return name
    ? { end: end + all.length, words: amount({ whole, part }, symbols[name === 'euro' ? '€' : '$']!) }
    : undefined;
}

/**
 * The currency after a number: `5 USD`, `5.00 euros`, `20¢`, `1.000 €`, `5 million EUR`.
 * @param end index after the number
 */
export function matchCurrencyAfter(context: Context, whole: string, part: string, end: number): Match | undefined {
  const match = matchAt(suffix, context.text, end);
  if (!match) return namedCents(context, whole, part, end);
  const [all, scaleWord, scaleLetter, symbol, code] = match;
  const currency = code ? codes[code] : symbols[symbol ?? '$'];
  if (!currency) return undefined;
  const matched = end + all.length;
  const scale = scaleWord ?? scaleWords[scaleLetter?.toLowerCase() ?? ''];
  const names = isAttributive(context, matched) ? { ...currency, many: currency.one } : currency;
  return { end: matched, words: amount({ whole, part, scale }, names) };
}
