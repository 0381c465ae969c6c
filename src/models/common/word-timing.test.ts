import { describe, expect, it } from 'vitest';
import type { SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { lengthenInstants, snapToSpeech, tokenStarts } from './word-timing.ts';

/** Tokens that each attend to a stretch of frames. */
function attending(frames: number, ...stretches: [from: number, to: number][]): Float32Array[] {
  return stretches.map(([from, to]) => new Float32Array(frames).fill(0.2, from, to));
}

describe('tokenStarts', () => {
  it('follows the attention', () => {
    // The path may give one frame to two tokens.
    expect(tokenStarts(attending(200, [0, 50], [50, 100], [100, 200]))).toEqual([0, 49, 99]);
  });

  it('never goes back, even if the attention does', () => {
    const starts = tokenStarts(attending(200, [100, 200], [0, 50], [125, 200]));
    expect([...starts].sort((a, b) => a - b)).toEqual(starts);
  });

  it('gives every token a frame, even with more tokens than frames', () => {
    const starts = tokenStarts(attending(3, [0, 1], [0, 1], [1, 2], [1, 2], [2, 3]));
    expect(starts[0]).toBe(0);
    expect(starts).toHaveLength(5);
    expect(Math.max(...starts)).toBeLessThan(3);
  });

  it('accepts an empty transcript', () => {
    expect(tokenStarts([])).toEqual([]);
  });
});

function move(from: number, to: number, ...speech: [number, number][]): [number, number] {
  return moveWithLead(0, from, to, ...speech);
}

function moveWithLead(lead: number, from: number, to: number, ...speech: [number, number][]): [number, number] {
  const window: SpeechWindow = {
    start: 0,
    end: 10 * SAMPLE_RATE,
    samples: new Float32Array(0),
    speech: speech.map(([start, end]) => ({ start: start * SAMPLE_RATE, end: end * SAMPLE_RATE })),
    probabilities: new Float32Array(0),
  };
  const word = { start: from * SAMPLE_RATE, end: to * SAMPLE_RATE };
  const { start, end } = snapToSpeech(word, window, lead * SAMPLE_RATE);
  return [start / SAMPLE_RATE, end / SAMPLE_RATE];
}

describe('snapToSpeech', () => {
  it('leaves a word within speech alone', () => {
    expect(move(1, 2, [0.5, 3])).toEqual([1, 2]);
  });

  it('keeps the longer side of a word that spans a pause', () => {
    expect(move(1, 4.2, [0.5, 2], [4, 6])).toEqual([1, 2.03]);
    expect(move(1.9, 5, [0.5, 2], [4, 6])).toEqual([3.97, 5]);
  });

  it('keeps the side after the pause if attention leads and the side before is not much longer', () => {
    expect(moveWithLead(0.5, 1.6, 4.1, [0.5, 2], [4, 6])).toEqual([3.97, 4.1]);
    expect(moveWithLead(0.5, 1.4, 4.05, [0.5, 2], [4, 6])).toEqual([1.4, 2.03]);
  });

  it('keeps the side after the pause if attention leads and lies mostly in the pause', () => {
    expect(moveWithLead(0.5, 1.9, 2.2, [0.5, 2], [4, 6])).toEqual([3.97, 3.97]);
    expect(moveWithLead(0.5, 1.7, 2.2, [0.5, 2], [4, 6])).toEqual([1.7, 2.03]);
    expect(move(1.9, 2.2, [0.5, 2], [4, 6])).toEqual([1.9, 2.03]);
    expect(moveWithLead(0.5, 5.9, 6.5, [0.5, 2], [4, 6])).toEqual([5.9, 6.03]);
  });

  it('moves a word that lies in a pause to the nearer edge', () => {
    expect(move(2.2, 2.6, [0.5, 2], [4, 6])).toEqual([2, 2]);
    expect(move(3.2, 3.6, [0.5, 2], [4, 6])).toEqual([4, 4]);
    expect(moveWithLead(0.5, 2.2, 3.6, [0.5, 2], [4, 6])).toEqual([4, 4]);
    expect(moveWithLead(0.5, 2.2, 2.6, [0.5, 2], [4, 6])).toEqual([2, 2]);
  });

  it('moves a word after all speech to its end', () => {
    expect(move(9.5, 9.9, [0.5, 2], [4, 6])).toEqual([6, 6]);
  });

  it('moves words before all speech near its start, in order and with some time', () => {
    const words = [move(0, 0.25, [0.5, 2]), move(0.25, 0.5, [0.5, 2])].flat();
    expect(words).toEqual([0.3, 0.4, 0.4, 0.5].map((time) => expect.closeTo(time, 5)));
    expect(move(0.4, 0.5, [0.5, 2])[0]).toBeCloseTo(0.46, 5);
    expect(move(0, 1.5, [0.5, 2])).toEqual([0.47, 1.5]);
  });

  it('lets a word span the closure of a plosive', () => {
    expect(move(1, 3, [0.5, 2], [2.15, 4])).toEqual([1, 3]);
  });
});

describe('lengthenInstants', () => {
  const lengthen = (...words: [start: number, end: number][]) =>
    lengthenInstants(
      words.map(([start, end]) => ({ start: start * SAMPLE_RATE, end: end * SAMPLE_RATE })),
      5 * SAMPLE_RATE,
    ).map(({ start, end }) => [start / SAMPLE_RATE, end / SAMPLE_RATE].map((time) => Math.round(time * 1000) / 1000));

  it('takes the time from the next word', () => {
    expect(lengthen([1, 1], [1, 1.5])).toEqual([
      [1, 1.03],
      [1.03, 1.5],
    ]);
  });

  it('shares the time of one word evenly among many', () => {
    const many = Array.from({ length: 12 }, (): [number, number] => [2, 2]);
    for (const words of [lengthen([1, 2], ...many, [3, 4]), lengthen(...many, [2, 3])]) {
      const lengths = words.map(([start, end]) => end! - start!).sort((a, b) => a - b);
      for (const length of lengths.slice(0, many.length)) expect(length).toBeCloseTo(0.03, 2);
    }
    expect(lengthen([2, 2], [2, 2], [2, 2.06], [2.06, 2.06], [2.08, 3])).toEqual([
      [2, 2.018],
      [2.018, 2.035],
      [2.035, 2.053],
      [2.053, 2.07],
      [2.08, 3],
    ]);
  });

  it('takes it from the word before if a pause follows', () => {
    expect(lengthen([0.5, 1], [1, 1], [2, 2.5])).toEqual([
      [0.5, 0.97],
      [0.97, 1],
      [2, 2.5],
    ]);
    expect(lengthen([0.5, 1], [1, 1])).toEqual([
      [0.5, 0.97],
      [0.97, 1],
    ]);
  });

  it('takes it from further away if the word beside has too little', () => {
    // Attention rests at one moment, and at the next frame again.
    const many = lengthen([1, 2], [2, 2], [2, 2], [2, 2.024], [2.024, 2.024], [2.024, 2.024], [3, 4]);
    expect(many).toEqual([
      [1, 1.874],
      [1.874, 1.904],
      [1.904, 1.934],
      [1.934, 1.964],
      [1.964, 1.994],
      [1.994, 2.024],
      [3, 4],
    ]);
  });

  it('takes more of the pause after a word, half of it at most', () => {
    expect(lengthen([1, 2], [3, 3], [4, 4.001], [4.2, 4.5], [4.9, 4.9])).toEqual([
      [1, 2],
      [3, 3.2],
      [4, 4.101],
      [4.2, 4.5],
      [4.9, 5],
    ]);
  });

  it('leaves words with time alone', () => {
    expect(lengthen([1, 1.01], [1.01, 2])).toEqual([
      [1, 1.01],
      [1.01, 2],
    ]);
  });
});
