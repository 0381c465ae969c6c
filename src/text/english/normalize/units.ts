import { matchAt, textBefore } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { type Context, finalStop, type Match } from './rule.ts';
import { matchSpecialUnit } from './special-units.ts';
import { unitName, units, unitsInFull } from './unit-names.ts';

/** A symbol after a number that may be a unit: `km`, `sq ft`, `m²`, `L/100 km` */
interface WrittenUnit extends Context {
  /** The code unit before it. */
  before: string;
  /** Whether a space or a hyphen is between the number and the symbol. */
  isSpaced: boolean;
  /** As written. */
  all: string;
  end: number;
  symbol: string;
  /** `sq` or `cu` before the symbol. */
  dimension: string | undefined;
  /** `²` or `³` after it. */
  power: string | undefined;
  /** The unit after a slash, whether it is counted by the hundred, and its power. */
  perSymbol: string | undefined;
  hundred: string | undefined;
  perPower: string | undefined;
  hasStop: boolean;
  isSingle: boolean;
}

/** The unit after a number: `km`, `km/h`, `m²`, `sq ft`. Singular after 1 and after a hyphen. */
export function matchUnit(context: Context): Match | undefined {
  const { text, index, previous } = context;
  if (!/^(?:\d{1,9}[\s-])?[\d.,/½¼¾⅓⅔]+$|^[⁰¹²³⁴-⁹]+$/.test(previous)) return undefined;
  const before = text[index - 1] ?? '';
  const isSpaced = /[\s-]/.test(before) && /[\d½¼¾⅓⅔⁰¹²³⁴-⁹]/.test(text[index - 2] ?? '');
  if (!isSpaced && !/[\d½¼¾⅓⅔]/.test(before)) return undefined;
  const special = matchSpecialUnit(context);
  if (special) return special;
  const unit = writtenUnit(context, before, isSpaced);
  if (!unit) return undefined;
  const isInFull = context.options.unit_normalization || (mayBeInFull(unit) && !unit.perSymbol);
  return matchScale(unit) ?? (isInFull ? matchNamedUnit(unit) : matchShortUnit(unit));
}

