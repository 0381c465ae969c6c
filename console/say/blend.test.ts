import { expect, it } from 'vitest';
import { officialVoices, parseVoice, VoiceNames } from '../../src/say/voices/voices.ts';
import { blendText, shares } from './blend.ts';

it('blendText names a single voice', () => {
  expect(blendText([{ id: 'af_heart', weight: 1.7 }])).toBe('af_heart');
});

it('blendText writes blends that the service parses', () => {
  const text = blendText([
    { id: 'af_heart', weight: 2 },
    { id: 'af_bella', weight: 0.1 + 0.2 },
    { id: 'bm_george', weight: 1.7000000000000002 },
  ]);
  expect(text).toBe('af_heart(2)+af_bella(0.3)+bm_george(1.7)');
  const parsed = parseVoice(text, new VoiceNames(officialVoices));
  expect(parsed.map(({ name, weight }) => [name, Math.round(weight * 1000)])).toEqual([
    ['af_heart', 500],
    ['af_bella', 75],
    ['bm_george', 425],
  ]);
});

it('shares are percentages', () => {
  expect(
    shares([
      { id: 'a', weight: 2 },
      { id: 'b', weight: 1 },
    ]),
  ).toEqual([67, 33]);
});
