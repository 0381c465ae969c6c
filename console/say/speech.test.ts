import { describe, expect, it } from 'vitest';
import { Speech } from './speech.ts';

const request = { input: 'one two', voice: 'af_heart', speed: 1, volume: 1, format: 'mp3', stream: true };
const ramp = (from: number, length: number) => Int16Array.from({ length }, (_, i) => from + i);

describe('Speech', () => {
  it('reads across chunks', () => {
    const speech = new Speech(request);
    for (const [from, length] of [
      [0, 10],
      [10, 1],
      [11, 0],
      [11, 89],
    ] as const)
      speech.append(ramp(from, length), []);
    expect(speech.duration).toBe(100 / 24_000);
    for (const [from, count] of [
      [0, 100],
      [5, 10],
      [10, 1],
      [99, 1],
      [95, 50],
      [100, 5],
      [200, 5],
    ] as const) {
      const read = [...speech.read(from / 24_000, count / 24_000)].map((value) => value * 32_768);
      expect(read).toEqual([...ramp(from, Math.max(0, Math.min(count, 100 - from)))]);
    }
  });

  it('estimates its duration from the text until complete', () => {
    const speech = new Speech({ ...request, input: 'x'.repeat(1000), speed: 2 });
    expect(speech.expectedDuration).toBeCloseTo(32.5);
    speech.append(ramp(0, 24_000), [{ word: 'x', start_time: 0, end_time: 1 }]);
    expect(speech.expectedDuration).toBeCloseTo(32.5);
    speech.complete = true;
    expect(speech.expectedDuration).toBe(1);
    expect(speech.words).toEqual([{ start: 0, end: 1, from: 0, to: 1 }]);
  });

  it('makes files', async () => {
    const speech = new Speech(request);
    speech.append(ramp(1, 3), []);
    expect([...new Uint8Array(await speech.file('pcm').arrayBuffer())]).toEqual([1, 0, 2, 0, 3, 0]);
    expect(speech.file('wav').size).toBe(50);
  });
});
