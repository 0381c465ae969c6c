import { describe, expect, it } from 'vitest';
import type { KokoroModel } from './model.ts';
import { partFrames, Speaker, type SpeechTask } from './speech.ts';

const FRAME = 600;
/** Frames of the tokens: silence, two phonemes, a space, a phoneme, a full stop, silence. Their sound is 3 frames early. */
const frames = [13, 4, 4, 2, 4, 8, 9];
const task: SpeechTask = {
  phonemes: [1, 2, 16, 4, 5],
  owners: [0, 0, -1, 2, -1],
  begin: 0,
  end: 5,
  style: new Float32Array(256),
  boundary: 'sentence',
  speed: 1,
};

/** A model that hums between two frames and in frame `click`, and is nearly silent elsewhere. */
function humming(from: number, to: number, click = -1) {
  const seeds: (number | undefined)[] = [];
  const alignment = frames.flatMap((count, token) => new Array<number>(count).fill(token));
  const model = {
    frameSamples: FRAME,
    configuration: { tokens: new Map([[' ', 16]]) },
    prepare: async (_: unknown, __: unknown, { seed }: { seed?: number }) => {
      seeds.push(seed);
      return { frames, alignment, energy: new Float32Array(2 * alignment.length) };
    },
    generateFrames: async (_: unknown, chosen: readonly number[]) =>
      Float32Array.from(
        chosen.flatMap((frame) =>
          Array.from({ length: FRAME }, (_, index) => {
            const sound = Math.sin(frame * FRAME + index);
            return (frame >= from && frame < to) || frame === click ? sound : 0.001 * sound;
          }),
        ),
      ),
  } as unknown as KokoroModel;
  return { model, seeds };
}

const speakChunk = (model: KokoroModel, task: SpeechTask) => new Speaker(model).speak(task);
const seconds = (samples: Float32Array) => samples.length / 24_000;

