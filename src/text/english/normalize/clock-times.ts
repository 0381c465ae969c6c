import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';
import { nounNext } from './units.ts';

/** Two or three numbers with colons between them. */
interface Clock extends Context {
  hours: string;
  minutes: string;
  seconds: string | undefined;
  /** The fraction of a second, in digits. */
  part: string | undefined;
  /** Index after it. */
  end: number;
  /** `pm` */
  half: RegExpExecArray | undefined;
  zone: RegExpExecArray | undefined;
}

/** In this order: the first that matches wins. */
const readings: readonly ((clock: Clock) => Match | undefined)[] = [ofTimer, ofRun, ofRecording, ofOffset, ofDay];

/** `3:45 pm`, `15:30`, `12:00`, `2:01:09` of a marathon; not the ratio `4:3`. */
export function matchClock(context: Context): Match | undefined {
  const clock = clockAt(context);
  return clock && !isRatio(clock) ? firstMatch(readings, clock) : undefined;
}

/** Not the scale `1:25,000`. */
const clockTime = /(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?!\d|:|,\d{3}(?!\d))/y;
/** British: `3.30pm`, `6.30-10am`. */
const dottedClock = /(1?\d)\.([0-5]\d)(?=(?:[-–]1?\d(?:\.[0-5]\d)?)?\s?[ap]\.?\s?m(?!\p{L}))/iuy;
const meridiem = /\s?(?:([ap])\.\s?m\.|([ap])\.?m(?![\p{L}\d]))|(?<=:\d\d)([ap])(?![\p{L}\d])/iuy;
/** As ISO 8601 writes it: `Z`, `+01:00`. */
const timeZone = /(Z)(?![\p{L}\d])|([+−-])(0\d|1[0-4]):?([0-5]\d)(?![\p{L}\d:])/uy;

function clockAt(context: Context): Clock | undefined {
  const { text, index } = context;
  const [all, hours = '', minutes = '', seconds, part] =
    matchAt(clockTime, text, index) ?? matchAt(dottedClock, text, index) ?? [];
  if (all === undefined) return undefined;
  const end = index + all.length;
  const half = matchAt(meridiem, text, end);
  return { ...context, hours, minutes, seconds, part, end, half, zone: matchAt(timeZone, text, end) };
}

const ratioNext =
  /\s(?:ratio|odds|mix(?:ture)?|scale|dilut\w+|solution|blend|split|slope|gradient|leverage|model|replica|aspect)\b/y;
const ratioBefore =
  /\b(?:ratio|odds|scale|dilut\w{2,3}|proportion|mixed|gradient|slope)(?: (?:of|is|was|to|at|in))? $/i;
