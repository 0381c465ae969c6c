import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { isWeekday } from './calendar-names.ts';
import { matchDose, matchPrice, matchRate } from './rates.ts';
import type { Match } from './rule.ts';
import type { SymbolContext, SymbolRule } from './symbol-rule.ts';
import { matchTwoSystems } from './two-systems.ts';

/** In this order: the first that matches wins. */
const rules: readonly SymbolRule[] = [
  matchQuotient,
  matchAbbreviations,
  matchTwoSystems,
  matchLooseSlash,
  matchDose,
  matchTireSize,
  matchOffer,
  matchCurrencyPair,
  matchAperture,
  matchYearSpan,
  matchScore,
  matchDecades,
  matchWeekdays,
  matchRate,
  matchPrice,
  matchVersion,
];

/** A slash: `to` between years, `out of` a whole, `per` after a price, `or` between pronouns. */
export function matchSlash(symbol: SymbolContext): Match | undefined {
  return symbol.character === '/' ? (firstMatch(rules, symbol) ?? matchPair(symbol)) : undefined;
}

const divisor = /\s?(?:[\d(√]|\p{L}(?!\p{L}))/uy;

const scaleNext = /(?:5|10|100)(?![\d.])/y;
const decimalNext = /\d{1,9}\.\d/y;
const calculation = /[=+*^²³√×÷−≈]/;

/** `λ/2`, `x²/2`, `(a + b) / c`, `∞/∞`, `0.5/1.5` of a calculation */
function matchQuotient(symbol: SymbolContext): Match | undefined {
  const { text, before, after, end, say } = symbol;
  if (/\p{Script=Greek}|∞/u.test(before) && /\d|∞/.test(after)) return say('over');
  if (/(?<![\p{L}\d])pi$/u.test(textBefore(symbol, 3)) && /\d/.test(after)) return say('over');
  const isDecimal = matchAt(decimalNext, text, end) ?? /^\d+\.\d+$/.test(symbol.previous);
  if (isDecimal && /\d/.test(before) && /\d/.test(after) && calculation.test(text) && !matchAt(scaleNext, text, end))
    return say('over');
  const isQuotient = /[!²³)]\s?$/.test(textBefore(symbol, 2)) && matchAt(divisor, text, end);
  return isQuotient && (calculation.test(text) || text.includes('!')) ? say('over') : undefined;
}

const titles = /^(?:mrs?|ms|mx|miss|dr|prof)$/i;

/** `Mon./Wed.`, `Mr./Mrs.` */
function matchAbbreviations({ text, before, previous, end, say }: SymbolContext): Match | undefined {
  if (before !== '.') return undefined;
  const next = wordAt(text, end);
  if (isWeekday(previous) && isWeekday(next)) return say('');
  return titles.test(previous) && titles.test(next) ? say('or') : undefined;
}

/** A slash after a space or a mark. */
function matchLooseSlash({ before, say }: SymbolContext): Match | undefined {
  return /[\p{L}\d¢⁰¹²³⁴-⁹]/u.test(before) ? undefined : say('slash');
}

/** `225/65R17` */
function matchTireSize(symbol: SymbolContext): Match | undefined {
  const { text, end, say } = symbol;
  const isSize = /\d{3}$/.test(textBefore(symbol, 3)) && /^\d\dZ?R\d\d(?!\d)/.test(text.slice(end, end + 7));
  return isSize ? say('') : undefined;
}

/** `3/$5` */
function matchOffer({ text, previous, end, say }: SymbolContext): Match | undefined {
  return /^\d{1,2}$/.test(previous) && /^\$\d/.test(text.slice(end, end + 2)) ? say('for') : undefined;
}

const currencies = wordSet('USD EUR GBP JPY CHF AUD CAD NZD CNY CNH BTC ETH INR MXN SEK NOK DKK ZAR TRY');

/** `EUR/USD` */
function matchCurrencyPair({ text, previous, end, say }: SymbolContext): Match | undefined {
  const isPair = currencies.has(previous) && currencies.has(text.slice(end, end + 3));
  return isPair && !/\p{L}/u.test(text[end + 3] ?? '') ? say('') : undefined;
}

