import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** Units of time by their symbols. */
export const timeUnits = {
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  min: 'minute',
  mins: 'minute',
  s: 'second',
  sec: 'second',
  secs: 'second',
  ms: 'millisecond',
};
/** Beside other units of time; alone, `m` is a meter, and `w` and `d` are none. */
const names: Record<string, string> = { ...timeUnits, mo: 'month', y: 'year', w: 'week', d: 'day', m: 'minute' };
/** From the longest to the shortest. */
const order = ['week', 'day', 'hour', 'minute', 'second', 'millisecond'];
const duration =
  /\d{1,4}(?:w|d|hrs?|h|mins?|m|secs?|s)(?:\s?\d{1,4}(?:\.\d{1,3})?(?:d|hrs?|h|mins?|ms|m|secs?|s)){1,5}(?![\p{L}\d/])/uy;
const hoursAndMinutes = /(\d{1,3})h([0-5]\d)(?![\p{L}\d:])/uy;
/** `12m ago`, `try again in 30s` */
const relative = /(\d{1,3})(s|m|h|d|w|mo|y)(?=\s(?:ago|left|remaining|later|old)(?!\p{L}))/uy;
const waited = /(\d{1,3})(s)(?=[.,;:!?)]|$|\s(?:or|and|if|when|before|until)(?!\p{L}))/uy;
const waitBefore = /(?<!\p{L})(?:in|after|every|within|took|wait) $/iu;
/** `1 h 10 min` */
const spaced = /(\d{1,3})\s(?:h|hr)\.?\s([0-5]?\d)\s(?:m|min)(?![\p{L}\d])/uy;
const part = /(\d+(?:\.\d+)?)([a-z]+)/g;

/**
 * Amounts of several units of time: `2h 30m`, `1m20s`, `1h30`. Single ones (`5m`) could be anything and are left to units.
 */
export function matchDuration({ text, index }: Context): Match | undefined {
  const short = matchAt(hoursAndMinutes, text, index);
  if (short) {
    const words = `${count(short[1]!, 'hour')} ${Number(short[2]) === 0 ? '' : cardinal(short[2]!)}`;
    return { end: index + short[0].length, words: words.trim() };
  }
  const [all, hours = '', minutes = ''] = matchAt(spaced, text, index) ?? [];
  if (all !== undefined) {
    return { end: index + all.length, words: `${count(hours, 'hour')} ${count(minutes, 'minute')}` };
  }
  const wait = matchAt(waited, text, index);
  const isWait = wait && waitBefore.test(textBefore({ text, index }, 8));
  const [one, number = '', unit = ''] = matchAt(relative, text, index) ?? (isWait ? wait : undefined) ?? [];
  if (one !== undefined) return { end: index + one.length, words: count(number, names[unit]!) };
  const match = matchAt(duration, text, index);
  if (!match) return undefined;
  const parts = [...match[0].matchAll(part)].map(([, number = '', unit = '']) => ({ number, name: names[unit]! }));
  const ranks = parts.map(({ name }) => order.indexOf(name));
  if (ranks.some((rank, at) => at > 0 && rank <= ranks[at - 1]!)) return undefined;
  return { end: index + match[0].length, words: parts.map(({ number, name }) => count(number, name)).join(' ') };
}

function count(number: string, name: string): string {
  return `${decimal(number)} ${name}${Number(number) === 1 ? '' : 's'}`;
}
