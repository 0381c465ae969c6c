import { matchAt } from '../../patterns.ts';
import { type CueTime, cueAt } from '../../subtitles.ts';
import { cardinal, decimal, digitByDigit } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';
import { nounNext } from './units.ts';

/** Not the scale `1:25,000`. */
const clock = /(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?!\d|:|,\d{3}(?!\d))/y;
/** British: `3.30pm`, `6.30-10am`. */
const dottedClock = /(1?\d)\.([0-5]\d)(?=(?:[-–]1?\d(?:\.[0-5]\d)?)?\s?[ap]\.?\s?m(?!\p{L}))/iuy;
/** As ISO 8601 writes it: `Z`, `+01:00`. */
const timeZone = /(Z)(?![\p{L}\d])|([+−-])(0\d|1[0-4]):?([0-5]\d)(?![\p{L}\d:])/uy;
const meridiem = /\s?(?:([ap])\.\s?m\.|([ap])\.?m(?![\p{L}\d]))|(?<=:\d\d)([ap])(?![\p{L}\d])/iuy;
const offsetBefore = /(?:UTC|GMT)\s?[+−–-]\s?$/;
const ratioNext =
  /\s(?:ratio|odds|mix(?:ture)?|scale|dilut\w+|solution|blend|split|slope|gradient|leverage|model|replica|aspect)\b/y;
const ratioBefore =
  /\b(?:ratio|odds|scale|dilut\w{2,3}|proportion|mixed|gradient|slope)(?: (?:of|is|was|to|at|in))? $/i;
