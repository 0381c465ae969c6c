import { matchAt, wordSet } from '../../patterns.ts';
import { type Currency, codes, symbols } from './currencies.ts';
import { cardinal, decimal, groupedNumber } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const scaleWords: Record<string, string> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  mm: 'million',
  mio: 'million',
  b: 'billion',
  cr: 'crore',
  bn: 'billion',
  t: 'trillion',
  tn: 'trillion',
};

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

/** Before these an amount may describe the noun after it: `the $20 bill`. */
const determiners = wordSet(
  `a an the my your his her its our their this that these those another each every any no whose which one two three four five
  six seven eight nine ten several many few`,
);
const adjectives =
  wordSet(`new old brand whole first second third last next extra additional single entire recent reported proposed
  planned massive huge whopping mere measly cheap nearly almost about roughly annual monthly weekly daily initial total
  final big small original fake crisp average typical standard free one-time multi`);
/** Words after an amount that are not nouns. */
const noNouns =
  wordSet(`a an the this that these those my your his her its our their i he she it we they you who which what when where
  why how and or but nor so yet if than then as because while of in on at to for from by with without into onto over
  under about after before between during until till through per via off out up down back is are was were be been being
  am has have had do does did will would can could may might must shall should not more less extra each apiece total
  altogether instead again already now today tonight yesterday tomorrow later ago once went goes go came comes come cost
  costs covers cover bought buys buy paid pays pay gets got get made makes make spent spends saves saved took takes take
  gave gives give left lost fell rose seems seemed sounds looks bet said says there here only just too also even never
  always still ever worth short richer poorer cheaper higher lower plus minus times`);
const wordBefore = /([\p{L}-]{1,20})\s{1,2}$/u;
const noun = /\s(\p{Ll}[\p{Ll}-]{1,30})/uy;
const cashNext = /[\s-](?:bills?|notes?|banknotes?|coins?)(?!\p{L})/uy;
const compoundNext = /-(?!per\b|and\b|or\b|to\b)(?=\p{Ll})/uy;
const dealNouns = wordSet('deal deals contract fine prize budget loan grant lawsuit settlement bailout ransom');
/** A larger amount whose scale holds for the one before too: `$5 to $10 million`. */
const largerNext =
  /\s?(?:to|and|or|-|–|—)\s?[$£€¥₹]\d{1,3}(?:\.\d{1,3})?(?:[\s-]{0,2}(?:hundred|thousand|lakh|crore|million|billion|trillion)\b|(?:k|m|bn|b)(?![\p{L}\d]))/iuy;
const scaleEnd = /^(?:lakh|crore)/;

/**
 * Whether an amount describes the noun after it, so that its currency has no plural: `a new $5 bill`, `Bob's $400 phone`,
 * `in $20 bills`, `a $5-a-day job`.
 */
