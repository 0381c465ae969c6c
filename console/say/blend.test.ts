import { expect, it } from 'vitest';
import { parseVoice } from '../../src/say/voices/blend.ts';
import { blendText, shares } from './blend.ts';

it('a voice alone is its name', () => {
  expect(blendText([{ id: 'af_heart', weight: 1.7 }])).toBe('af_heart');
});

it('a blend is what the service reads', () => {
  const text = blendText([
    { id: 'af_heart', weight: 2 },
    { id: 'af_bella', weight: 0.1 + 0.2 },
    { id: 'bm_george', weight: 1.7000000000000002 },
  ]);
  expect(text).toBe('af_heart(2)+af_bella(0.3)+bm_george(1.7)');
  const read = parseVoice(text, new Set(['af_heart', 'af_bella', 'bm_george']));
  expect(read.map(({ name, weight }) => [name, Math.round(weight * 1000)])).toEqual([
    ['af_heart', 500],
    ['af_bella', 75],
    ['bm_george', 425],
  ]);
});

it('shares add up', () => {
  expect(
    shares([
      { id: 'a', weight: 2 },
      { id: 'b', weight: 1 },
    ]),
  ).toEqual([67, 33]);
});
