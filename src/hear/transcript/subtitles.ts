import type { TimedText } from './cue-units.ts';
import { type Cue, cueSteps } from './cues.ts';
import { runSteps, type Steps } from './steps.ts';

/** Renders segments as SubRip; empty without speech. */
export const srt = (segments: readonly TimedText[], duration?: number): string =>
  runSteps(srtSteps(segments, duration));

/** Renders segments as WebVTT; only the header without speech. */
export const vtt = (segments: readonly TimedText[], duration?: number): string =>
  runSteps(vttSteps(segments, duration));

/**
 * `srt` in steps: recordings of hours take a second.
 * @param duration of the recording, in seconds
 */
export function* srtSteps(segments: readonly TimedText[], duration?: number): Steps<string> {
  return yield* srtOfCues(yield* cueSteps(segments, { duration, hasNames: true }));
}

export function* srtOfCues(cues: readonly Cue[]): Steps<string> {
  const blocks: string[] = [];
  for (const { start, end, lines } of cues) {
    const time = `${timestamp(start, ',')} --> ${timestamp(end, ',')}`;
    // SubRip has no escapes, and some players take any line with an arrow for cue times.
    const text = lines.map((line) => line.replaceAll('-->', '→'));
    blocks.push(`${blocks.length + 1}\n${time}\n${text.join('\n')}\n`);
    yield;
  }
  return blocks.join('\n');
}

/** `vtt` in steps. */
export function* vttSteps(segments: readonly TimedText[], duration?: number): Steps<string> {
  return yield* vttOfCues(yield* cueSteps(segments, { duration }));
}

export function* vttOfCues(cues: readonly Cue[]): Steps<string> {
  const blocks = ['WEBVTT\n'];
  for (const { start, end, lines, speaker } of cues) {
    const text = lines.map(escaped).join('\n');
    const voice = speaker === undefined ? text : `<v ${escaped(speaker)}>${text}`;
    blocks.push(`\n${timestamp(start, '.')} --> ${timestamp(end, '.')}\n${voice}\n`);
    yield;
  }
  return blocks.join('');
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function timestamp(milliseconds: number, decimalSign: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60].map(two).join(':');
  return `${clock}${decimalSign}${String(milliseconds % 1000).padStart(3, '0')}`;
}
