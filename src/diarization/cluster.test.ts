import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../test/fixtures/speech.ts';
import type { VoiceSample } from '../contracts/speakers.ts';
import { findTurns } from './cluster.ts';

const RATE = 16_000;
const SIZE = 64;

/** Unit vectors around the voice of each speaker: two of one voice have a mean cosine of 0.55, as CAM++'s have. */
class Voices {
  readonly #noise: () => number;
  readonly #centres = new Map<string, Float32Array>();

  constructor(seed: number) {
    this.#noise = seededNoise(seed);
  }

  centre(speaker: string): Float32Array {
    const known = this.#centres.get(speaker) ?? unit(this.#random());
    this.#centres.set(speaker, known);
    return known;
  }

  sample(speaker: string): Float32Array {
    const noise = unit(this.#random());
    return unit(this.centre(speaker).map((value, index) => value * Math.sqrt(0.55) + noise[index]! * Math.sqrt(0.45)));
  }

  #random = () => Float32Array.from({ length: SIZE }, () => this.#noise() + this.#noise() + this.#noise());
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** Turns of seconds and a pause of half a second after each, in samples of 0.75 s. */
function conversation(voices: Voices, turns: readonly [speaker: string, seconds: number][]) {
  const samples: VoiceSample[] = [];
  const truth: { start: number; end: number; speaker: string }[] = [];
  let at = 0.4 * RATE;
  for (const [speaker, seconds] of turns) {
    const end = at + seconds * RATE;
    truth.push({ start: at, end, speaker });
    while (at < end) {
      const next = Math.min(end, at + 0.75 * RATE);
      samples.push({ start: at, end: next, embedding: voices.sample(speaker) });
      at = next;
    }
    at += 0.5 * RATE;
  }
  return { samples, truth };
}

const letters = [...'abcdefgh'];
const inTurn = (count: number, turns: number, seconds: (index: number) => number) =>
  Array.from({ length: turns }, (_, index): [string, number] => [letters[index % count]!, seconds(index)]);
const numbered = (truth: readonly { start: number; end: number; speaker: string }[]) =>
  truth.map(({ speaker, ...span }) => ({ ...span, speaker: letters.indexOf(speaker) }));

describe('findTurns', () => {
  it.each([1, 2, 3, 5, 8])('finds %d speakers by itself', (count) => {
    const seconds = (index: number) => 1.5 + 3 * ((index * 7) % 3);
    const { samples, truth } = conversation(new Voices(count), inTurn(count, 6 * count, seconds));
    expect(findTurns(samples)).toEqual(numbered(truth));
  });

  it('keeps one speaker together, at any length', () => {
    for (const seconds of [0.7, 2, 10, 600]) {
      const { samples } = conversation(new Voices(9), [['a', seconds]]);
      expect(new Set(findTurns(samples).map(({ speaker }) => speaker))).toEqual(new Set([0]));
    }
  });

  it('finds turns of a second', () => {
    const turns = inTurn(2, 12, (index) => (index === 5 || index === 8 ? 1 : 4));
    const { samples, truth } = conversation(new Voices(10), turns);
    expect(findTurns(samples)).toEqual(numbered(truth));
  });

  it('counts no third speaker for three seconds of another voice in a long recording', () => {
    const turns = inTurn(2, 120, () => 6);
    for (const index of [20, 50, 90]) turns.splice(index, 0, ['c', 1]);
    const { samples } = conversation(new Voices(17), turns);
    expect(new Set(findTurns(samples).map(({ speaker }) => speaker))).toEqual(new Set([0, 1]));
  });

  it('does not depend on the order of the samples, and changes none', () => {
    const { samples } = conversation(
      new Voices(11),
      inTurn(3, 12, () => 3),
    );
    const before = structuredClone(samples);
    const turns = findTurns(samples);
    expect(findTurns([...samples].reverse())).toEqual(turns);
    expect(samples).toEqual(before);
  });

  it('of nothing are none', () => {
    expect(findTurns([])).toEqual([]);
    expect(findTurns([], { count: 2, known: [new Float32Array(SIZE)] })).toEqual([]);
  });

  it('finds the given number of speakers', () => {
    const voices = new Voices(12);
    const { samples } = conversation(
      voices,
      inTurn(4, 16, () => 4),
    );
    const found = (count: number) => new Set(findTurns(samples, { count }).map(({ speaker }) => speaker)).size;
    expect([1, 2, 3, 4].map(found)).toEqual([1, 2, 3, 4]);
  });

  it('gives known speakers their numbers, and others those of new ones', () => {
    const voices = new Voices(13);
    const { samples } = conversation(
      voices,
      inTurn(3, 12, () => 4),
    );
    const known = [voices.centre('never'), voices.centre('b')];
    const speakers = findTurns(samples, { known }).map(({ speaker }) => speaker);
    expect(speakers.slice(0, 3)).toEqual([0, -2, 1]);
    expect(new Set(speakers)).toEqual(new Set([0, -2, 1]));
  });

  it('joins groups of the same known speaker', () => {
    const voices = new Voices(14);
    const { samples } = conversation(
      voices,
      inTurn(2, 8, () => 4),
    );
    const between = unit(voices.centre('a').map((value, index) => value + voices.centre('b')[index]!));
    expect(new Set(findTurns(samples, { known: [between] }).map(({ speaker }) => speaker))).toEqual(new Set([-1]));
  });

  it('of samples that overlap do not', () => {
    const voices = new Voices(15);
    const samples = Array.from({ length: 40 }, (_, index): VoiceSample => {
      const start = index * 0.75 * RATE;
      return { start, end: start + 1.5 * RATE, embedding: voices.sample(index < 20 ? 'a' : 'b') };
    });
    // The middle of the overlap.
    const change = 20 * 0.75 * RATE + 0.375 * RATE;
    expect(findTurns(samples)).toEqual([
      { start: 0, end: change, speaker: 0 },
      { start: change, end: samples.at(-1)!.end, speaker: 1 },
    ]);
  });

  it('clusters four hours of speech in seconds', () => {
    const { samples, truth } = conversation(
      new Voices(16),
      inTurn(6, 2400, (index) => 3 + 3 * (index % 2)),
    );
    expect(samples.length).toBeGreaterThan(14_000);
    const started = performance.now();
    expect(findTurns(samples)).toEqual(numbered(truth));
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