const oclock = /\s?o['’]\s?clock/iy;
/** Minutes and seconds are after these: `a time of 31:41` */
const raceBefore = /\b(?:time of|clock(?:ed|ing)|ran|ran it in|finish(?:ed|ing) in) $/;
/** `Set a timer for 00:05:30` */
const durationBefore =
  /\b(?:timer|countdown|stopwatch|duration|length|runtime|elapsed|remaining|lasted)(?: time)?(?: (?:for|of|to|is|was)|:)? $/i;
/** The clock of a match or a recording: `in 36:14`, `(34:02)`; not the ratio `45:55` */
const elapsedBefore = /(?:\b(?:in|at|after|until|past|Time:) |[([])$/;
/** `at 3:45:12`, `2024-05-01 9:05:07` */
const clockBefore =
  /(?:\b(?:at|by|until|till|since|from|before|after|around|to|now)\s|\d[T,]?\s?|\p{L}\.?,?\s\d{1,2},?\s|day,?\s)$/iu;
const determinerBefore = /\b(?:an?|the|his|her|their|my|our|its) $/i;
/** Hours of a timetable: `9a–5p` */
const shortRange = /(\d{1,2})(?::([0-5]\d))?([ap])\s?[-–]\s?(\d{1,2})(?::([0-5]\d))?([ap])(?![\p{L}\d])/uy;
/** `5–9p` where another time is written so: `11a–2p` */
const shortEnd = /(1?\d)(?::([0-5]\d))?()\s?[-–]\s?(1?\d)(?::([0-5]\d))?([ap])(?![\p{L}\d])/uy;
const shortTime = /\d[ap]\s?[-–]\s?\d/;
const hour = /(\d{1,2})(?=\s?[ap]\.?\s?m)/iy;

/** `3:45 pm`, `15:30`, `12:00`, `3pm`. */
export function matchTime({ text, index }: Context): Match | undefined {
  const cue = cueAt(text, index);
  if (cue) return { end: cue.end, words: `${sayCueTime(cue.from)} to ${sayCueTime(cue.to)}` };
  const range = matchAt(shortRange, text, index) ?? (shortTime.test(text) ? matchAt(shortEnd, text, index) : undefined);
  if (range) return { end: index + range[0].length, words: sayShortRange(range) };
  const match = matchAt(clock, text, index) ?? matchAt(dottedClock, text, index);
  if (!match) return matchHour(text, index);
  const [all, hours = '', minutes = '', seconds, part] = match;
  const value = Number(hours);
  let end = index + all.length;
  const isRace = raceBefore.test(text.slice(Math.max(0, index - 20), index));
  const isElapsed =
    value < 60 && value + Number(minutes) !== 100 && elapsedBefore.test(text.slice(Math.max(0, index - 8), index));
  if ((value > 24 && !isRace && !isElapsed) || matchAt(ratioNext, text, end)) return undefined;
  if (ratioBefore.test(text.slice(Math.max(0, index - 20), index))) return undefined;
  if (seconds && durationBefore.test(text.slice(Math.max(0, index - 30), index))) {
    return { end, words: sayDuration([hours, minutes, seconds]) };
  }
  const half = matchAt(meridiem, text, end);
  // `2:01:09` of a marathon
  const isLength = seconds && !part && /^[0-9]$/.test(hours) && !half && !matchAt(timeZone, text, end);
  if (isLength && (isRace || !clockBefore.test(text.slice(Math.max(0, index - 16), index)))) {
    const isDetermined = determinerBefore.test(text.slice(Math.max(0, index - 6), index));
    const isAttributive = isDetermined && matchAt(nounNext, text, end) !== undefined;
    return { end, words: sayDuration([hours, minutes, seconds], isAttributive) };
  }
  // `(0:00 - 0:30)` of a recording
  let words = cardinal(hours);
  if (offsetBefore.test(text.slice(Math.max(0, index - 6), index))) {
    return { end, words: minutes === '00' ? words : `${words} ${cardinal(minutes)}` };
  }
  if (minutes !== '00') words += ` ${minutes[0] === '0' ? 'oh ' : ''}${cardinal(minutes)}`;
  else if (!half && !matchAt(oclock, text, end))
    words += hours === '0' ? '' : value > 0 && value <= 12 ? " o'clock" : ' hundred';
  // The fraction in a log is noise, that of a stopwatch is not.
  const isLogged = /\d(?:T|\s)$/.test(text.slice(Math.max(0, index - 2), index));
  const isStopwatch = part !== undefined && part.length <= 3 && !isLogged;
  if (isStopwatch) words += ` and ${cardinal(seconds!)} point ${digitByDigit(part)} seconds`;
  else if (seconds && seconds !== '00') words += ` and ${cardinal(seconds)} second${seconds === '01' ? '' : 's'}`;
  const zone = matchAt(timeZone, text, end);
  // `10:00-11:30` is a range, `T10:00-11:30` a time.
  const isRange = /^[−-]/.test(zone?.[0] ?? '') && text[index - 1] !== 'T';
  if (zone && !isRange) return { end: end + zone[0].length, words: `${words} ${sayZone(zone)}` };
  if (half) {
    end += half[0].length;
    words += sayMeridiem(half, text, end);
  }
  return { end, words };
}

/**
 * @param parts hours, minutes and seconds
 * @param isSingular for `a two hour marathon`
 */
function sayDuration(parts: readonly string[], isSingular = false): string {
  const names = ['hour', 'minute', 'second'];
  const words = parts.map((part, at) => `${cardinal(part)} ${names[at]}${Number(part) === 1 || isSingular ? '' : 's'}`);
  return words.filter((_, at) => Number(parts[at]) > 0).join(' ') || words.at(-1)!;
}

function sayCueTime({ hours, minutes, seconds }: CueTime): string {
  const whole = hours || minutes ? `${sayDuration([hours || '0', minutes || '0', '0'])} ` : '';
  return `${whole}${decimal(seconds)} second${seconds === '1' ? '' : 's'}`;
}

function sayShortRange([, from = '', past, half = '', to = '', pastTo, halfTo = '']: RegExpExecArray): string {
  const minutes = (digits = '00') => (digits === '00' ? '' : ` ${digits[0] === '0' ? 'oh ' : ''}${cardinal(digits)}`);
  const time = (hours: string, past: string | undefined, half: string) =>
    `${cardinal(hours)}${minutes(past)}${half && ` ${half.toUpperCase()} M`}`;
  return `${time(from, past, half)} to ${time(to, pastTo, halfTo)}`;
}

function sayZone([, zulu, sign, hours = '', minutes = '']: RegExpExecArray): string {
  if (zulu || (Number(hours) === 0 && Number(minutes) === 0)) return 'U T C';
  const rest = minutes === '00' ? '' : ` ${cardinal(minutes)}`;
  return `U T C ${sign === '+' ? 'plus' : 'minus'} ${cardinal(hours)}${rest}`;
}

function matchHour(text: string, index: number): Match | undefined {
  const match = matchAt(hour, text, index);
  const half = match && matchAt(meridiem, text, index + match[0].length);
  if (!half || Number(match[1]) > 12) return undefined;
  const end = index + match[0].length + half[0].length;
  return { end, words: cardinal(match[1]!) + sayMeridiem(half, text, end) };
}

function sayMeridiem(half: RegExpExecArray, text: string, end: number): string {
  return ` ${(half[1] ?? half[2] ?? half[3])!.toUpperCase()} M${finalStop(text, end)}`;
}

const ZONE = String.raw`\s?(?:GMT|UTC|BST|IST|CES?T|[ECMP][SD]T)`;
const militaryTime = new RegExp(String.raw`([01]\d|2[0-3])([0-5]\d)(?=(?:${ZONE}|\s(?:hours|hrs))(?![\p{L}\d]))`, 'uy');
const zoneNext = new RegExp(`.{4}${ZONE}`, 'y');

/** `0930 hours`, `at 1530 hours`, `1030 GMT`; other numbers of hours may be counted. */
export function matchMilitaryTime({ text, index, previous }: Context): Match | undefined {
  const [all, hours = '', minutes = ''] = matchAt(militaryTime, text, index) ?? [];
  if (all === undefined) return undefined;
  const isCounted = hours[0] !== '0' && !/^(?:at|until|from)$/i.test(previous) && !matchAt(zoneNext, text, index);
  if (isCounted) return undefined;
  const hour = hours === '00' ? 'zero' : `${hours[0] === '0' ? 'oh ' : ''}${cardinal(hours)}`;
  const rest = minutes === '00' ? 'hundred' : minutes[0] === '0' ? `oh ${cardinal(minutes)}` : cardinal(minutes);
  return { end: index + all.length, words: `${hour} ${rest}` };
}