/** `f/2.8` */
function matchAperture(symbol: SymbolContext): Match | undefined {
  return /(?:^|[\s(])f$/i.test(textBefore(symbol, 2)) && /\d/.test(symbol.after) ? symbol.say('') : undefined;
}

/** `FY2020/21` */
function matchYearSpan({ text, index, end, say }: SymbolContext): Match | undefined {
  const [, from = '', to = ''] = /(\d{4})\/(\d{2})(?!\d)/.exec(text.slice(Math.max(0, index - 4), end + 3)) ?? [];
  return from !== '' && String(Number(from) + 1).endsWith(to) ? say('to') : undefined;
}

const groupedNext = /\d{1,3}(?:,\d{3})+(?!\d|,\d)/y;

/** `9.8/10`, `1,250/2,000` */
function matchScore({ text, previous, end, say }: SymbolContext): Match | undefined {
  if (/^\d+\.\d+$/.test(previous) && /^\d+(?![\d.]*\p{L}|\d|\.\d*[1-9])/u.test(text.slice(end, end + 8)))
    return say('out of');
  const whole = /^\d{1,3}(?:,\d{3})+$/.test(previous) ? matchAt(groupedNext, text, end)?.[0] : undefined;
  return whole && toNumber(previous) <= toNumber(whole) ? say('out of') : undefined;
}

const toNumber = (grouped: string) => Number(grouped.replaceAll(',', ''));

const decadeNext = /(?:['’‘]|(?:early|mid|late)[ -])?(?:19|20)?\d0s(?!\p{L})/uy;

/** `70s/80s`, `late 90s/early 2000s` */
function matchDecades(symbol: SymbolContext): Match | undefined {
  const { text, end, say } = symbol;
  return /\d0s$/.test(textBefore(symbol, 3)) && matchAt(decadeNext, text, end) ? say('') : undefined;
}

/** `Tue/Thu` */
function matchWeekdays({ text, previous, end, say }: SymbolContext): Match | undefined {
  return isWeekday(previous) && isWeekday(wordAt(text, end)) ? say('') : undefined;
}

/** `HTTP/2`, `PS/2`, not `N/2` */
const versionedName = /(?<![\p{L}\d.])\p{Lu}{2,4}$/u;
const versionNext = /(?=\d(?:\.\d)?(?!\.?[\p{L}\d]|\/))/uy;
const testNext = /B(?=[\s-](?:test|experiment|split))/uy;

/** `HTTP/2`, `A/B tests` */
function matchVersion(symbol: SymbolContext): Match | undefined {
  const { text, previous, end, say } = symbol;
  if (versionedName.test(textBefore(symbol, 6)) && matchAt(versionNext, text, end)) return say('');
  return previous === 'A' && matchAt(testNext, text, end) ? say('') : undefined;
}

/** Spoken words for `/` in these pairs; `slash` in others. */
const slashPairs: Record<string, string> = {
  'and/or': '',
  'either/or': '',
  'he/she': 'or',
  'she/he': 'or',
  'him/her': 'or',
  'his/her': 'or',
  'his/hers': 'or',
  's/he': 'or',
  'she/it': 'or',
  'he/it': 'or',
  'she/they': 'or',
  'he/they': 'or',
  'her/their': 'or',
  'hers/theirs': 'or',
  'her/them': 'or',
  'he/him': '',
  'she/her': '',
  'they/them': '',
  'yes/no': 'or',
  'true/false': 'or',
  'on/off': '',
  'i/o': '',
  'p/e': '',
  'p/b': '',
  'p/s': '',
  'd/e': '',
  'ev/ebitda': '',
  'ev/sales': '',
  'hi/lo': '',
  'over/under': '',
  'f/a': '',
  'ac/dc': '',
  'ci/cd': '',
  'client/server': '',
  'hiv/aids': '',
  'input/output': '',
  'pass/fail': '',
  'plug/play': '',
  'push/pull': '',
  'read/write': '',
  'start/stop': '',
  'tcp/ip': '',
  'ui/ux': '',
  'ux/ui': '',
  'win/loss': '',
};

function matchPair({ text, previous, end, say }: SymbolContext): Match {
  return say(slashPairs[`${previous}/${wordAt(text, end)}`.toLowerCase()] ?? 'slash');
}

const wordAfter = /[\p{L}]{1,12}/uy;

const wordAt = (text: string, index: number) => matchAt(wordAfter, text, index)?.[0] ?? '';