function isAttributive({ text, index }: Context, end: number): boolean {
  if (matchAt(cashNext, text, end)) return true;
  const isCompound = matchAt(compoundNext, text, end) !== undefined;
  const next = matchAt(noun, text, end)?.[1] ?? '';
  if (!isCompound && (next === '' || noNouns.has(next) || /(?:ly|ed|ing)$/.test(next))) return false;
  if (dealNouns.has(next)) return true;
  let before = text.slice(Math.max(0, index - 60), index);
  for (let count = 0; count < 3; count++) {
    if (/['’]s\s$/.test(before)) return true;
    const [all = '', word = ''] = wordBefore.exec(before) ?? [];
    if (determiners.has(word.toLowerCase())) return true;
    if (!adjectives.has(word.toLowerCase())) return false;
    before = before.slice(0, before.length - all.length);
  }
  return false;
}

const wordAfter = /[\s-](\p{L}{2,20})(?!\p{L})/uy;

/** The currency's name if it follows the amount once more: `$5 million dollars`. */
function namedAfter(text: string, end: number, { one, many }: Currency): { end: number; name: string } | undefined {
  const match = matchAt(wordAfter, text, end);
  const word = match?.[1]?.toLowerCase() ?? '';
  const name = [many, one].find((each) => each === word || each.endsWith(` ${word}`)) ?? (word === 'bucks' && word);
  return match && name ? { end: end + match[0].length, name } : undefined;
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

/** `$3.50`, `£5m`, `$10-20`, `US$1 trillion`, `EUR 5`, `₹1,00,000`, `Rs. 500`. */
export function matchMoney(context: Context): Match | undefined {
  const { text, index } = context;
  const lost = matchLoss(context);
  if (lost) return lost;
  const match = matchAt(prefixed, text, index);
  if (!match) return undefined;
  const [all, symbol, minus, written = '', decimals = '', upTo, scaleWord, scaleLetter, code] = match;
  // `€9,99`
  const part = decimals.replace(',', '.');
  const whole = written.replaceAll('.', ',');
  if (/^r[se]/.test(symbol!)) return undefined;
  // The conference `COP28`
  if (symbol === 'COP' && /^COP\d{1,2}$/.test(all.trim())) return undefined;
  // The blood value `INR 2.5`
  if (/^INR$/i.test(symbol!) && !scaleWord && !scaleLetter && /^\d$/.test(whole) && decimals.length === 2)
    return undefined;
  // `EUR/USD 1.085` is a rate.
  if (/^\p{L}/u.test(symbol!) && /\p{L}\/$/u.test(text.slice(Math.max(0, index - 2), index))) return undefined;
  // `$5 USD`
  const currency = codes[(code ?? symbol!).toUpperCase()] ?? symbols[symbol!.toUpperCase().replace('.', '')];
  if (!currency) return undefined;
  const matched = index + all.length;
  if (
    !scaleWord &&
    !scaleLetter &&
    !code &&
    !upTo &&
    Number(whole.replaceAll(',', '')) < 1000 &&
    matchAt(largerNext, text, matched)
  ) {
    return { end: matched, words: decimal(whole + part) };
  }
  // `$1.5M–2M`
  const [upper = '', most = ''] = scaleLetter ? (matchAt(scaledNext, text, matched) ?? []) : [];
  if (scaleLetter && upper.toLowerCase().endsWith(scaleLetter.toLowerCase())) {
    const words = `${decimal(whole + part)} to ${decimal(most)} ${scaleWords[scaleLetter.toLowerCase()]} ${currency.many}`;
    return { end: matched + upper.length, words };
  }
  const named = namedAfter(text, matched, currency);
  const isSingular = !named && isAttributive(context, matched);
  const names = named ? { ...currency, one: named.name, many: named.name } : currency;
  const words = amount(
    {
      whole,
      part: part.slice(1),
      upTo,
      scale: scaleWord?.toLowerCase() ?? scaleWords[scaleLetter?.toLowerCase() ?? ''],
    },
    isSingular ? { ...names, many: names.one } : names,
  );
  return { end: named?.end ?? matched, words: minus ? `minus ${words}` : words };
}

const scaledNext = /[-–](\d{1,3}(?:\.\d{1,3})?)(?:k|mn|mm|m|bn|b|tn|t)(?![\p{L}\d])/iuy;

interface Amount {
  whole: string;
  /** Decimals. */
  part: string;
  /** The end of a range. */
  upTo?: string | undefined;
  /** `million` */
  scale?: string | undefined;
}

/** `three dollars and fifty cents`; decimals if there are not two digits. */
function amount({ whole, part, upTo, scale }: Amount, currency: Currency): string {
  const number = () => (part ? decimal(`${whole.replaceAll(',', '')}.${part}`) : groupedNumber(whole || '0'));
  if (upTo && !scale && (part || upTo.includes('.'))) {
    const [most = '', decimals = ''] = upTo.split('.');
    return `${amount({ whole, part }, currency)} to ${amount({ whole: most, part: decimals }, currency)}`;
  }
  if (upTo) return `${number()} to ${decimal(upTo)} ${scale ? `${scale} ` : ''}${currency.many}`;
  if (scale) return `${number()} ${scaleEnd.test(scale) ? scale.replace(/s$/, '') : scale} ${currency.many}`;
  const digits = whole.replaceAll(',', '');
  const units = `${groupedNumber(whole || '0')} ${/^0*1$/.test(digits) ? currency.one : currency.many}`;
  if (!part || (currency.minor && /^00$/.test(part))) return units;
  if (part.length !== 2 || !currency.minor) return `${decimal(`${digits || '0'}.${part}`)} ${currency.many}`;
  const minor = `${cardinal(part)} ${part === '01' ? currency.minor[0] : currency.minor[1]}`;
  return /^0*$/.test(digits) ? minor : `${units} and ${minor}`;
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
