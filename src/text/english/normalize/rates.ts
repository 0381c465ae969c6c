import { matchAt, textBefore } from '../../patterns.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

const doseBefore = /[\d⁰²³⁴-⁹]\s?(?:[mkµμn]?g|mcg|m?[lL]|mmol|mEq|m?IU|k?cal|k?[WJN])$|\^\d{1,2}$/u;
const doseNext = /(?:\d{1,5}\s?)?(?:[mk]?g|[mcd]?[lL]|[kc]?m|mi|h|mol)(?![\p{L}\d])/uy;
const dayNext = /d(?![\p{L}\d])/uy;

/** `W/(m²·K)` */
const unitsNext = /\(\p{L}{1,3}[²³]?[·*⋅]/uy;

/** `5 mg/kg`, `80 mg/100 ml`, `10⁹/L`, `3,200 mg/d`, `60 mL/min/1.73 m²` */
export function matchDose(symbol: SymbolContext): Match | undefined {
  const { text, end, say } = symbol;
  const isDose = doseBefore.test(textBefore(symbol, 8)) || /10[⁰¹²³⁴-⁹]{1,2}$/.test(textBefore(symbol, 4));
  if (isDose && matchAt(doseNext, text, end)) return say('per');
  if (/\d\s?(?:mg|mcg|µg|μg|g|kcal)$/.test(textBefore(symbol, 7)) && matchAt(dayNext, text, end))
    return say('per day', end + 1);
  if (matchAt(unitsNext, text, end) && /(?<!\p{L})\p{L}{1,3}$/u.test(textBefore(symbol, 4))) return say('per');
  if (text.startsWith('min/1.73', end)) return say('per minute', end + 3);
  return /\/min$/.test(textBefore(symbol, 4)) && text.startsWith('1.73', end) ? say('per') : undefined;
}

/** A number, or a counted noun: `3 times/week`, `10 MB/s`, `1e6 ops/s`, `5 mg/kg/day`, `60 mph/100 km/h` */
const rateBefore =
  /(?:^|[^\p{L}\d/]|\p{L}\/)\d[\d.,]*(?:[⁰¹²³⁴-⁹]{1,3}|[eE][+-]?\d{1,3})?[KM]?\s?(?:\p{L}{0,9}|\p{L}{1,3}\/\p{L}{1,3})$/u;
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

const capitaNext = /capita(?!\p{L})/uy;
/** `words/person/day` */
const perPersonAndTime =
  /(person|capita|child|adult|user|patient|student|employee|game|serving)\/(day|night|week|month|year|hour|meal)(?![\p{L}\d/])/uy;

/** A rate: `GDP/capita`, `10 MB/s`, `Price/mo`, `4:37/mi`, `8 tabs/24 hrs`, `92/sq mi` */
export function matchRate(symbol: SymbolContext): Match | undefined {
  const { text, before, previous, end, say } = symbol;
  const [each, counted, period] = matchAt(perPersonAndTime, text, end) ?? [];
  if (each) return say(`per ${counted} per ${period}`, end + each.length);
  if (matchAt(capitaNext, text, end)) return say('per');
  const time = rateBefore.test(textBefore(symbol, 24)) ? matchAt(perTime, text, end) : undefined;
  if (time) return say(`per ${timeNames[time[0]] ?? time[0]}`, end + time[0].length);
  const short = /\p{L}{3}$/u.test(previous) ? matchAt(perShort, text, end) : undefined;
  if (short) return say(`per ${timeNames[short[0]]}`, end + short[0].length);
  const distance = /\d:\d\d$/.test(textBefore(symbol, 5)) ? matchAt(perDistance, text, end) : undefined;
  if (distance) return say(`per ${unitNames[distance[0]] ?? distance[0]}`, end + distance[0].length);
  if (/\d\s\p{L}{2,12}$/u.test(textBefore(symbol, 15)) && matchAt(perPeriod, text, end)) return say('per');
  const area = /\d/.test(before) ? matchAt(perArea, text, end) : undefined;
  return area && say(`per square ${areaNames[(area[1] ?? area[2])!]}`, end + area[0].length);
}

const perUnit = /(hr?|sh|mo|yr|wk|kg|lb|oz|gal|bbl|sq ?ft|mi|km|min|GB|[kM]Wh|MMBtu)(?![\p{L}\d])(?:\.(?=\s\p{Ll}))?/uy;
const perAmount = /(?=\d[\d,]{0,9}[KMB]?\s\p{L}{3})/uy;
const unitNames: Record<string, string> = {
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

/** Its full stop is one only at an end: `$3.99/ea. Buy` */
const eachNext = /ea(?!\p{L})(?:(\.)(?=\s\p{Lu}|\s*$)|\.)?/uy;

/** What something costs: `$5/hr`, `$10/user/month`, `$3/ea.`, `$0.002/1K tokens` */
export function matchPrice(symbol: SymbolContext): Match | undefined {
  const { text, before, after, previous, end, say } = symbol;
  const isAfterPrice = /^[$£€¥]/.test(previous);
  const isAfterUnit = /[$£€¥][\d.,]{1,20}\/\p{L}{1,20}$/u.test(textBefore(symbol, 50));
  if ((isAfterPrice || before === '¢' || isAfterUnit) && /\p{L}/u.test(after)) {
    const [each, stop = ''] = matchAt(eachNext, text, end) ?? [];
    if (each) return say(`each${stop}`, end + each.length);
    const [all = '', unit = ''] = matchAt(perUnit, text, end) ?? [];
    return say(`per ${unitNames[unit] ?? ''}`.trim(), end + all.length);
  }
  return isAfterPrice && matchAt(perAmount, text, end) ? say('per') : undefined;
}
