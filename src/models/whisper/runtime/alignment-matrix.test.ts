import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { POSITION_SECONDS } from '../configuration.ts';
import { alignmentMatrix } from './alignment-matrix.ts';

const POSITIONS = 120;

/** Attention `[heads, positions]` to a stretch of seconds, with some noise. */
function looking(from: number, to: number, { heads = 2, seed = 1 } = {}): Float32Array {
  const noise = seededNoise(seed);
  const row = Float32Array.from({ length: heads * POSITIONS }, (_, index) => {
    const seconds = (index % POSITIONS) * POSITION_SECONDS;
    return (seconds >= from && seconds < to ? 1 : 0.02) * (1.1 + 0.1 * noise());
  });
  return row;
}

describe('alignmentMatrix', () => {
  it('is high for a frame that only one token attends to', () => {
    // Both attend to the beginning most, as tokens do; only the second attends to 1 s too.
    const beginning = looking(0, 0.4);
    const other = looking(0, 0.4).map((value, index) => value + looking(1, 1.4)[index]!);
    const [first, second] = alignmentMatrix([beginning, other], 2, 100);
    expect(second![60]!).toBeGreaterThan(0.9);
    expect(first![60]!).toBeLessThan(-0.9);
  });

  it('is finite even if all tokens attend to the same frames', () => {
    const row = new Float32Array(2 * POSITIONS).fill(1 / POSITIONS);
    for (const values of alignmentMatrix([row, row, row], 2, 50)) expect([...values].every((v) => v === 0)).toBe(true);
    for (const frames of [1, 2, 3, 4, 7]) {
      for (const values of alignmentMatrix([looking(0, 1), looking(1, 2)], 2, frames)) {
        expect(values).toHaveLength(frames);
        expect([...values].every(Number.isFinite)).toBe(true);
      }
    }
  });

  it.each([40, 41])('filters %d frames with a median of seven, mirrored at the edges', (frames) => {
    const noise = seededNoise(8);
    const rows = [0, 1, 2].map(() => Float32Array.from({ length: frames }, () => 1 + noise()));
    const standardized = (frame: number, token: number) => {
      const shares = rows.map((row) => row[frame]! / row.reduce((sum, value) => sum + value));
      const mean = shares.reduce((sum, value) => sum + value) / 3;
      return (shares[token]! - mean) / Math.sqrt(shares.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);
    };
    const matrix = alignmentMatrix(rows, 1, frames);
    for (const frame of [0, 1, 2, 3, 20, frames - 4, frames - 3, frames - 1]) {
      const mirrored = [-3, -2, -1, 0, 1, 2, 3].map((step) => {
        const at = Math.abs(frame + step);
        return standardized(at >= frames ? 2 * (frames - 1) - at : at, 1);
      });
      expect(matrix[1]![frame]).toBeCloseTo(mirrored.sort((a, b) => a - b)[3]!, 4);
    }
  });
});
