import { describe, expect, it } from 'vitest';
import { AudioInput } from './audio-input.ts';

const pcm = { type: 'audio/pcm', rate: 24_000 } as const;

function tone(rate: number, seconds: number): Buffer {
  const bytes = Buffer.alloc(2 * rate * seconds);
  for (let index = 0; index < bytes.length / 2; index++) {
    bytes.writeInt16LE(Math.round(16_384 * Math.sin((2 * Math.PI * 440 * index) / rate)), 2 * index);
  }
  return bytes;
}

describe('AudioInput', () => {
  it('gives whole frames, and the rest when it is asked for', () => {
    const input = new AudioInput(pcm);
    const frames = [...input.frames(tone(24_000, 1))];
    const samples = frames.flatMap((each) => [...each]);
    expect(samples.length).toBe(31 * 512);
    expect(Math.max(...samples)).toBeCloseTo(0.5, 1);
    // The last frames begin in what the resampler held back.
    const { samples: rest, padding } = input.flush()!;
    expect([rest.length, padding]).toEqual([512, 32 * 512 - 16_000]);
    expect(Math.max(...rest)).toBeCloseTo(0.5, 1);
    expect(input.flush()).toBeUndefined();
    expect([...input.frames(Buffer.alloc(2))]).toEqual([]);
  });

  it('converts a long event in slices', () => {
    const frames = [...new AudioInput(pcm).frames(Buffer.alloc(2 * 24_000 * 10))];
    expect(frames.length).toBe(20);
    for (const each of frames) expect(each.length).toBeLessThanOrEqual(17 * 512);
  });

  it('decodes telephone audio', () => {
    const input = new AudioInput({ type: 'audio/pcmu' });
    // 0xff is silence, 0x80 full scale.
    const [frames] = [...input.frames(Buffer.alloc(4000, 0x80))];
    expect(frames!.length).toBe(15 * 512);
    expect(frames!.at(-1)).toBeCloseTo(0.98, 2);
  });

  it.each([
    ['not base64', '?!?!'],
    ['base64 of a wrong length', 'AAAAA'],
    ['base64 with text after it', 'AAAAAAAA later'],
    ['half a sample', 'AA=='],
    ['more than 15 MiB', 'A'.repeat(15 * 1024 * 1024 + 4)],
  ])('rejects %s', (_what, audio) => {
    expect(() => new AudioInput(pcm).decodeBase64(audio)).toThrow(expect.objectContaining({ param: 'audio' }));
  });

  it('takes base64 with and without padding, and nothing at all', () => {
    const input = new AudioInput(pcm);
    expect(input.decodeBase64('AAAAAA==').length).toBe(4);
    expect(input.decodeBase64('AAAAAA').length).toBe(4);
    expect(input.decodeBase64('AAA=').length).toBe(2);
    expect(input.decodeBase64('').length).toBe(0);
  });
});
