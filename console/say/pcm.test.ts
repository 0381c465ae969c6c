import { describe, expect, it } from 'vitest';
import { PcmReader } from './pcm.ts';

const base64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));

describe('PcmReader', () => {
  it('reads signed little-endian samples', () => {
    expect([...new PcmReader().push(base64(1, 0, 255, 255, 0, 128))]).toEqual([1, -1, -32768]);
  });

  it('joins a sample split over two chunks', () => {
    const reader = new PcmReader();
    const chunks = [[1], [0, 255], [255, 0], [], [128, 7]];
    expect(chunks.flatMap((chunk) => [...reader.push(base64(...chunk))])).toEqual([1, -1, -32768]);
  });
});
