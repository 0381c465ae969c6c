import { matchAt } from '../../patterns.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

interface Currency {
  one: string;
  many: string;
  /** A hundredth, if prices use it. */
  minor?: [one: string, many: string];
}

const cents: [string, string] = ['cent', 'cents'];
const dollars = (country = ''): Currency => ({ one: `${country}dollar`, many: `${country}dollars`, minor: cents });
const unchanging = (name: string): Currency => ({ one: name, many: name });
const plain = (name: string, minor?: [string, string]): Currency => ({
  one: name,
  many: `${name}s`,
  ...(minor && { minor }),
});

const pounds = plain('pound', ['penny', 'pence']);
const euros = plain('euro', cents);
const rupees = plain('rupee', ['paisa', 'paise']);
const krona: Currency = { one: 'krona', many: 'kronor' };

const symbols: Record<string, Currency> = {
  $: dollars(),
  US$: dollars('U S '),
  C$: dollars('Canadian '),
  CA$: dollars('Canadian '),
  A$: dollars('Australian '),
  AU$: dollars('Australian '),
  NZ$: dollars('New Zealand '),
  HK$: dollars('Hong Kong '),
  S$: dollars('Singapore '),
  R$: { one: 'real', many: 'reais' },
  '£': pounds,
  '€': euros,
  '¥': unchanging('yen'),
  '₹': rupees,
  '₩': unchanging('won'),
  '₽': plain('ruble'),
  '₿': plain('bitcoin'),
  '₺': unchanging('lira'),
  '₴': unchanging('hryvnia'),
  '₪': plain('shekel'),
  '₫': unchanging('dong'),
  '฿': unchanging('baht'),
  '¢': { one: 'cent', many: 'cents' },
};

const codes: Record<string, Currency> = {
  USD: dollars('U S '),
  CAD: dollars('Canadian '),
  AUD: dollars('Australian '),
  NZD: dollars('New Zealand '),
  HKD: dollars('Hong Kong '),
  SGD: dollars('Singapore '),
  EUR: euros,
  GBP: pounds,
  JPY: unchanging('yen'),
  CNY: unchanging('yuan'),
  INR: rupees,
  KRW: unchanging('won'),
  CHF: plain('Swiss franc'),
  SEK: { one: 'Swedish krona', many: 'Swedish kronor' },
  NOK: { one: 'Norwegian krone', many: 'Norwegian kroner' },
  DKK: { one: 'Danish krone', many: 'Danish kroner' },
  MXN: plain('Mexican peso'),
  BRL: { one: 'real', many: 'reais' },
  ZAR: unchanging('rand'),
  PLN: { one: 'zloty', many: 'zloty' },
  kr: krona,
};

const scaleWords: Record<string, string> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  mm: 'million',
  mio: 'million',
  b: 'billion',
  bn: 'billion',
  t: 'trillion',
  tn: 'trillion',
};

const number = String.raw`(\d{1,3}(?:,\d{3}){1,20}(?!\d)|\d{1,60})?(\.\d{1,30})?`;
const scale = String.raw`(?:[\s-]{0,2}(hundred|thousand|million|billion|trillion|quadrillion)\b|(k|mn|mm|mio|m|bn|b|tn|t)(?![\p{L}\d]))?`;
const prefixed = new RegExp(
  String.raw`((?:US|CA|AU|NZ|HK|C|A|S|R)?\$|[£€¥₹₩₽₿₺₴₪₫฿]|(?:USD|CAD|AUD|NZD|HKD|SGD|EUR|GBP|JPY|CNY|INR|KRW|CHF|SEK|NOK|DKK|MXN|BRL|ZAR|PLN)(?=\s?\d))(-?)\s?(?=\.?\d)${number}(?:[-–](\d{1,9}(?:\.\d{1,9})?)(?![\d,-]))?${scale}`,
  'iuy',
);
const suffix =
  /\s?(?:([¢€£¥₹₩₽₺₴₪₫฿])|\$(?![\d.])|(USD|CAD|AUD|NZD|HKD|SGD|EUR|GBP|JPY|CNY|INR|KRW|CHF|SEK|NOK|DKK|MXN|BRL|ZAR|PLN|kr)(?![\p{L}\d]))/uy;
const nounNext = /\s(?:\p{Ll})/uy;

/** `$3.50`, `£5m`, `$10-20`, `US$1 trillion`, `EUR 5`. */
export function matchMoney({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(prefixed, text, index);
  if (!match) return undefined;
  const [all, symbol, minus, whole = '', part = '', upTo, scaleWord, scaleLetter] = match;
  const currency = symbols[symbol!.toUpperCase()] ?? codes[symbol!.toUpperCase()];
  if (!currency) return undefined;
  const end = index + all.length;
  const scaled = scaleWord?.toLowerCase() ?? scaleWords[scaleLetter?.toLowerCase() ?? ''];
  // `a $5 bill`: before a noun the currency has no plural.
  const attributive = /^an?$/i.test(previous) && matchAt(nounNext, text, end) !== undefined;
  let words: string;
  if (upTo) {
    words = `${decimal(whole + part)} to ${decimal(upTo)} ${scaled ? `${scaled} ` : ''}${currency.many}`;
  } else if (scaled) {
    words = `${decimal(whole + part)} ${scaled} ${attributive ? currency.one : currency.many}`;
  } else {
    words = amount(whole, part.slice(1), attributive ? { ...currency, many: currency.one } : currency);
  }
  return { end, words: minus ? `minus ${words}` : words };
}

/** `three dollars and fifty cents`; decimals if there are not two digits. */
function amount(whole: string, part: string, currency: Currency): string {
  const digits = whole.replaceAll(',', '');
  const units = `${cardinal(digits || '0')} ${/^0*1$/.test(digits) ? currency.one : currency.many}`;
  if (!part || (currency.minor && /^00$/.test(part))) return units;
  if (part.length !== 2 || !currency.minor) return `${decimal(`${digits || '0'}.${part}`)} ${currency.many}`;
  const minor = `${cardinal(part)} ${part === '01' ? currency.minor[0] : currency.minor[1]}`;
  return /^0*$/.test(digits) ? minor : `${units} and ${minor}`;
}

/** The currency after a number: `5 USD`, `20¢`, `1.000 €`. */
export function matchCurrencyAfter(text: string, whole: string, part: string, end: number): Match | undefined {
  const match = matchAt(suffix, text, end);
  if (!match) return undefined;
  const currency = match[2] ? codes[match[2]] : symbols[match[1] ?? '$'];
  return currency && { end: end + match[0].length, words: amount(whole, part, currency) };
}
