import { describe, expect, it } from 'vitest';
import { Stretcher } from './stretch.ts';

const RATE = 24_000;
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * RATE }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / RATE));

function stretched(samples: Float32Array, tempo: number, piece = samples.length): Float32Array {
  const stretcher = new Stretcher(tempo, RATE);
  const pieces: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += piece) pieces.push(stretcher.write(samples.subarray(at, at + piece)));
  pieces.push(stretcher.flush());
  return Float32Array.from(pieces.flatMap((each) => [...each]));
}

const crossings = (samples: Float32Array) =>
  samples.reduce((count, value, index) => count + (value >= 0 && samples[index - 1]! < 0 ? 1 : 0), 0);

describe('Stretcher', () => {
  it.each([0.5, 0.8, 1.25, 2])('makes sound last 1 / %f as long, at the same pitch and level', (tempo) => {
    const result = stretched(tone(210, 1.5), tempo);
    expect(result).toHaveLength(Math.round((1.5 * RATE) / tempo));
    expect(crossings(result) / (result.length / RATE)).toBeCloseTo(210, -1);
    const middle = result.subarray(2000, -2000);
    const level = Math.sqrt(middle.reduce((sum, value) => sum + value ** 2, 0) / middle.length);
    expect(level).toBeGreaterThan(0.33);
    expect(level).toBeLessThan(0.36);
  });

  it('joins windows without a click, even where none continues the one before', () => {
    const [low, high] = [tone(210, 1), tone(337, 1)];
    const samples = low.map((value, index) => value / 2 + high[index]! / 2);
    const steepest = (all: Float32Array) =>
      Math.max(...all.subarray(1).map((value, index) => Math.abs(value - all[index]!)));
    for (const tempo of [0.8, 1.7]) expect(steepest(stretched(samples, tempo))).toBeLessThan(1.2 * steepest(samples));
  });

  it('has the requested length to the sample, wherever the sound ends', () => {
    const samples = tone(210, 1.5);
    for (let length = 34_000; length < 36_000; length += 130)
      expect(stretched(samples.subarray(0, length), 4)).toHaveLength(Math.round(length / 4));
  });

  it('keeps the order and the positions of stretched audio', () => {
    const samples = new Float32Array(2 * RATE);
    samples.set(tone(150, 0.5), RATE);
    for (const tempo of [0.5, 2]) {
      const result = stretched(samples, tempo);
      const loud = result.findIndex((value) => Math.abs(value) > 0.1) / RATE;
      const quiet = result.findLastIndex((value) => Math.abs(value) > 0.1) / RATE;
      expect(Math.abs(loud - 1 / tempo)).toBeLessThan(0.03);
      expect(Math.abs(quiet - 1.5 / tempo)).toBeLessThan(0.03);
    }
  });

  it('gives the same whatever pieces it is given', () => {
    const samples = Float32Array.from(tone(123, 0.5), (value, index) => value * Math.sin(index / 500));
    for (const tempo of [0.5, 1.7, 4]) {
      const whole = stretched(samples, tempo);
      for (const piece of [97, 480]) expect(stretched(samples, tempo, piece)).toEqual(whole);
    }
  });

  it('holds back little, and starts over after a flush', () => {
    const stretcher = new Stretcher(2, RATE);
    const samples = tone(200, 1);
    const first = stretcher.write(samples);
    expect(first.length).toBeGreaterThan(RATE / 2 - 0.05 * RATE);
    const rest = stretcher.flush();
    expect(first.length + rest.length).toBe(RATE / 2);
    expect(stretcher.write(samples)).toEqual(first);
  });

  it('accepts empty and nearly empty input', () => {
    expect(stretched(new Float32Array(0), 2)).toHaveLength(0);
    expect(stretched(new Float32Array(3), 2)).toHaveLength(2);
    expect(stretched(tone(100, 0.01), 0.5)).toHaveLength(480);
  });
});
