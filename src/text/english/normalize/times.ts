import { firstMatch } from '../../first-match.ts';
import { matchAt } from '../../patterns.ts';
import { type CueTime, cueAt } from '../../subtitles.ts';
import { matchClock, matchHour, sayDuration, twoDigits } from './clock-times.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Match, Rule } from './rule.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [matchCue, matchShortRange, matchClock, matchHour];

/** `3:45 pm`, `15:30`, `12:00`, `3pm`. */
export function matchTime(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

/** The times of a subtitle: `00:01:02,500 --> 00:01:04,000` */
function matchCue({ text, index }: Context): Match | undefined {
  const cue = cueAt(text, index);
  return cue && { end: cue.end, words: `${sayCueTime(cue.from)} to ${sayCueTime(cue.to)}` };
}

function sayCueTime({ hours, minutes, seconds }: CueTime): string {
  const whole = hours || minutes ? `${sayDuration([hours || '0', minutes || '0', '0'])} ` : '';
  return `${whole}${decimal(seconds)} second${seconds === '1' ? '' : 's'}`;
}

/** Hours of a timetable: `9a–5p` */
const shortRange = /(\d{1,2})(?::([0-5]\d))?([ap])\s?[-–]\s?(\d{1,2})(?::([0-5]\d))?([ap])(?![\p{L}\d])/uy;
/** `5–9p` where another time is written so: `11a–2p` */
const shortEnd = /(1?\d)(?::([0-5]\d))?()\s?[-–]\s?(1?\d)(?::([0-5]\d))?([ap])(?![\p{L}\d])/uy;
const shortTime = /\d[ap]\s?[-–]\s?\d/;

function matchShortRange({ text, index }: Context): Match | undefined {
  const range = matchAt(shortRange, text, index) ?? (shortTime.test(text) ? matchAt(shortEnd, text, index) : undefined);
  return range && { end: index + range[0].length, words: sayShortRange(range) };
}

function sayShortRange([, from = '', past, half = '', to = '', pastTo, halfTo = '']: RegExpExecArray): string {
  const minutes = (digits = '00') => (digits === '00' ? '' : ` ${twoDigits(digits)}`);
  const time = (hours: string, past: string | undefined, half: string) =>
    `${cardinal(hours)}${minutes(past)}${half && ` ${half.toUpperCase()} M`}`;
  return `${time(from, past, half)} to ${time(to, pastTo, halfTo)}`;
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
  const hour = hours === '00' ? 'zero' : twoDigits(hours);
  const rest = minutes === '00' ? 'hundred' : twoDigits(minutes);
  return { end: index + all.length, words: `${hour} ${rest}` };
}
