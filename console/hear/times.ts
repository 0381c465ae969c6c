import { clock } from '../shared/format.ts';

/** A time to the millisecond: `0:05.200`. */
export function exactTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  return `${clock(Math.floor(milliseconds / 1000))}.${String(milliseconds % 1000).padStart(3, '0')}`;
}

/** Seconds of a time as people write it: `5`, `0:05.2`, `1:02:03`; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds] =
    /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  return 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds.replace(',', '.'));
}
