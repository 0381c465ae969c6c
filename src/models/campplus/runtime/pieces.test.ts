import { describe, expect, it } from 'vitest';
import type { Span } from '../../../contracts/transcription.ts';
import { framesIn } from './filter-banks.ts';
import { piecesOf, type Stretch, stretchesOf } from './pieces.ts';

const PADDING = 800;

/** A window from sample 1000 on. */
const windowOf = (seconds: number, ...speech: [start: number, end: number][]) => ({
  start: 1000,
  samples: new Float32Array(seconds * 16_000),
  speech: speech.map(([start, end]) => ({ start: 1000 + start, end: 1000 + end })),
});
const stretch = (start: number, length: number): Stretch => {
  const span: Span = { start, end: start + length };
  return { speech: span, heard: span };
};

describe('stretchesOf', () => {
  it('are the speech between pauses, and a little on both sides', () => {
    const stretches = stretchesOf(windowOf(10, [2000, 20_000], [22_500, 40_000], [50_000, 160_000]));
    expect(stretches.map(({ speech }) => speech)).toEqual([
      { start: 3000 - PADDING, end: 21_000 + PADDING },
      { start: 23_500 - PADDING, end: 41_000 + PADDING },
      { start: 51_000 - PADDING, end: 161_000 },
    ]);
    for (const { speech, heard } of stretches) expect(heard).toEqual(speech);
  });

  it('do not overlap, however short the pause', () => {
    const [first, second] = stretchesOf(windowOf(10, [2000, 20_000], [20_512, 40_000]));
    expect(first!.speech.end).toBeLessThanOrEqual(second!.speech.start);
  });

  it('embeds audio around very short speech, within the window', () => {
    const [first, last] = stretchesOf(windowOf(2, [0, 1600], [28_000, 29_600]));
    expect(first!.speech).toEqual({ start: 1000, end: 2600 + PADDING });
    expect(first!.heard.start).toBe(1000);
    expect(last!.heard.start).toBeLessThan(last!.speech.start);
    for (const { heard } of [first!, last!]) expect(framesIn(heard.end - heard.start)).toBe(48);
    expect(last!.heard.end).toBeLessThanOrEqual(33_000);
  });

  it('leaves out a window that is too short', () => {
    expect(stretchesOf(windowOf(0.4, [0, 6400]))).toEqual([]);
  });
});

describe('piecesOf', () => {
  it('gives short speech one piece of its length', () => {
    const [piece, ...others] = piecesOf(new Float32Array(16_000), stretch(500, 16_000));
    expect(others).toEqual([]);
    expect(piece).toEqual({ firstFrame: 0, frames: framesIn(16_000), part: { start: 500, end: 16_500 } });
  });

  it('overlaps pieces of 1.5 s, of which the last ends with the speech', () => {
    const length = 16_000 * 4;
    const pieces = piecesOf(new Float32Array(length).fill(0.1), stretch(500, length));
    expect(pieces.map(({ firstFrame }) => firstFrame)).toEqual([0, 75, 150, 225, framesIn(length) - 148]);
    expect(new Set(pieces.map(({ frames }) => frames))).toEqual(new Set([148]));
    expect(pieces[0]!.part.start).toBe(500);
    expect(pieces.at(-1)!.part.end).toBe(500 + length);
    for (const [index, { part }] of pieces.entries()) {
      expect(part.end).toBeGreaterThan(part.start);
      if (index > 0) expect(part.start).toBe(pieces[index - 1]!.part.end);
    }
  });

  it('puts the boundary between two pieces at the quietest moment', () => {
    const length = 16_000 * 2.25;
    const samples = new Float32Array(length).fill(0.1);
    // A dip of 60 ms, 0.2 s before the middle of the two pieces.
    const dip = 1.125 * 16_000 - 3200;
    samples.fill(0, dip - 480, dip + 480);
    const [first, second] = piecesOf(samples, stretch(0, length));
    expect(Math.abs(first!.part.end - dip)).toBeLessThan(320);
    expect(second!.part.start).toBe(first!.part.end);
  });
});
