import { anyOf, lookUp, matchAt } from '../../patterns.ts';
import type { LanguageRules } from '../rules.ts';
import type { CountedNoun } from './counted-nouns.ts';
import type { Context, Language } from './rule.ts';

/** Symbols of units that a rate may have below its slash. */
export const SIMPLE =
  '[kc]?m[²³23]|km|cm|mmHg|[hkM]Pa|mm|nm|[µμ]m|kWh|[kMG]W|kcal|kg|mg|hg|[nµμ]g|[mnµμ]?mol|lbs?|oz|ft|gr|ml|mL|cl|cL|dl|dL|mq|mAh|ha|[GMkT]B|[GMKT]o|Mbps|[GMk]?Hz|dB|min|W|V|m|g|l|L|h|s|t';
const PERIODS =
  '(?:d[ií]a|semana|m[eê]s|a[nñ]o|hora|noche|noite|persona|pessoa|j|jour|sem\\.|semaine|mois|an|heure|nuit|personne|die|giorno|settimana|mese|anno|ora|notte|दिन|सप्ताह|माह|महीन[ाे]|साल|मिनट|सेकंड|वर्ष|घंट[ाे]|व्यक्ति)(?![\\p{L}\\p{M}])';
/** Periods of a rate: `500 mg/día`. */
export const PERIOD = new RegExp(`${PERIODS}|min(?![\\p{L}\\p{M}])`, 'uy');

/** Names of units for `Intl`, by symbol. */
const NAMES: Readonly<Record<string, string>> = {
  'km/h': 'kilometer-per-hour',
  mph: 'mile-per-hour',
  'm/s': 'meter-per-second',
  km: 'kilometer',
  cm: 'centimeter',
  mm: 'millimeter',
  m: 'meter',
  kg: 'kilogram',
  g: 'gram',
  gr: 'gram',
  lb: 'pound',
  lbs: 'pound',
  oz: 'ounce',
  ft: 'foot',
  ml: 'milliliter',
  mL: 'milliliter',
  l: 'liter',
  L: 'liter',
  ha: 'hectare',
  GB: 'gigabyte',
  MB: 'megabyte',
  kB: 'kilobyte',
  TB: 'terabyte',
  Mbps: 'megabit-per-second',
  min: 'minute',
  h: 'hour',
  s: 'second',
};

/** Units as many people write them. */
const VARIANTS: Readonly<Record<string, string>> = {
  Km: 'km',
  KM: 'km',
  kms: 'km',
  Kms: 'km',
  'Km/h': 'km/h',
  'KM/H': 'km/h',
  Kg: 'kg',
  KG: 'kg',
  kgs: 'kg',
  Kgs: 'kg',
  mts: 'm',
  Mts: 'm',
  MTS: 'm',
  lts: 'l',
  Lts: 'l',
};

/** The pattern of the units after a number, sticky; a slash may follow before a period: `500 mg/día`. */
export function unitPattern({ unitSymbols = {} }: LanguageRules): RegExp {
  const own = anyOf(Object.keys({ ...VARIANTS, ...unitSymbols }));
  return new RegExp(
    `\\s?(${own}|km/h|mph|m/s|mg/d[Ll]|${SIMPLE})(?![\\p{L}\\p{M}\\d²³]|['’][\\p{L}\\d]|\\.\\p{L}\\.|/(?!${PERIODS}|\\d))`,
    'uy',
  );
}

/** The unit at `end`, after a fraction; only with `unit_normalization`. */
export function unitNounAt({ text, language, options }: Context, end: number): CountedNoun | undefined {
  const match = options.unit_normalization ? matchAt(language.unit, text, end) : undefined;
  const [one, many] = match ? [1, 2].map((value) => unitName(language, match[1]!, value)) : [];
  return one && many ? { end: end + match![0].length, one, many, stop: '' } : undefined;
}

/**
 * The name of a unit by its symbol; undefined if the language has none.
 * @param value how many, for the plural
 */
export function unitName(language: Language, written: string, value: number): string | undefined {
  const symbol = (lookUp({ ...VARIANTS, ...language.rules.unitSymbols }, written) ?? written)
    .replace('2', '²')
    .replace('3', '³')
    .replace('μ', 'µ')
    .replace('cL', 'cl')
    .replace(/^dL$/, 'dl')
    .replace('/dl', '/dL');
  const own = lookUp(language.rules.units, symbol);
  if (own) return own[language.plurals.select(value) === 'one' ? 0 : 1];
  const name = lookUp(NAMES, symbol);
  return name && intlName(language, name, value);
}

/** *Per* and a period by its name or abbreviation, as `PERIOD` matches it. */
export function perPeriod(language: Language, period: string): string {
  const { countedNouns, per, perPeriods } = language.rules;
  const own = perPeriods && lookUp(perPeriods, period);
  if (own) return own;
  const [name] = (countedNouns && lookUp(countedNouns, period)) ?? [unitName(language, period, 1) ?? period];
  return `${per} ${name}`;
}

/** The name of a unit by the locale data of Node. */
export function intlName({ rules }: Language, unit: string, value: number): string {
  const options = { style: 'unit', unit, unitDisplay: 'long', useGrouping: false } as const;
  return new Intl.NumberFormat(rules.tag, options)
    .formatToParts(value)
    .filter(({ type }) => type === 'unit')
    .map((part) => part.value.trim())
    .join(' ');
}