describe('speakChunk', () => {
  it('lets words meet in the middle of the space, and end where their sound decays', async () => {
    const { samples, times } = await speakChunk(humming(10, 23).model, task);
    // The sound begins 0.03 s after the start.
    expect(times.map(({ token }) => token)).toEqual([0, 2]);
    expect(times[0]!.start).toBeCloseTo(0.03, 4);
    expect(times[0]!.end).toBeCloseTo(0.03 + 9 / 40, 4);
    expect(times[1]!.start).toBeCloseTo(0.03 + 9 / 40, 4);
    expect(times[1]!.end).toBeCloseTo(0.03 + 13 / 40, 4);
    expect(seconds(samples)).toBeCloseTo(0.03 + 13 / 40 + 0.4, 3);
  });

  it('keeps sound before the first and after the last phoneme', async () => {
    const { samples, times } = await speakChunk(humming(7, 40).model, task);
    expect(times[0]!.start).toBeCloseTo(0.03, 3);
    expect(seconds(samples)).toBeCloseTo(0.03 + 33 / 40 + 0.4, 3);
    expect(samples.slice(800, 19_000).some((sample) => Math.abs(sample) > 0.99)).toBe(true);
  });

  it('never cuts into the first phoneme, however soft', async () => {
    const { samples, times } = await speakChunk(humming(14, 26).model, task);
    expect(seconds(samples)).toBeCloseTo(0.03 + 13 / 40 + 0.4, 3);
    expect(times[0]!.start).toBeCloseTo(0.03 + 1 / 40, 3);
  });

  it('drops the silence that the duration of the last phoneme holds', async () => {
    const { samples } = await speakChunk(humming(10, 24).model, task);
    expect(seconds(samples)).toBeCloseTo(0.03 + 14 / 40 + 0.4, 3);
  });

  it('drops a click after the phrase, even right after it', async () => {
    for (const [end, click] of [
      [24, 33],
      [31, 32],
    ] as const) {
      const { samples, times } = await speakChunk(humming(10, end, click).model, task);
      expect(seconds(samples)).toBeCloseTo(0.03 + (end - 10) / 40 + 0.4, 3);
      const decay = Math.round((0.03 + (end - 10) / 40) * 24_000);
      expect(samples.slice(decay).every((sample) => Math.abs(sample) <= 0.001)).toBe(true);
      expect(times.at(-1)!.end).toBeCloseTo(decay / 24_000, 1);
    }
  });

  it('keeps audio before a last phoneme without a sound', async () => {
    const { samples } = await speakChunk(humming(10, 18).model, task);
    expect(seconds(samples)).toBeCloseTo(0.03 + 13 / 40 + 0.4, 3);
  });

  it('joins the parts of a phrase without a pause, by a cross-fade that keeps the level', async () => {
    const whole = await speakChunk(humming(10, 24).model, task);
    const speaker = new Speaker(humming(10, 24).model);
    const first = await speaker.speak({ ...task, end: 3 });
    const second = await speaker.speak({ ...task, begin: 3 });
    expect(first.tail).toHaveLength(480);
    expect(second.tail).toBeUndefined();
    expect(first.samples.length + second.samples.length).toBe(whole.samples.length);
    const joined = new Float32Array([...first.samples, ...second.samples]);
    for (const [index, value] of first.tail!.entries()) joined[first.samples.length + index]! += value;
    for (const [index, value] of joined.entries()) {
      if (Math.abs(value - whole.samples[index]!) > 1e-5) expect.fail(`sample ${index}`);
    }
    expect(first.times).toMatchObject([{ token: 0 }]);
    expect(second.times).toMatchObject([{ token: 2 }]);
    const offset = first.samples.length / 24_000;
    expect(first.times[0]!.end).toBeCloseTo(whole.times[0]!.end, 3);
    expect(second.times[0]!.end + offset).toBeCloseTo(whole.times[1]!.end, 3);
  });

  it('computes the prosody of a phrase once for all of its parts', async () => {
    const { model, seeds } = humming(10, 24);
    const speaker = new Speaker(model);
    await speaker.speak({ ...task, end: 3 });
    await speaker.speak({ ...task, begin: 3 });
    expect(seeds).toHaveLength(1);
    await speaker.speak({ ...task, begin: 3 });
    expect(seeds).toHaveLength(2);
  });

  it('begins and ends in silence, and pauses by the boundary and the speed', async () => {
    const { model } = humming(0, 44);
    const whole = await speakChunk(model, task);
    expect(whole.samples[0]).toBe(0);
    expect(Math.abs(whole.samples.at(-1)!)).toBe(0);
    const length = async (boundary: SpeechTask['boundary'], speed: number) =>
      seconds((await speakChunk(humming(10, 24).model, { ...task, boundary, speed })).samples) - 0.38;
    expect(await length('clause', 1)).toBeCloseTo(0.15, 3);
    expect(await length('sentence', 2)).toBeCloseTo(0.2, 3);
    expect(await length('word', 1)).toBeCloseTo(0.06, 3);
  });

  it('seeds the noise with the phonemes', async () => {
    const { model, seeds } = humming(10, 24);
    await speakChunk(model, task);
    await speakChunk(model, { ...task, speed: 2 });
    await speakChunk(model, { ...task, phonemes: [1, 2, 3, 4, 6] });
    expect(seeds[0]).toBe(seeds[1]);
    expect(seeds[0]).not.toBe(seeds[2]);
  });

  it('returns no samples for marks alone', async () => {
    const { samples, times } = await speakChunk(humming(10, 24).model, { ...task, owners: [-1, -1, -1, -1, -1] });
    expect(samples).toHaveLength(0);
    expect(times).toEqual([]);
  });
});

describe('partFrames', () => {
  it('is the whole phrase if little is left', () => {
    expect(partFrames(20, 0, 20)).toEqual({ frames: [...Array(20).keys()], start: 0, position: 0, length: 20 });
    expect(partFrames(30, 4, 20).frames).toEqual([...Array(30).keys()]);
  });

  it('adds windows of the rest, in order and each frame once', () => {
    const { frames, start, position, length } = partFrames(400, 100, 150);
    expect({ start, length }).toEqual({ start: 94, length: 62 });
    expect(frames.slice(position, position + length)).toEqual([...Array(62).keys()].map((index) => 94 + index));
    expect(frames).toEqual([...new Set(frames)].sort((a, b) => a - b));
    expect(frames).toHaveLength(62 + 50);
    // Both sides, to their ends.
    expect(frames[0]).toBe(0);
    expect(frames.at(-1)).toBe(399);
    expect(position).toBeGreaterThan(0);
  });

  it('generates all of a rest that the windows cover', () => {
    for (const count of [52, 56, 61, 66, 80, 110]) {
      const { frames } = partFrames(count, 0, 44);
      expect(frames).toHaveLength(Math.min(count, 100));
      expect(frames.every((frame) => frame >= 0 && frame < count)).toBe(true);
    }
  });
});
