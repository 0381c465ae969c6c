import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { type CueTime, cueAt } from '../../subtitles.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import type { Context, Language, Match } from './rule.ts';
import { intlName } from './unit-names.ts';
import { counted } from './units.ts';

/** Not `15h30`, which is a time of day. */
const HOURS = /(\d{1,3})\s?h\s?([0-5]?\d)(?:\s?m(?:i?n)?|['′](?!\d))(?:\s?([0-5]?\d)\s?s(?:eg|ec)?)?(?![\p{L}\d])/uy;
const MINUTES = /(\d{1,3})m(?:in)?\s?([0-5]?\d(?:[.,]\d{1,3})?)s(?:eg|ec)?(\d{1,3})?(?![\p{L}\d])/uy;
const SECONDS = /(\d{1,2})s(\d{2,3})(?![\p{L}\d])/uy;
/** Not a scale such as `1:50.000`. */
const STOPWATCH = /(?!1:\d\d[.,]\d00(?!\d))(\d{1,2}):([0-5]\d)([.,])(\d{1,3})(?![\p{L}\d]|[.,:]\d)/uy;
/** `3 h/día` */
const HOUR_RATE = /(\d{1,3})\s?h(?=\/\p{L}{3})/uy;
/** `3'20"` */
const PRIMES = /(\d{1,3})['’′]\s?([0-5]?\d)(?:["″”]|['’′]{2})(?!\d)/y;
/** `9"58`: hundredths of a second. `2h03'23"` */
const HUNDREDTHS = /(?:(\d{1,2})['’′])?(\d{1,2})["″”](\d{1,3})(?![\p{L}\d"″”])/uy;
const RACE = /(\d{1,2})\s?h\s?([0-5]?\d)['’′]\s?([0-5]?\d)["″”](?!\d)/y;
/** The height of a person: `1m75` */
const HEIGHT = /([12])\s?m\s?(\d{2})(?![\p{L}\d]|[.,:/]\d)/uy;
/** `Durée : 3:55` */
const LENGTH = /(\d{1,3})(?::([0-5]\d))?:([0-5]\d)(?![\p{L}\d]|[.,:]\d)/uy;
const LENGTH_BEFORE = /(?<![\p{L}\p{M}])(?:duraci[oó]n|durée|durata|duração|लंबाई|अवधि)(?:\s\p{L}{1,5}){0,2}\s?:?\s$/iu;
const FULL_TIME = /(?:[01]?\d|2[0-4])\s?h\s?[0-5]\d\s?min(?!\s?\d)/y;

/** The time of a race: `2:00.531`. */
export function matchStopwatch({ text, index, language }: Context): Match | undefined {
  const match = /[\p{L}\d.,:/-]/u.test(text[index - 1] ?? '') ? undefined : matchAt(STOPWATCH, text, index);
  if (!match) return undefined;
  const [all, minutes, seconds, point, part] = match as unknown as [string, string, string, ',' | '.', string];
  const say = (digits: string) =>
    digits.startsWith('0') ? digitByDigit(language, digits) : cardinal(language, digits);
  const words = [say(minutes), say(seconds), language.rules.points[point], digitByDigit(language, part)];
  return { end: index + all.length, words: words.join(' ') };
}

/** When a subtitle begins and ends: `00:01:23,456 --> 00:01:25,000`. */
export function matchCue({ text, index, language }: Context): Match | undefined {
  const cue = /[\p{L}\d.,:/-]/u.test(text[index - 1] ?? '') ? undefined : cueAt(text, index);
  if (!cue) return undefined;
  const words = [cueTime(language, cue.from), language.rules.range, cueTime(language, cue.to)];
  return { end: cue.end, words: words.join(' ') };
}

function cueTime(language: Language, { hours, minutes, seconds }: CueTime): string {
  const [whole = '', decimals = ''] = seconds.split('.');
  const point = (0.5).toLocaleString(language.rules.tag).includes(',') ? ',' : '.';
  const number = { end: 0, whole, decimals, point } as const;
  const words = [
    hours && ofUnit(language, hours, 'hour'),
    minutes && ofUnit(language, minutes, 'minute'),
    counted(language, number, intlName(language, 'second', Number(seconds))),
  ];
  return words.filter(Boolean).join(' ');
}

/** Whether the language writes times of day so: `15 h 30 min` */
function isTimeOfDay(text: string, index: number, { rules }: Language): boolean {
  const length = matchAt(FULL_TIME, text, index)?.[0].length;
  return length !== undefined && (matchAt(rules.time, text, index)?.[0].length ?? 0) >= length;
}

/** The patterns of durations, with the unit of each group; the last group of two of them is a fraction of a second. */
const DURATIONS = [
  { pattern: RACE, units: ['hour', 'minute', 'second'] },
  { pattern: HOURS, units: ['hour', 'minute', 'second'] },
  { pattern: MINUTES, units: ['minute', 'second'] },
  { pattern: SECONDS, units: ['second'] },
  { pattern: HOUR_RATE, units: ['hour'] },
] as const;

/** Hours, minutes, seconds and their fraction: `15h45m`, `6h 19m 29s`, `1m25s327`, `1m44,084s`, `20s37`, `3'20"`; the height `1m75`. */
export function matchDuration(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\d.,:/]/u.test(text[index - 1] ?? '') || isTimeOfDay(text, index, language)) return undefined;
  return firstMatch([matchLength, matchHundredths, matchPrimes, matchHeight, matchUnits], context);
}

function matchLength({ text, index, language }: Context): Match | undefined {
  const length = LENGTH_BEFORE.test(textBefore({ text, index }, 24)) ? matchAt(LENGTH, text, index) : undefined;
  if (!length) return undefined;
  const [all, first = '', second, last = ''] = length;
  const parts = second === undefined ? [first, last] : [first, second, last];
  const names = ['hour', 'minute', 'second'].slice(-parts.length);
  return { end: index + all.length, words: parts.map((part, at) => ofUnit(language, part, names[at]!)).join(' ') };
}

function matchHundredths({ text, index, language }: Context): Match | undefined {
  const [all, minutes, seconds = '', part = ''] = matchAt(HUNDREDTHS, text, index) ?? [];
  if (all === undefined) return undefined;
  const before = minutes === undefined ? '' : `${ofUnit(language, minutes, 'minute')} `;
  const words = `${before}${ofUnit(language, seconds, 'second')} ${cardinal(language, part)}`;
  return { end: index + all.length, words };
}

function matchPrimes({ text, index, language }: Context): Match | undefined {
  const [all, first = '', second = ''] = matchAt(PRIMES, text, index) ?? [];
  if (all === undefined) return undefined;
  const isLength = language.rules.primesAreLengths && text[index - 1] !== '°';
  const [large, small] = isLength ? (['foot', 'inch'] as const) : (['minute', 'second'] as const);
  return { end: index + all.length, words: `${ofUnit(language, first, large)} ${ofUnit(language, second, small)}` };
}

function matchHeight({ text, index, language }: Context): Match | undefined {
  const [all, metres = '', centimetres = ''] = matchAt(HEIGHT, text, index) ?? [];
  if (all === undefined) return undefined;
  const words = [ofUnit(language, metres, 'meter'), language.rules.metresAnd, cardinal(language, centimetres)];
  return { end: index + all.length, words: words.filter(Boolean).join(' ') };
}

function matchUnits({ text, index, language }: Context): Match | undefined {
  for (const { pattern, units } of DURATIONS) {
    const [all, ...parts] = matchAt(pattern, text, index) ?? [];
    if (all === undefined) continue;
    const words = parts
      .filter((part) => part !== undefined)
      .map((part, at) => (units[at] ? ofUnit(language, part, units[at]) : cardinal(language, part)));
    return { end: index + all.length, words: words.join(' ') };
  }
  return undefined;
}

function ofUnit(language: Language, digits: string, unit: string): string {
  const [whole = '', decimals = ''] = digits.split(/[.,]/);
  const number = { end: 0, whole: String(Number(whole)), decimals, point: digits.includes('.') ? '.' : ',' } as const;
  return counted(language, number, intlName(language, unit, Number(`${whole}.${decimals}`)));
}
