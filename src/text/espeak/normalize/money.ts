import { matchAt } from '../../patterns.ts';
import { isMinus } from './calculations.ts';
import { cardinal, decimal, isMillions } from './numbers.ts';
import type { Context, Language, Match } from './rule.ts';
import { type Scale, scaleAt, scaled } from './scales.ts';
import { numberAt, type WrittenNumber, withRange } from './written-numbers.ts';

interface CurrencySign {
  end: number;
  /** As in `LanguageRules.currencies`. */
  currency: string;
}

const EURO = /^(?:€|EUR)$/;
/** What stands for no hundredths: `15,-`, `50.-` */
const ROUND = /[,.](?:--?|[–—])(?![\p{L}\d])/uy;
const NEGATIVE = /\s?[-−](?=\d)/uy;
const CODE = /\s?([A-Z]{3})(?![\p{L}\d])/uy;

/** `3,50 €`, `R$ 5 milhões`, `20k euros`, `$10-20` */
export function matchMoney(context: Context): Match | undefined {
  const match = money(context);
  const { currencies, obliqueNext } = context.language.rules;
  if (!match || !obliqueNext || !matchAt(obliqueNext, context.text, match.end)) return match;
  // ₹1 का
  const currency = Object.values(currencies).find(({ one }) => match.words.endsWith(` ${one}`));
  return currency ? { end: match.end, words: match.words.slice(0, -currency.one.length) + currency.many } : match;
}

function money(context: Context): Match | undefined {
  const { text, index, language } = context;
  const before = text[index - 1] ?? '';
  if (/\p{L}/u.test(before)) return undefined;
  const sign = currencyAt(context, index);
  if (sign) return amountBehind(context, sign) ?? currencyAlone(context, sign);
  const number = /\d/.test(before) ? undefined : numberAt(context, index);
  if (!number) return undefined;
  const scale = scaleAt(context, number);
  const end = roundEnd(text, scale?.end ?? number.end);
  const match = currencyAt(context, skipSpace(text, end)) ?? currencyBehind(context, number, scale);
  if (!match) return undefined;
  const words = amount(language, number, match.currency, scale);
  return withRange(context, { end: match.end, words }, text.slice(end, match.end).trim());
}

/** A currency by its name after an abbreviated scale, or cents: `20k euros`, `3,50 euros`. */
function currencyBehind(context: Context, { end, decimals }: WrittenNumber, scale?: Scale): CurrencySign | undefined {
  if (scale) return scale.isShort ? namedCurrency(context, scale.end) : undefined;
  // Pounds and the like are weights too.
  const named = decimals.length === 2 ? namedCurrency(context, end) : undefined;
  return named && EURO.test(named.currency) ? named : undefined;
}

/** Whether a currency sign and its amount begin at the index. */
export function isAmount(context: Context, index: number): boolean {
  const sign = currencyAt(context, index);
  return sign !== undefined && numberAt(context, skipSpace(context.text, sign.end)) !== undefined;
}

/** The amount after a currency sign. A range names the currency once, at its end: `$10-20`, `$10-$20`. */
function amountBehind(context: Context, { end: signEnd, currency }: CurrencySign): Match | undefined {
  const { text, language } = context;
  // R$ -3,00
  const minus = /\p{L}$/u.test(currency) ? undefined : matchAt(NEGATIVE, text, signEnd)?.[0];
  if (minus) {
    const match = amountBehind(context, { end: signEnd + minus.length, currency });
    return match && { end: match.end, words: `${language.rules.minus} ${match.words}` };
  }
  const written = numberAt(context, skipSpace(text, signEnd));
  if (!written) return undefined;
  const number = grouped(context, written);
  const dash = matchAt(/[-–]/y, text, number.end);
  const next = number.end + 1;
  const nextSign = dash && currencyAt(context, next);
  const isRange = dash && !isMinus(context, number.end) && (!nextSign || nextSign.currency === currency);
  const to = isRange ? amountBehind(context, nextSign ?? { end: next, currency }) : undefined;
  if (to) {
    const { one, gender } = language.rules.currencies[currency]!;
    const from =
      number.decimals === '' ? cardinal(language, number.whole, gender, one) : amount(language, number, currency);
    return { end: to.end, words: `${from} ${language.rules.range} ${to.words}` };
  }
  const scale = scaleAt(context, number);
  const end = roundEnd(text, scale?.end ?? number.end);
  const named = namedCurrency(context, end);
  return { end: named?.end ?? end, words: amount(language, number, named?.currency ?? currency, scale) };
}