const pattern =
  /(?:(sq|cu)\.?[\s-])?([A-Za-zµμΩÅ]{1,4})(\^?[²³23](?!\d))?(?:\/(100\s?)?([A-Za-z]{1,3})(\^?[²³23](?!\d))?)?(\.(?=\s|["'”’),;:-]|$))?(?![\p{L}\d])/uy;

function writtenUnit(context: Context, before: string, isSpaced: boolean): WrittenUnit | undefined {
  const { text, index, previous } = context;
  const match = matchAt(pattern, text, index);
  if (!match) return undefined;
  const [all, dimension, written = '', power, hundred, perSymbol, perPower, stop] = match;
  const end = index + all.length;
  const isSingle =
    previous === '1' || before === '-' || isAttributive(context, end) || /^\d+\/\d+$|^[½¼¾⅓⅔]$/.test(previous);
  // The micro sign becomes the letter mu.
  const symbol = written.normalize('NFKC');
  const hasStop = stop !== undefined;
  return {
    ...context,
    before,
    isSpaced,
    all,
    end,
    symbol,
    dimension,
    power,
    perSymbol,
    hundred,
    perPower,
    hasStop,
    isSingle,
  };
}

const determined = /(?:^|\s)(?:an?|the|my|your|his|her|our|their|this|that|each|every)\s[\d.,]{1,12}[\s-]?$/i;
export const nounNext =
  /\s(?!(?:of|and|or|to|in|at|from|per|by|for|is|are|was|were|on|with|away|ago|long|wide|high|deep|tall|thick|later|earlier|before|after|into|between|that|we|he|she|they|it|you|a|as|than|if|when|but)(?!\p{L}))\p{Ll}{3,}/uy;

/** Whether a measure describes the noun after it: `a 5 lb baby`. */
function isAttributive(context: Context, end: number): boolean {
  return determined.test(textBefore(context, 24)) && matchAt(nounNext, context.text, end) !== undefined;
}

/** What is counted by the million. */
const manyNext =
  /\s(?:(?:new|active|monthly|daily|paying|registered|total|unique|more|other|such|of its|of the|of their)\s){0,2}(?:people|users|copies|views|subscribers|followers|downloads|customers|members|records|rows|lines|tokens|param(?:eter)?s|requests|visit(?:or)?s|jobs|homes|households|units|shares|barrels|workers|students|patients|cases|deaths|doses|vote(?:r)?s|items|images|files|events|messages|accounts|players|hits|plays|streams|ratings|reviews|books|words|residents|inhabitants|devices|cars|vehicles|passengers|tourists|euros|dollars|pounds)(?!\p{L})/uy;

/** `1.5M copies`, not metres or a molar solution; `1.2bn people` */
function matchScale({ text, index, isSpaced, all, end, symbol, perSymbol }: WrittenUnit): Match | undefined {
  if (/^[MB]$/.test(all) && !isSpaced && matchAt(manyNext, text, end))
    return { end, words: all === 'M' ? 'million' : 'billion' };
  if (!/^(?:bn|tn)$/.test(symbol) || perSymbol) return undefined;
  return { end: index + symbol.length, words: symbol === 'bn' ? 'billion' : 'trillion' };
}

/** Whether a unit is read in full even without `unit_normalization`. */
function mayBeInFull(unit: WrittenUnit): boolean {
  const { text, index, symbol, before, perSymbol } = unit;
  // `a 6-in pipe`, `2-in. cookies`
  const isInch = symbol === 'in' && before === '-' && text[index + 2] !== '-' && !perSymbol;
  return unitsInFull.has(symbol) || isInch || isSeconds(unit) || isMeasuredInch(unit);
}

/** `3.2s`, `9.58 s` */
function isSeconds({ symbol, before, previous }: WrittenUnit): boolean {
  return symbol === 's' && before !== '-' && /\.\d/.test(previous);
}

/** `29.92 in., falling`, `1 in = 2.54 cm` */
function isMeasuredInch({ text, symbol, isSpaced, hasStop, end }: WrittenUnit): boolean {
  if (symbol !== 'in' || !isSpaced) return false;
  return (hasStop && /^[,;)]/.test(text.slice(end, end + 1))) || /^\s[=≈]\s?\d/.test(text.slice(end, end + 4));
}

/** Units such as `mAh`, which would be cut at their capitals as a word. */
const mixedCase = /[a-z][A-Z]|[A-Z][a-z]/;

/** A unit without `unit_normalization`: spelled if it would be read as a word. */
function matchShortUnit(unit: WrittenUnit): Match | undefined {
  const { index, previous, symbol, dimension, power, perSymbol, isSingle } = unit;
  const end = index + symbol.length;
  if (unitsInFull.has(symbol)) return { end, words: unitName(symbol, previous === '1')! };
  if (!Object.hasOwn(units, symbol)) return undefined;
  // `40 km2`
  if (/^[23]$/.test(power ?? '') && !perSymbol && !dimension) {
    const words =
      symbol === 'in'
        ? `${power === '2' ? 'square' : 'cubic'} ${unitName(symbol, isSingle)}`
        : `${spell(symbol)} ${power === '2' ? 'squared' : 'cubed'}`;
    return { end: end + 1, words };
  }
  return mixedCase.test(symbol) || /^(?:mm|[dp]pi)$/.test(symbol) ? { end, words: spell(symbol) } : undefined;
}

/** After a space these are words or letters more often than units. */
const needsNumber = new Set(['in', 'a', 's', 'l', 'V', 'W', 'L', 'N', 'h']);

/** A unit in full: `km`, `m²`, `sq ft`, `7.5 L/100 km` */
function matchNamedUnit(unit: WrittenUnit): Match | undefined {
  const { text, index, before, end, symbol, dimension, power, perSymbol, hundred, perPower, hasStop, isSingle } = unit;
  // `1-in-10`
  if (before === '-' && symbol === 'in' && /^-\d/.test(text.slice(index + 2, index + 4))) return undefined;
  const name = unitName(symbol, isSingle);
  const isMarked = Boolean(power ?? perSymbol) || (hasStop && symbol === 'in');
  const mayBeWord = /\s/.test(before) && needsNumber.has(symbol) && !isMarked;
  if (!name || (mayBeWord && !isMeasuredInch(unit) && !isSeconds(unit))) return undefined;
  const per = perSymbol && unitName(perSymbol, hundred === undefined);
  if (perSymbol && !per) return undefined;
  const area = power ?? (dimension?.toLowerCase() === 'cu' ? '3' : dimension && '2');
  const words = [
    area && (isSquare(area) ? 'square' : 'cubic'),
    name,
    per && 'per',
    hundred && 'one hundred',
    per,
    perPower && (isSquare(perPower) ? 'squared' : 'cubed'),
  ];
  return { end, words: words.filter(Boolean).join(' ') + finalStop(text, end) };
}

const isSquare = (power: string) => /[²2]/.test(power);
