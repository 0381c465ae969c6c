import { describe, expect, it } from 'vitest';
import { PcmReader, wavHeader } from './pcm.ts';

const base64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));

describe('PcmReader', () => {
  it('reads little-endian samples with their sign', () => {
    expect([...new PcmReader().push(base64(1, 0, 255, 255, 0, 128))]).toEqual([1, -1, -32768]);
  });

  it('joins a sample that was cut in two', () => {
    const reader = new PcmReader();
    const pieces = [[1], [0, 255], [255, 0], [], [128, 7]];
    expect(pieces.flatMap((piece) => [...reader.push(base64(...piece))])).toEqual([1, -1, -32768]);
  });
});

it('wavHeader states the sizes', () => {
  const header = new DataView(wavHeader(24_000).buffer);
  expect(header.byteLength).toBe(44);
  expect([header.getUint32(4, true), header.getUint32(24, true), header.getUint32(40, true)]).toEqual([
    48_036, 24_000, 48_000,
  ]);
});
