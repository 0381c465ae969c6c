import { describe, expect, it } from 'vitest';
import { fliteSpeaker } from './voices.ts';

describe('fliteSpeaker', () => {
  it.each([
    ['af_heart', 'slt'],
    ['am_adam', 'rms'],
    ['bf_emma', 'slt'],
    ['bm_george', 'awb'],
    ['jf_alpha', 'slt'],
    ['em_alex', 'rms'],
  ])('maps %s to %s', (name, speaker) => {
    expect(fliteSpeaker([{ name, weight: 1 }])).toBe(speaker);
  });

  it('chooses by the heaviest voice of a blend', () => {
    const blend = (a: number, b: number) =>
      fliteSpeaker([
        { name: 'af_heart', weight: a },
        { name: 'bm_lewis', weight: b },
      ]);
    expect([blend(0.4, 0.6), blend(0.6, 0.4), blend(0.5, 0.5), blend(-0.5, 1.5)]).toEqual(['awb', 'slt', 'slt', 'awb']);
  });
});
