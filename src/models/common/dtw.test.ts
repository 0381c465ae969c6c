import { describe, expect, it } from 'vitest';
import { tokenStarts } from './dtw.ts';

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
