import { describe, expect, it } from 'vitest';
import type { SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import type { DecodingResult } from './model.ts';
import { groundedWords, type TimedWord, timeWords, withoutRepetition } from './timing.ts';
import type { TokenWord } from './tokenizer.ts';

const FRAME_SECONDS = 384 / SAMPLE_RATE;
/** Centre of the first encoder frame. */
const CENTRE = 447.5 / SAMPLE_RATE;

function windowOf(seconds: number, ...speech: [number, number][]): SpeechWindow {
  return {
    start: 0,
    end: seconds * SAMPLE_RATE,
    samples: new Float32Array(0),
    speech: speech.map(([start, end]) => ({ start: start * SAMPLE_RATE, end: end * SAMPLE_RATE })),
    probabilities: new Float32Array(0),
  };
}

/** Words of one token, each attending to a stretch of seconds. */
function said(seconds: number, ...stretches: [number, number][]): { words: TokenWord[]; decoded: DecodingResult } {
  const frames = Math.floor(seconds / FRAME_SECONDS);
  const attention = stretches.map(([from, to]) => {
    const row = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * FRAME_SECONDS;
      if (at >= from && at < to) row[frame] = 0.2;
    }
    return row;
  });
  return {
    words: stretches.map((_, index) => ({ text: `w${index}`, first: index, end: index + 1 })),
    decoded: { tokens: stretches.map(() => 5), logprobs: stretches.map(() => -0.1), attention, complete: true },
  };
}

describe('timeWords', () => {
  it('gives each word the time of its attention', () => {
    const { words, decoded } = said(3, [0, 1], [1, 2], [2, 3]);
    const timed = timeWords(words, decoded, windowOf(3, [0, 3]));
    expect(timed[1]!.from).toBeCloseTo(1 + CENTRE, 1);
    expect(timed[1]!.to).toBe(timed[2]!.from);
  });

  it('keeps words off the pauses that voice activity found', () => {
    const { words, decoded } = said(6, [0.5, 1.8], [1.8, 3.6], [3.6, 5.5]);
    const timed = timeWords(words, decoded, windowOf(6, [0.5, 2.8], [4, 5.5]));
    // The second word ends with its speech, the third starts with the next speech, the last ends with it.
    expect(timed[0]!.from).toBeGreaterThanOrEqual(0.46);
    expect(timed[1]!.to).toBeCloseTo(2.83, 2);
    expect(timed[2]!.from).toBeCloseTo(3.97, 2);
    expect(timed[2]!.to).toBeCloseTo(5.53, 2);
  });

  it('gives non-decreasing times, whatever the attention', () => {
    const { words, decoded } = said(6, [3, 6], [0, 1], [5, 6], [0, 6], [2, 3]);
    const timed = timeWords(words, decoded, windowOf(6, [0.5, 2], [2.5, 2.6], [4, 5.5]));
    let last = 0;
    for (const { from, to } of timed) {
      expect(from).toBeGreaterThanOrEqual(last);
      expect(to).toBeGreaterThanOrEqual(from);
      last = to;
    }
    expect(last).toBeLessThanOrEqual(6);
  });
});

describe('groundedWords', () => {
  it('grounds words on speech, not words after its end', () => {
    const { words, decoded } = said(10, [1, 2], [2, 3], [6, 6.1], [8, 8.1]);
    expect(groundedWords(words, decoded, windowOf(10, [1, 3]))).toEqual([true, true, false, false]);
  });

  it('does not ground words that attend to speech long past', () => {
    const { words, decoded } = said(10, [1, 1.1], [4, 4.1], [5, 5.1], [6, 6.1], [7, 7.1], [1, 1.1], [7.5, 7.6]);
    expect(groundedWords(words, decoded, windowOf(10, [1, 8]))).toEqual([true, true, true, true, true, false, true]);
  });

  it('grounds no words without speech', () => {
    const { words, decoded } = said(5, [1, 2]);
    expect(groundedWords(words, decoded, windowOf(5))).toEqual([false]);
  });
});

describe('withoutRepetition', () => {
  const at = (from: number, text: string, seconds: number): TimedWord[] => {
    const words = text.split(' ');
    return words.map((text, index) => ({
      text,
      first: index,
      end: index + 1,
      from: from + (seconds * index) / words.length,
      to: from + (seconds * (index + 1)) / words.length,
    }));
  };
  const texts = (words: readonly TimedWord[]) => words.map(({ text }) => text).join(' ');

  it('wrote the last sentence twice: "Closed Sunday. Closed Sunday."', () => {
    const said = at(0, 'Boxed. Closed Sunday.', 1);
    expect(texts(withoutRepetition([...said, ...at(1, 'Closed Sunday.', 0.06)]))).toBe('Boxed. Closed Sunday.');
    const thrice = [...at(1, 'closed Sunday', 0.06), ...at(1.06, 'Closed Sunday', 0.06)];
    expect(texts(withoutRepetition([...said, ...thrice]))).toBe('Boxed. Closed Sunday.');
  });

  it('keeps what speakers repeat, and a word that takes a moment', () => {
    const said = [...at(0, 'we had a', 0.5), ...at(0.5, 'we had a', 0.29), ...at(0.8, 'no', 0.2), ...at(1, 'no', 0.02)];
    expect(withoutRepetition(said)).toEqual(said);
  });
});
