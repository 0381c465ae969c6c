import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { seededRandom } from '../../common/random.ts';
import { draw, logSumExp, topChoices } from './distribution.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const noisy = (seed: number, length: number) => {
  const noise = seededNoise(seed);
  return Float32Array.from({ length }, () => 8 * noise());
};

describe('logSumExp', () => {
  it('is the logarithm of the sum', () => {
    const logits = noisy(1, 500);
    expect(logSumExp(logits)).toBeCloseTo(Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0)), 5);
  });

  it('bears large logits, and those of nothing possible', () => {
    expect(logSumExp(Float32Array.of(900, 900))).toBeCloseTo(900 + Math.log(2), 3);
    expect(logSumExp(Float32Array.of(NEVER, NEVER))).toBe(NEVER);
    expect(logSumExp(Float32Array.of())).toBe(NEVER);
  });
});

describe('topChoices', () => {
  it('are the largest, best first', () => {
    const logits = noisy(5, 300);
    const sorted = [...logits.keys()].sort((a, b) => logits[b]! - logits[a]!);
    expect(topChoices(logits, 7).map(({ token }) => token)).toEqual(sorted.slice(0, 7));
    const total = topChoices(logits, 300).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
    expect(total).toBeCloseTo(1, 4);
  });

  it('leave the impossible out', () => {
    expect(topChoices(Float32Array.of(NEVER, 1, NEVER, 2), 3).map(({ token }) => token)).toEqual([3, 1]);
  });
});

describe('draw', () => {
  const logits = Float32Array.of(Math.log(0.6), NEVER, Math.log(0.3), Math.log(0.1));

  function counts(temperature: number): number[] {
    const random = seededRandom(3);
    const counts = [0, 0, 0, 0];
    for (let turn = 0; turn < 4000; turn++) counts[draw(logits, temperature, random).token]!++;
    return counts.map((count) => count / 4000);
  }

  it('draws as often as probable, and never the impossible', () => {
    const [first, never, third, last] = counts(1);
    expect(first).toBeCloseTo(0.6, 1);
    expect(never).toBe(0);
    expect(third).toBeCloseTo(0.3, 1);
    expect(last).toBeCloseTo(0.1, 1);
  });

  it('is bolder at high temperatures, but counts probabilities as they are', () => {
    // 0.6², 0.3² and 0.1² over their sum.
    expect(counts(0.5)[0]).toBeCloseTo(0.36 / 0.46, 1);
    const { token, logprob } = draw(logits, 0.2, () => 0.999999);
    expect(logprob).toBeCloseTo(logits[token]!, 6);
  });

  it('gives the same for the same seed', () => {
    const draws = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 30 }, () => draw(logits, 1, random).token);
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });
});
