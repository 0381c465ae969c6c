import { expect, it } from 'vitest';
import type { Line } from './lines.ts';
import { moved } from './retime.ts';
import { exactTime, secondsOf } from './times.ts';

it('writes times that it reads', () => {
  expect([0, 5.2, 65.1234, 3725].map(exactTime)).toEqual(['0:00.000', '0:05.200', '1:05.123', '1:02:05.000']);
  for (const seconds of [0, 5.2, 65.123, 3725, 59.9996]) {
    expect(secondsOf(exactTime(seconds))).toBeCloseTo(seconds, 2);
  }
});

it('reads times as people write them', () => {
  expect(['5', '5,25', '0:05.2', '1:02:03', ' 90 '].map(secondsOf)).toEqual([5, 5.25, 5.2, 3723, 90]);
  expect(['', 'soon', '-1', '1:', ':5', '1.2345', '1:2:3:4', '5s'].map(secondsOf)).toEqual(Array(8).fill(undefined));
});

it('moves a line, and its words with it', () => {
  const word = (text: string, start: number, end: number) => ({
    text,
    word: { word: text, start, end, probability: 0.9 },
  });
  const line: Line = {
    start: 2,
    end: 4,
    text: 'One step',
    parts: [word('One', 2, 3), { text: ' ' }, word('step', 3, 4)],
    segment: { start: 2, end: 4, text: ' One step' },
    lead: ' ',
    speaker: 'Ann',
  };
  const { parts, segment, ...rest } = moved(line, 10, 11);
  expect(rest).toEqual({ start: 10, end: 11, text: 'One step', lead: ' ', speaker: 'Ann' });
  expect(segment).toBeUndefined();
  expect(parts.map(({ word }) => word && [word.start, word.end])).toEqual([[10, 10.5], undefined, [10.5, 11]]);
  expect(moved({ ...line, start: 3, end: 3 }, 5, 6).parts[0]!.word).toMatchObject({ start: 5, end: 5 });
});
