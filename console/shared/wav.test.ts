import { expect, it } from 'vitest';
import { wavHeader } from './wav.ts';

it('wavHeader has the right sizes', () => {
  const header = new DataView(wavHeader(24_000, 24_000));
  expect(header.byteLength).toBe(44);
  expect([header.getUint32(4, true), header.getUint32(24, true), header.getUint32(40, true)]).toEqual([
    48_036, 24_000, 48_000,
  ]);
});