/** `$ 32,582`: three digits after the comma of an amount are thousands, as in Mexico, unless it is a scale or a rate. */
function grouped(context: Context, number: WrittenNumber): WrittenNumber {
  const { end, whole, decimals, point } = number;
  const isGroup = point === ',' && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!isGroup || scaleAt(context, number) || /^\s?\//.test(context.text.slice(end, end + 2))) return number;
  return { end, whole: whole + decimals, decimals: '', point };
}

function amount(language: Language, number: WrittenNumber, currency: string, scale?: Scale): string {
  const { whole, decimals } = number;
  const { currencies, centsAfter, of } = language.rules;
  const { one, many, gender, cent } = currencies[currency]!;
  if (scale) return `${scaled(language, number, scale, gender, many)} ${scale.isThousand ? many : of(many)}`;
  const isWhole = /^0*$/.test(decimals);
  if (!isWhole && (decimals.length !== 2 || !cent)) return `${decimal(language, number)} ${many}`;
  const name = Number(whole) === 1 ? one : isMillions(whole) ? of(many) : many;
  const units = `${cardinal(language, whole, gender, one)} ${name}`;
  if (isWhole) return units;
  const hundredths = Number(decimals);
  const centName = cent![hundredths === 1 ? 0 : 1];
  const cents = `${cardinal(language, String(hundredths), 'masculine', centName)} ${centName}`;
  return Number(whole) === 0 ? cents : [units, centsAfter, cents].filter(Boolean).join(' ');
}

function currencyAt({ text, language }: Context, index: number): CurrencySign | undefined {
  for (const length of [5, 4, 3, 2, 1]) {
    const sign = text.slice(index, index + length).replace(/\s/g, ' ');
    const isPartOfWord = /[\p{L}\p{M}]$/u.test(sign) && /[\p{L}\p{M}]/u.test(text[index + length] ?? '');
    if (sign.length === length && !isPartOfWord && Object.hasOwn(language.rules.currencies, sign)) {
      return { end: index + length, currency: sign };
    }
  }
  return undefined;
}

/** The currency whose code or name follows an amount: `$5 millones de pesos`, `$500 COP`. */
export function namedCurrency({ text, language }: Context, index: number): CurrencySign | undefined {
  const { currencies, of } = language.rules;
  const code = matchAt(CODE, text, index);
  if (code && Object.hasOwn(currencies, code[1]!)) return { end: index + code[0].length, currency: code[1]! };
  const follows = (name: string) =>
    text.startsWith(` ${name}`, index) && !/[\p{L}\p{M}]/u.test(text[index + 1 + name.length] ?? '');
  for (const [currency, { one, many }] of language.currenciesByName) {
    const name = [many, of(many), one].find(follows);
    if (name) return { end: index + 1 + name.length, currency };
  }
  return undefined;
}

/** The name of a currency whose sign has letters, without an amount: `em R$` */
function currencyAlone({ text, language }: Context, { end, currency }: CurrencySign): Match | undefined {
  const isAlone = /^\p{L}{1,2}\$$/u.test(currency) && !/[\p{L}\d]/u.test(text[end] ?? '');
  return isAlone ? { end, words: language.rules.currencies[currency]!.many } : undefined;
}

function roundEnd(text: string, end: number): number {
  return end + (matchAt(ROUND, text, end)?.[0].length ?? 0);
}

function skipSpace(text: string, index: number): number {
  return /\s/.test(text[index] ?? '') ? index + 1 : index;
}
