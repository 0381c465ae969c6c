import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../test/fixtures/speech.ts';
import type { Segment } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { BackgroundVoices } from './background-voices.ts';

/** A text in a window, and the level of the speaker in dBFS; no level if only the background is heard. */
interface Part {
  from: number;
  to: number;
  level?: number;
  text: string;
  probability?: number;
}

/** Seconds of a window, and the sound behind it: steady noise, or voices whose level changes by 6 dB. In dBFS. */
interface Background {
  start?: number;
  end?: number;
  noise?: number;
  voices?: number;
}

const ratio = (decibels: number) => 10 ** (decibels / 20);

function heard(parts: readonly Part[], { start = 0, end = 20, noise = -90, voices = -90 }: Background) {
  const next = seededNoise(1);
  const levelAt = (second: number) => {
    const front = parts.find(({ from, to }) => second >= from && second < to && second % 1 >= 0.25)?.level ?? -90;
    return Math.max(front, noise, voices - 3 * (Math.floor(second * 10) % 3));
  };
  const samples = Float32Array.from({ length: (end - start) * SAMPLE_RATE }, (_, index) => {
    return ratio(levelAt(start + index / SAMPLE_RATE)) * Math.sqrt(3) * next();
  });
  const segments = parts.map(({ from, to, text, probability = 0.95 }): Segment => {
    const words = text
      .split(' ')
      .map((word, index) => ({ word, start: from + index, end: from + index + 1, probability }));
    return {
      ...{ seek: 0, start: from, end: to, text, words, tokens: [], temperature: 0 },
      ...{ avg_logprob: -0.2, compression_ratio: 1, no_speech_prob: 0 },
    };
  });
  return { segments, window: { samples, start: start * SAMPLE_RATE } };
}

function kept(parts: readonly Part[], background: Background, before: number[] = []) {
  const { segments, window } = heard(parts, background);
  return new BackgroundVoices(window).leaveOut(segments, before).segments.map(({ text }) => text);
}

const SPOKEN = { from: 1, to: 6, level: -20, text: 'the kettle was warm' };
const BEHIND = { from: 8, to: 12, text: 'a log cabin', probability: 0.5 };

describe('BackgroundVoices', () => {
  it('leaves out unclear text of voices that murmur 10 dB below the speech', () => {
    expect(kept([SPOKEN, BEHIND], { voices: -30 })).toEqual([SPOKEN.text]);
    const after = { ...SPOKEN, from: 14, to: 18, text: 'so it was' };
    expect(kept([BEHIND, after], { voices: -30 })).toEqual([after.text]);
  });

  it('keeps clear text, however quiet', () => {
    expect(kept([SPOKEN, { ...BEHIND, probability: 0.9 }], { voices: -30 })).toHaveLength(2);
  });

  it('keeps a quiet speaker in front of voices, in steady noise and in a quiet room', () => {
    expect(kept([SPOKEN, { ...BEHIND, level: -30 }], { voices: -36 })).toHaveLength(2);
    expect(kept([SPOKEN, { ...BEHIND, level: -30 }], { noise: -33 })).toHaveLength(2);
    expect(kept([SPOKEN, { ...BEHIND, level: -30 }], {})).toHaveLength(2);
  });

  it('keeps unclear text of a quiet speaker who goes on', () => {
    const clear = { ...BEHIND, level: -28.5, probability: 0.9, to: 10 };
    const unclear = { ...BEHIND, level: -29, from: 10, text: 'of ladled mutton' };
    expect(kept([SPOKEN, clear, unclear], { voices: -30 })).toHaveLength(3);
    expect(kept([SPOKEN, clear, { ...unclear, from: 10.3 }], { voices: -30 })).toHaveLength(2);
    expect(kept([SPOKEN, { ...clear, level: -20 }, unclear], { voices: -30 })).toHaveLength(2);
    expect(kept([SPOKEN, { ...clear, probability: 0.5 }, unclear], { voices: -30 })).toEqual([SPOKEN.text]);
  });

  it('keeps unclear text in steady noise, which is not of voices', () => {
    expect(kept([SPOKEN, BEHIND], { noise: -30 })).toHaveLength(2);
  });

  it('keeps text about as loud as the speech around it', () => {
    expect(kept([SPOKEN, BEHIND], { voices: -26 })).toHaveLength(2);
  });

  it('leaves out clear text that repeats dropped text', () => {
    const again = { ...BEHIND, from: 13, to: 16, probability: 0.9 };
    expect(kept([SPOKEN, BEHIND, again], { voices: -30 })).toEqual([SPOKEN.text]);
    const first = { ...again, from: 6.5, to: 7.5 };
    expect(kept([SPOKEN, first, BEHIND], { voices: -30 })).toEqual([SPOKEN.text, first.text]);
  });

  it('compares a window with the speech before it', () => {
    const alone = { voices: -30, start: 100, end: 105 };
    const behind = { ...BEHIND, from: 100, to: 104 };
    expect(kept([behind], alone)).toEqual([behind.text]);
    expect(kept([behind], alone, [-23])).toEqual([behind.text]);
    expect(kept([behind], alone, [-40, -20])).toEqual([]);
  });

  it('remembers the levels of the last segments that it keeps', () => {
    const { segments, window } = heard([SPOKEN, BEHIND], { voices: -30 });
    const { levels } = new BackgroundVoices(window).leaveOut(segments, [-1, -2, -3, -4, -5]);
    expect(levels).toEqual([-2, -3, -4, -5, expect.closeTo(-20, 0)]);
    expect(new BackgroundVoices(window).leaveOut([], [-7])).toEqual({ segments: [], levels: [-7] });
  });

  it('takes a segment at the end of a window, a short window and digital silence', () => {
    expect(kept([SPOKEN, { ...BEHIND, from: 20, to: 20 }], { voices: -30 })).toEqual([SPOKEN.text]);
    expect(kept([{ ...BEHIND, from: 0, to: 0.02 }], { voices: -30, end: 0.5 }, [-10])).toHaveLength(1);
    expect(kept([BEHIND], { noise: -Infinity, voices: -Infinity, end: 13 }, [-10])).toHaveLength(1);
  });
});
