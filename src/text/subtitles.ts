import { matchAt } from './patterns.ts';

/** A time of a subtitle, as written. */
export interface CueTime {
  /** Empty if there are none. */
  hours: string;
  minutes: string;
  /** With a decimal point, unless they are whole. */
  seconds: string;
}

const TIME = String.raw`(?:(\d{2}):)?([0-5]\d):([0-5]\d)[,.](\d{3})`;
const cue = new RegExp(`${TIME} --> ${TIME}(?!\\d)`, 'y');
const cueLine = new RegExp(`^${TIME} --> ${TIME}(?: \\w{4,8}:\\S{1,40}){0,6}$`);
const cueNumber = /^\d{1,6}$/;

/** When a subtitle begins and ends: `00:01:23,456 --> 00:01:25,000` of SubRip, `01:23.456 --> 01:25.000` of WebVTT. */
export function cueAt(text: string, index: number): { end: number; from: CueTime; to: CueTime } | undefined {
  const match = matchAt(cue, text, index);
  if (!match) return undefined;
  return { end: index + match[0].length, from: cueTime(match.slice(1, 5)), to: cueTime(match.slice(5)) };
}

function cueTime([hours = '', minutes = '', seconds = '', part = '']: readonly (string | undefined)[]): CueTime {
  const decimals = part.replace(/0+$/, '');
  return {
    hours: Number(hours) === 0 ? '' : String(Number(hours)),
    minutes: Number(minutes) === 0 ? '' : String(Number(minutes)),
    seconds: `${Number(seconds)}${decimals === '' ? '' : `.${decimals}`}`,
  };
}

/**
 * Whether a line of a file of subtitles is none of their text: the times before it, and the number before the times.
 * @param next gives the line after it
 */
export function isBesideSubtitle(line: string, next: () => string): boolean {
  if (cueLine.test(line)) return next().trim() !== '';
  return cueNumber.test(line) && cueLine.test(next().trimEnd());
}

/** Whether a subtitle follows, by the line after a blank one. */
export function beginsSubtitle(line: string): boolean {
  return cueNumber.test(line.trimEnd()) || cueLine.test(line.trimEnd());
}