/** The clock of a match or a recording: `in 36:14`, `(34:02)`; not the ratio `45:55` */
const elapsedBefore = /(?:\b(?:in|at|after|until|past|Time:) |[([])$/;

/** Whether the numbers are no time: `a 3:1 ratio`, `odds of 4:1`, `45:55` */
function isRatio(clock: Clock): boolean {
  const { text, hours, minutes, end } = clock;
  const value = Number(hours);
  const isElapsed = value < 60 && value + Number(minutes) !== 100 && elapsedBefore.test(textBefore(clock, 8));
  if (value > 24 && !isOfRace(clock) && !isElapsed) return true;
  return matchAt(ratioNext, text, end) !== undefined || ratioBefore.test(textBefore(clock, 20));
}

const raceBefore = /\b(?:time of|clock(?:ed|ing)|ran|ran it in|finish(?:ed|ing) in) $/;

/** Whether these are minutes and seconds: `a time of 31:41` */
function isOfRace(clock: Clock): boolean {
  return raceBefore.test(textBefore(clock, 20));
}

const durationBefore =
  /\b(?:timer|countdown|stopwatch|duration|length|runtime|elapsed|remaining|lasted)(?: time)?(?: (?:for|of|to|is|was)|:)? $/i;

const startBefore = /(?<![\d:])0:[0-5]\d\s?(?:[-–]|to)\s?$/;

/** The end of `0:31-1:00`, a part of a recording */
function ofRecording(clock: Clock): Match | undefined {
  const { hours, minutes, seconds, half, end } = clock;
  const isEnd = minutes === '00' && !seconds && !half && startBefore.test(textBefore(clock, 9));
  return isEnd ? { end, words: `${cardinal(hours)} minute${hours === '1' ? '' : 's'}` } : undefined;
}

/** `Set a timer for 00:05:30` */
function ofTimer(clock: Clock): Match | undefined {
  const { hours, minutes, seconds, end } = clock;
  const isDuration = seconds && durationBefore.test(textBefore(clock, 30));
  return isDuration ? { end, words: sayDuration([hours, minutes, seconds]) } : undefined;
}

/** `at 3:45:12`, `2024-05-01 9:05:07` */
const clockBefore =
  /(?:\b(?:at|by|until|till|since|from|before|after|around|to|now)\s|\d[T,]?\s?|\p{L}\.?,?\s\d{1,2},?\s|day,?\s)$/iu;
const determinerBefore = /\b(?:an?|the|his|her|their|my|our|its) $/i;

/** `2:01:09` of a marathon */
function ofRun(clock: Clock): Match | undefined {
  const { text, hours, minutes, seconds, part, end, half, zone } = clock;
  if (!seconds || part || !/^[0-9]$/.test(hours) || half || zone) return undefined;
  if (!isOfRace(clock) && clockBefore.test(textBefore(clock, 16))) return undefined;
  const isAttributive = determinerBefore.test(textBefore(clock, 6)) && matchAt(nounNext, text, end) !== undefined;
  return { end, words: sayDuration([hours, minutes, seconds], isAttributive) };
}

const offsetBefore = /(?:UTC|GMT)\s?[+−–-]\s?$/;

/** `UTC+5:30` */
function ofOffset(clock: Clock): Match | undefined {
  const { hours, minutes, end } = clock;
  if (!offsetBefore.test(textBefore(clock, 6))) return undefined;
  return { end, words: minutes === '00' ? cardinal(hours) : `${cardinal(hours)} ${cardinal(minutes)}` };
}

/** `3:45 pm`, `10:00:05`, `T10:00+01:00` */
function ofDay(clock: Clock): Match {
  const { text, index, end, half, zone } = clock;
  const words = [cardinal(clock.hours), sayMinutes(clock), saySeconds(clock)].filter(Boolean).join(' ');
  // `10:00-11:30` is a range, `T10:00-11:30` a time.
  const isRange = /^[−-]/.test(zone?.[0] ?? '') && text[index - 1] !== 'T';
  if (zone && !isRange) return { end: end + zone[0].length, words: `${words} ${sayZone(zone)}` };
  if (!half) return { end, words };
  const halfEnd = end + half[0].length;
  return { end: halfEnd, words: words + sayMeridiem(half, text, halfEnd) };
}

const oclock = /\s?o['’]\s?clock/iy;

/** `oh five`, `forty five`, `o'clock` */
function sayMinutes({ text, hours, minutes, end, half }: Clock): string {
  if (minutes !== '00') return twoDigits(minutes);
  // `(0:00 - 0:30)` of a recording
  if (half || matchAt(oclock, text, end) || hours === '0') return '';
  return Number(hours) > 0 && Number(hours) <= 12 ? "o'clock" : 'hundred';
}

/** `oh five`, `forty five` */
export const twoDigits = (digits: string): string => `${digits[0] === '0' ? 'oh ' : ''}${cardinal(digits)}`;

/** `and twelve seconds`; the fraction in a log is noise, that of a stopwatch is not. */
function saySeconds(clock: Clock): string {
  const { seconds = '00', part } = clock;
  const isLogged = /\d(?:T|\s)$/.test(textBefore(clock, 2));
  if (part !== undefined && part.length <= 3 && !isLogged)
    return `and ${cardinal(seconds)} point ${digitByDigit(part)} seconds`;
  return seconds === '00' ? '' : `and ${cardinal(seconds)} second${seconds === '01' ? '' : 's'}`;
}

function sayZone([, zulu, sign, hours = '', minutes = '']: RegExpExecArray): string {
  if (zulu || (Number(hours) === 0 && Number(minutes) === 0)) return 'U T C';
  const rest = minutes === '00' ? '' : ` ${cardinal(minutes)}`;
  return `U T C ${sign === '+' ? 'plus' : 'minus'} ${cardinal(hours)}${rest}`;
}

const hour = /(\d{1,2})(?=\s?[ap]\.?\s?m)/iy;

/** `3pm` */
export function matchHour({ text, index }: Context): Match | undefined {
  const match = matchAt(hour, text, index);
  const half = match && matchAt(meridiem, text, index + match[0].length);
  if (!half || Number(match[1]) > 12) return undefined;
  const end = index + match[0].length + half[0].length;
  return { end, words: cardinal(match[1]!) + sayMeridiem(half, text, end) };
}

function sayMeridiem(half: RegExpExecArray, text: string, end: number): string {
  return ` ${(half[1] ?? half[2] ?? half[3])!.toUpperCase()} M${finalStop(text, end)}`;
}

/**
 * A length of time in words.
 * @param parts hours, minutes and seconds
 * @param isSingular for `a two hour marathon`
 */
export function sayDuration(parts: readonly string[], isSingular = false): string {
  const names = ['hour', 'minute', 'second'];
  const words = parts.map((part, at) => `${cardinal(part)} ${names[at]}${Number(part) === 1 || isSingular ? '' : 's'}`);
  return words.filter((_, at) => Number(parts[at]) > 0).join(' ') || words.at(-1)!;
}
