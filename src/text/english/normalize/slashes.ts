import { matchAt, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { isWeekday } from './calendar-names.ts';
import type { Context, Match } from './rule.ts';

const slashWords =
  /(?:(w\/o(?:ut)?)|(w\/in)|(w\/)|(b\/c)|(c\/o)|(n\/a)|(a\/c)|(y\/o)|(h\/o)|(s\/p)|(y\/y)|(q\/q)|(m\/m)|(f\/u)|(s\/n)|(p\/n)|(o\/u)|(w\/w)|(w\/v)|(v\/v)|(h\/t))(?![\p{L}\d])|(w\/)(?=\d|\p{Ll}{3}|my\s)/iuy;
const slashMeanings = [
  'without',
  'within',
  'with',
  'because',
  'care of',
  'not applicable',
  'A C',
  'year old',
  'history of',
  'status post',
  'year over year',
  'quarter over quarter',
  'month over month',
  'follow up',
  'serial number',
  'part number',
  'over under',
  'weight by weight',
  'weight by volume',
  'volume by volume',
  'hat tip',
  'with',
];

/** `dy/dx` */
const quotient = /d([a-z])\/d([a-z])(?!\p{L})/uy;

/** `a/k/a`, `M/W/F` */
const initials = /[A-Za-z](?:\/[A-Za-z]){2,5}(?![\p{L}\d/])/uy;

/** Abbreviations that are read as words elsewhere: `AM/FM`, `MM/DD/YYYY` */
const letterPairs = /(?:AM\/FM|FM\/AM|(?:DD|MM|YY(?:YY)?)(?:\/(?:DD|MM|YY(?:YY)?)){1,2})(?![\p{L}\d/])/uy;

/** `w/o`, `c/o` and the like. */
export function matchSlashWord({ text, index }: Context): Match | undefined {
  const [derivative, above = '', below = ''] = matchAt(quotient, text, index) ?? [];
  if (derivative) return { end: index + derivative.length, words: `D ${above} D ${below}`.toUpperCase() };
  const isInside = /[\p{L}\d/]/u.test(text[index - 1] ?? '');
  const letters = isInside ? undefined : (matchAt(initials, text, index) ?? matchAt(letterPairs, text, index))?.[0];
  if (letters) return { end: index + letters.length, words: spell(letters.replaceAll('/', '')) };
  const match = matchAt(slashWords, text, index);
  // `67y/o`
  const isAge = /^y\/o$/i.test(match?.[0] ?? '') && /\d/.test(text[index - 1] ?? '');
  if (!match || (/[\p{L}\d]/u.test(text[index - 1] ?? '') && !isAge)) return undefined;
  // `W/kg`
  if (match.at(-1) && text[index] === 'W') return undefined;
  return {
    end: index + match[0].length,
    words: slashMeanings[match.slice(1).findIndex((group) => group !== undefined)]!,
  };
}

/** Spoken words for `/` in these pairs; `slash` in others. */
const slashPairs: Record<string, string> = {
  'and/or': '',
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
/** `A/B tests` */
const testNext = /B(?=[\s-](?:test|experiment|split))/uy;
/** `HTTP/2`, `PS/2`, not `N/2` */
const versionedName = /(?<![\p{L}\d.])\p{Lu}{2,4}$/u;
const versionNext = /(?=\d(?:\.\d)?(?!\.?[\p{L}\d]|\/))/uy;
const wordAfter = /[\p{L}]{1,12}/uy;
const perUnit = /(hr?|sh|mo|yr|wk|kg|lb|oz|gal|bbl|sq ?ft|mi|km|min|GB|[kM]Wh|MMBtu)(?![\p{L}\d])(?:\.(?=\s\p{Ll}))?/uy;
const perAmount = /(?=\d[\d,]{0,9}[KMB]?\s\p{L}{3})/uy;
const perNames: Record<string, string> = {
  h: 'hour',
  hr: 'hour',
  mo: 'month',
  yr: 'year',
  wk: 'week',
  kg: 'kilogram',
  lb: 'pound',
  oz: 'ounce',
  gal: 'gallon',
  bbl: 'barrel',
  sh: 'share',
  kWh: 'kilowatt hour',
  MWh: 'megawatt hour',
  MMBtu: 'million B T U',
  'sq ft': 'square foot',
  sqft: 'square foot',
  mi: 'mile',
  km: 'kilometer',
  min: 'minute',
  GB: 'gigabyte',
};

const doseNext = /(?:\d{1,5}\s?)?(?:[mk]?g|[mcd]?[lL]|[kc]?m|mi|h|mol)(?![\p{L}\d])/uy;
const dayNext = /d(?![\p{L}\d])/uy;
const currencies = wordSet('USD EUR GBP JPY CHF AUD CAD NZD CNY CNH BTC ETH INR MXN SEK NOK DKK ZAR TRY');
const divisor = /\s?(?:[\d(√]|\p{L}(?!\p{L}))/uy;
/** A number, or a counted noun: `3 times/week`, `10 MB/s`, `1e6 ops/s`, `5 mg/kg/day` */
const rateBefore =
  /(?:^|[^\p{L}\d/])\d[\d.,]*(?:[⁰¹²³⁴-⁹]{1,3}|[eE][+-]?\d{1,3})?[KM]?\s?(?:\p{L}{0,9}|\p{L}{1,3}\/\p{L}{1,3})$/u;
const perTime =
  /(?:second|sec|s|minute|min|hour|hr|h|day|night|week|wk|month|mo|year|yr|person|capita|side|serving|game|user|dose|tablet|patient|share|well|cell)(?![\p{L}\d/])/uy;
/** `Price/mo`: no words. */
const perShort = /(?:mo|yr|hr|wk)(?![\p{L}\d/])/uy;
/** `a 4:37/mi pace`, `8 tabs/24 hrs`, `92/sq mi` */
const perDistance = /(?:mi|mile|km|kilomet(?:er|re))(?![\p{L}\d/])/uy;
const perPeriod = /(?=\d{1,3}\s?(?:hours?|hrs?|h|minutes?|mins?|days?)(?!\p{L}))/uy;
const perArea = /sq\.? ?(mi|km|ft|m|in)(?![\p{L}\d])|([km]m|mi|m)²/uy;
const areaNames: Record<string, string> = {
  mi: 'mile',
  km: 'kilometer',
  ft: 'foot',
  m: 'meter',
  mm: 'millimeter',
  in: 'inch',
};
const timeNames: Record<string, string> = {
  s: 'second',
  sec: 'second',
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  wk: 'week',
  mo: 'month',
  yr: 'year',
};

/**
 * A slash: `to` between years, `out of` a whole, `per` after a price, `or` between pronouns.
 * @param say makes the match, unless symbols are silent
 */
export function matchSlash(
  { text, index, previous }: Context,
  end: number,
  say: (words: string, to?: number) => Match,
): Match {
  const before = text[index - 1] ?? '';
  // `λ/2`
  if (/\p{Script=Greek}/u.test(before) && /\d/.test(text[end] ?? '')) return say('over');
  // `x²/2`, `(a + b) / c`
  const isQuotient = /[!²³)]\s?$/.test(text.slice(Math.max(0, index - 2), index)) && matchAt(divisor, text, end);
  if (isQuotient && /[=+*^²³√×÷−!]/.test(text)) return say('over');
  // `Mon./Wed.`, `Mr./Mrs.`
  const wordNext = before === '.' ? (matchAt(wordAfter, text, end)?.[0] ?? '') : '';
  if (wordNext && isWeekday(previous) && isWeekday(wordNext)) return say('');
  if (/^(?:mrs?\/mr?s)$/i.test(`${previous}/${wordNext}`)) return say('or');
  if (!/[\p{L}\d¢⁰¹²³⁴-⁹]/u.test(before)) return say('slash');
  // `5 mg/kg`, `80 mg/100 ml`
  const isDose = /[\d⁰²³⁴-⁹]\s?(?:[mkµμn]?g|mcg|m?[lL]|mmol|mEq|m?IU|k?cal|k?[WJN])$|\^\d{1,2}$/u.test(
    text.slice(Math.max(0, index - 8), index),
  );
  if (isDose && matchAt(doseNext, text, end)) return say('per');
  // `10⁹/L`
  if (/10[⁰¹²³⁴-⁹]{1,2}$/.test(text.slice(Math.max(0, index - 4), index)) && matchAt(doseNext, text, end))
    return say('per');
  // `3,200 mg/d`
  if (/\d\s?(?:mg|mcg|µg|μg|g|kcal)$/.test(text.slice(Math.max(0, index - 7), index)) && matchAt(dayNext, text, end))
    return say('per day', end + 1);
  // `60 mL/min/1.73 m²`
  if (text.startsWith('min/1.73', end)) return say('per minute', end + 3);
  if (/\/min$/.test(text.slice(Math.max(0, index - 4), index)) && text.startsWith('1.73', end)) return say('per');
  // `225/65R17` of tires
  if (/\d{3}$/.test(text.slice(Math.max(0, index - 3), index)) && /^\d\dZ?R\d\d(?!\d)/.test(text.slice(end, end + 7)))
    return say('');
  // `3/$5`
  if (/^\d{1,2}$/.test(previous) && /^\$\d/.test(text.slice(end, end + 2))) return say('for');
  // `EUR/USD`
  if (currencies.has(previous) && currencies.has(text.slice(end, end + 3)) && !/\p{L}/u.test(text[end + 3] ?? ''))
    return say('');
  // The aperture `f/2.8`
  if (/(?:^|[\s(])f$/i.test(text.slice(Math.max(0, index - 2), index)) && /\d/.test(text[end] ?? '')) return say('');
  // `FY2020/21`
  const [, from = '', to = ''] = /(\d{4})\/(\d{2})(?!\d)/.exec(text.slice(Math.max(0, index - 4), end + 3)) ?? [];
  if (from !== '' && String(Number(from) + 1).endsWith(to)) return say('to');
  // `9.8/10`
  if (/^\d+\.\d+$/.test(previous) && /^\d+(?![\d.]*\p{L}|\d|\.\d*[1-9])/u.test(text.slice(end, end + 8)))
    return say('out of');
  // `1,250/2,000`
  const grouped =
    (/^\d{1,3}(?:,\d{3})+$/.test(previous) && /^\d{1,3}(?:,\d{3})+(?!\d|,\d)/.exec(text.slice(end, end + 16))?.[0]) ||
    '';
  if (grouped && Number(previous.replaceAll(',', '')) <= Number(grouped.replaceAll(',', ''))) return say('out of');
  const next = matchAt(wordAfter, text, end)?.[0] ?? '';
  // `Tue/Thu`
  if (isWeekday(previous) && isWeekday(next)) return say('');
  const rate = rateBefore.test(text.slice(Math.max(0, index - 24), index)) ? matchAt(perTime, text, end) : undefined;
  if (rate) return say(`per ${timeNames[rate[0]] ?? rate[0]}`, end + rate[0].length);
  const short = /\p{L}{3}$/u.test(previous) ? matchAt(perShort, text, end) : undefined;
  if (short) return say(`per ${timeNames[short[0]]}`, end + short[0].length);
  const distance = /\d:\d\d$/.test(text.slice(Math.max(0, index - 5), index)) && matchAt(perDistance, text, end);
  if (distance) return say(`per ${perNames[distance[0]] ?? distance[0]}`, end + distance[0].length);
  if (/\d\s\p{L}{2,12}$/u.test(text.slice(Math.max(0, index - 15), index)) && matchAt(perPeriod, text, end))
    return say('per');
  const area = /\d/.test(before) ? matchAt(perArea, text, end) : undefined;
  if (area) return say(`per square ${areaNames[(area[1] ?? area[2])!]}`, end + area[0].length);
  // `$10/user/month`
  const isPrice = /[$£€¥][\d.,]{1,20}\/\p{L}{1,20}$/u.test(text.slice(Math.max(0, index - 50), index));
  if ((/^[$£€¥]/.test(previous) || before === '¢' || isPrice) && next) {
    if (next === 'ea') return say('each', end + 2 + (/^\.(?!\s\p{Lu}|$)/u.test(text.slice(end + 2)) ? 1 : 0));
    const [all = '', unit = ''] = matchAt(perUnit, text, end) ?? [];
    return say(`per ${perNames[unit] ?? ''}`.trim(), end + all.length);
  }
  // `$0.002/1K tokens`
  if (/^[$£€¥]/.test(previous) && matchAt(perAmount, text, end)) return say('per');
  const name = text.slice(Math.max(0, index - 6), index);
  if (versionedName.test(name) && matchAt(versionNext, text, end)) return say('');
  if (previous === 'A' && matchAt(testNext, text, end)) return say('');
  return say(slashPairs[`${previous}/${next}`.toLowerCase()] ?? 'slash');
}
