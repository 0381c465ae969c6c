import type { GivenReading, SayAs } from '../types.ts';

const KINDS: Readonly<Record<string, SayAs>> = {
  characters: 'characters',
  'spell-out': 'characters',
  verbatim: 'characters',
  digits: 'digits',
  cardinal: 'cardinal',
  number: 'cardinal',
  ordinal: 'ordinal',
  telephone: 'telephone',
};

/**
 * How to read the text of a `say-as`; undefined to read it as usual, which is right for times, amounts of money and unknown
 * kinds.
 * @param interpretAs its `interpret-as`
 * @param format order of the parts of a date, such as `mdy` or `yyyymmdd`
 */
export function sayAsReading(text: string, interpretAs: string, format = ''): GivenReading | undefined {
  const kind = interpretAs.trim().toLowerCase();
  if (Object.hasOwn(KINDS, kind)) return { as: KINDS[kind]! };
  if (kind !== 'date') return undefined;
  const date = isoDate(text.trim(), format.trim().toLowerCase());
  return date === undefined ? undefined : { alias: date };
}

/** A whole date, in the form that every language reads; undefined for others. */
function isoDate(text: string, format: string): string | undefined {
  const order = format.replace(/(.)\1+/g, '$1').replace(/[^dmy]/g, '');
  if (order.length !== 3 || new Set(order).size !== 3) return undefined;
  const numbers = text.match(/\d+/g) ?? [];
  const parts = numbers.length === 1 ? compact(numbers[0]!, order) : numbers;
  if (parts.length !== 3) return undefined;
  const part = (letter: string) => parts[order.indexOf(letter)]!;
  const [year, month, day] = [fullYear(part('y')), part('m').padStart(2, '0'), part('d').padStart(2, '0')];
  const isDate = /^\d{4}$/.test(year) && /^(?:0[1-9]|1[0-2])$/.test(month) && /^(?:0[1-9]|[12]\d|3[01])$/.test(day);
  return isDate ? `${year}-${month}-${day}` : undefined;
}

/** The parts of a date without separators: `20261120`. */
function compact(digits: string, order: string): string[] {
  if (digits.length !== 8) return [];
  const lengths = Array.from(order, (letter) => (letter === 'y' ? 4 : 2));
  const starts = [0, lengths[0]!, lengths[0]! + lengths[1]!];
  return starts.map((start, index) => digits.slice(start, start + lengths[index]!));
}

/** Two digits mean a year from 1950 to 2049. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return (Number(year) < 50 ? '20' : '19') + year;
}
