import { describe, expect, it } from 'vitest';
import { box, chunkOffsets, sampleSizes, table, timedBox } from './mp4-boxes.ts';

const hex = (bytes: Buffer) => bytes.toString('hex');

describe('boxes of MP4', () => {
  it('state their size and type', () => {
    expect(hex(box('free', Buffer.from([1, 2])))).toBe('0000000a667265650102');
  });

  it('count the entries of a table', () => {
    expect(hex(table('stts', [[2, 1024]]))).toBe('000000187374747300000000000000010000000200000400');
    expect(hex(sampleSizes([7, 300]))).toBe('0000001c7374737a000000000000000000000002000000070000012c');
  });

  it('have offsets of 64 bits beyond 4 GB only', () => {
    expect(hex(chunkOffsets([40, 0xffffffff]))).toBe('000000187374636f000000000000000200000028ffffffff');
    expect(hex(chunkOffsets([40, 0x100000000]))).toBe(
      '00000020636f363400000000000000020000000000000028000000010000000' + '0',
    );
  });

  it('have as many offsets as hundreds of hours need', () => {
    const offsets = Array.from({ length: 1_000_000 }, (_, index) => 8000 * index);
    expect(chunkOffsets(offsets).readBigUInt64BE(16 + 8 * 999_999)).toBe(7_999_992_000n);
  });

  it('have times of 64 bits beyond 49 hours only', () => {
    const times = (longest: number) => timedBox('test', 0, longest, (time) => [time(longest)]);
    expect(hex(times(0xffffffff))).toBe('000000107465737400000000ffffffff');
    expect(hex(times(0x100000000))).toBe('0000001474657374010000000000000100000000');
  });
});
