import { describe, expect, it } from 'vitest';
import { FRAME, SAMPLE_RATE } from './frames.ts';
import { OF_CONVERSATION, QuietPassages, raiseIfQuiet } from './loudness.ts';

const decibels = (peak: number) => 20 * Math.log10(peak);
const peakOf = (samples: Float32Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
/** A tone of whole frames. */
const tone = (seconds: number, peak: number) => {
  const length = Math.round((seconds * SAMPLE_RATE) / FRAME) * FRAME;
  return Float32Array.from({ length }, (_, index) => peak * Math.sin(index / 3));
};

describe('raiseIfQuiet', () => {
  it('raises quiet samples to -30 dBFS, by 40 dB at most', () => {
    expect(decibels(peakOf(raiseIfQuiet(tone(1, 0.001))))).toBeCloseTo(-30, 1);
    expect(decibels(peakOf(raiseIfQuiet(tone(1, 0.00001))))).toBeCloseTo(-60, 1);
    expect([...raiseIfQuiet(new Float32Array(3))]).toEqual([0, 0, 0]);
  });

  it('raises a quiet passage beside a louder one', () => {
    const [loud, quiet] = [tone(1, 0.5), tone(1, 0.001)];
    const raised = raiseIfQuiet(Float32Array.from([...loud, ...quiet, ...loud]), [loud.length, 2 * loud.length]);
    expect(raised.subarray(0, loud.length)).toEqual(loud);
    expect(decibels(peakOf(raised.subarray(loud.length, 2 * loud.length)))).toBeCloseTo(-30, 1);
    expect(raised.subarray(2 * loud.length)).toEqual(loud);
  });

  it('leaves others as they are', () => {
    expect(raiseIfQuiet(tone(1, 0.1))).toEqual(tone(1, 0.1));
  });
});

describe('QuietPassages', () => {
  /** All frames of sound, leveled. */
  const level = (passages: QuietPassages, ...parts: Float32Array[]) => {
    const leveled = [...parts.map((part) => passages.raise(part)), passages.finish()];
    return {
      frames: leveled.flatMap(({ frames }) => [...frames]),
      raised: Float32Array.from(leveled.flatMap(({ raised }) => [...raised])),
    };
  };
  const peakBetween = (samples: Float32Array, from: number, to: number) =>
    decibels(peakOf(samples.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE)));

  it('raises quiet frames and keeps the given samples', () => {
    const quiet = tone(3, 0.001);
    const { frames, raised } = level(new QuietPassages(), quiet);
    expect(decibels(peakOf(raised))).toBeCloseTo(-6, 1);
    expect(quiet).toEqual(tone(3, 0.001));
    expect(frames).toEqual([...quiet]);
    const loud = tone(3, 0.6);
    expect(level(new QuietPassages(), loud).raised).toEqual(loud);
  });

  it('raises nothing by more than 64 dB', () => {
    expect(decibels(peakOf(level(new QuietPassages(), tone(3, 0.00001)).raised))).toBeCloseTo(-36, 1);
  });

  it('raises a quiet voice soon after a loud one, and no pause between its words', () => {
    const { raised } = level(new QuietPassages(), tone(1, 0.5), tone(4, 0.001));
    expect(peakBetween(raised, 1.1, 1.9)).toBeCloseTo(-60, 1);
    expect(peakBetween(raised, 2.8, 4.9)).toBeCloseTo(-6, 1);
  });

  it('does not raise the noise just before a loud voice', () => {
    const { raised } = level(new QuietPassages(), tone(3, 0.001), tone(1, 0.5));
    expect(peakBetween(raised, 0, 1.9)).toBeCloseTo(-6, 1);
    expect(peakBetween(raised, 2.1, 2.9)).toBeCloseTo(-60, 1);
  });

  it('raises live frames at once, and remembers the speaker for many seconds', () => {
    const passages = new QuietPassages(OF_CONVERSATION);
    passages.raise(tone(1, 0.5));
    const pause = tone(10, 0.001);
    expect(passages.raise(pause).raised).toEqual(pause);
    passages.raise(tone(30, 0.001));
    expect(decibels(peakOf(passages.raise(tone(10, 0.001)).raised))).toBeGreaterThan(-45);
    expect(passages.finish().frames).toHaveLength(0);
  });

  it('does not depend on how the recording is cut into chunks', () => {
    const sound = Float32Array.from([
      ...tone(1, 0.0005),
      ...tone(3, 0.01),
      ...tone(4, 0.002),
      ...new Float32Array(FRAME),
    ]);
    const inOne = level(new QuietPassages(), sound);
    const frames = Array.from({ length: sound.length / FRAME }, (_, index) =>
      sound.slice(index * FRAME, (index + 1) * FRAME),
    );
    expect(level(new QuietPassages(), ...frames)).toEqual(inOne);
    expect(inOne.frames).toEqual([...sound]);
  });
});
