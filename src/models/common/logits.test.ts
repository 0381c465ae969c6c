import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../test/fixtures/speech.ts';
import { draw, Logits, logSumExp, topChoices } from './logits.ts';
import { seededRandom } from './random.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const ln = Math.log;

/** Probabilities 0.1, 0.3, 0.2 of text, 0.25 and 0.15 of the other tokens. */
const each = () => new Logits(Float32Array.of(ln(0.1), ln(0.3), ln(0.2), ln(0.25), ln(0.15)));
const summarized = () =>
  new Logits(Float32Array.of(ln(0.25), ln(0.15)), { tokens: 3, best: 1, logit: ln(0.3), total: ln(0.6) });

describe.each([
  ['of all tokens', each],
  ['with summarized text', summarized],
])('Logits %s', (_, make) => {
  it('give the most probable token', () => {
    expect(make().mostProbable()).toEqual({ token: 1, logprob: expect.closeTo(ln(0.3), 5) });
  });

  it('give the probability of a token after the text', () => {
    expect(make().probability(4)).toBeCloseTo(0.15, 6);
    expect(make().of(3)).toBeCloseTo(ln(0.25), 6);
  });

  it('give sums and maxima of ranges', () => {
    expect(make().logSumExp()).toBeCloseTo(0, 6);
    expect(make().logSumExp(3)).toBeCloseTo(ln(0.4), 6);
    expect(make().logSumExp(0, 4)).toBeCloseTo(ln(0.85), 6);
    expect(make().maximum(0, 5)).toBeCloseTo(ln(0.3), 6);
    expect(make().maximum(3)).toBeCloseTo(ln(0.25), 6);
    expect(make().maximum(4, 4)).toBe(NEVER);
  });

  it('redistribute the probability of forbidden tokens', () => {
    const logits = make();
    logits.forbid(0, 3);
    expect(logits.mostProbable()).toEqual({ token: 3, logprob: expect.closeTo(ln(0.25 / 0.4), 5) });
    logits.forbidEach([3]);
    expect(logits.mostProbable()).toEqual({ token: 4, logprob: expect.closeTo(0, 5) });
    expect(logits.maximum(0, 4)).toBe(NEVER);
    logits.forbid(3);
    expect(logits.logSumExp()).toBe(NEVER);
  });

  it('can be sampled and ranked if all text is forbidden', () => {
    const logits = make();
    logits.forbid(0, 3);
    expect(logits.topChoices(5)).toEqual([
      { token: 3, logprob: expect.closeTo(ln(0.625), 5) },
      { token: 4, logprob: expect.closeTo(ln(0.375), 5) },
    ]);
    expect(logits.draw(1, () => 0.9)).toEqual({ token: 4, logprob: expect.closeTo(ln(0.375), 5) });
  });
});

describe('Logits', () => {
  it('rank and sample text that is not summarized', () => {
    expect(
      each()
        .topChoices(2)
        .map(({ token }) => token),
    ).toEqual([1, 3]);
    expect(each().draw(1, () => 0.05).token).toBe(0);
  });

  it('do not rank or sample summarized text', () => {
    expect(() => summarized().topChoices(2)).toThrow('Summarized');
    expect(() => summarized().draw(1, Math.random)).toThrow('Summarized');
    expect(() => summarized().forbid(0, 2)).toThrow(RangeError);
    expect(() => summarized().maximum(1)).toThrow(RangeError);
    expect(() => summarized().logSumExp(1, 4)).toThrow(RangeError);
  });

  it('rank text of a summary by its best tokens', () => {
    const candidates = {
      logits: Float32Array.of(ln(0.3), ln(0.2), NEVER),
      count: 2,
      token: (index: number) => index + 1,
    };
    const told = () =>
      new Logits(Float32Array.of(ln(0.25), NEVER), { tokens: 3, best: 1, logit: ln(0.3), total: ln(0.75), candidates });
    expect(told().topChoices(2)).toEqual([
      { token: 1, logprob: expect.closeTo(ln(0.3), 5) },
      { token: 3, logprob: expect.closeTo(ln(0.25), 5) },
    ]);
    expect(() => told().topChoices(3)).toThrow('has 2 tokens, not 3');
    expect(() => told().topChoices(2, [4])).toThrow('Summarized');
    const others = told();
    others.forbid(0, 3);
    expect(others.topChoices(9)).toEqual([{ token: 3, logprob: expect.closeTo(0, 5) }]);
  });

  it('prefer text among equally probable tokens, as the first of the vocabulary', () => {
    const even = new Logits(Float32Array.of(0, 0), { tokens: 2, best: 1, logit: 0, total: ln(2) });
    expect(even.mostProbable()).toEqual({ token: 1, logprob: expect.closeTo(ln(0.25), 5) });
  });
});

const noisy = (seed: number, length: number) => {
  const noise = seededNoise(seed);
  return Float32Array.from({ length }, () => 8 * noise());
};

describe('logSumExp', () => {
  it('matches its definition', () => {
    const logits = noisy(1, 500);
    expect(logSumExp(logits)).toBeCloseTo(Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0)), 5);
  });

  it('handles large logits and impossible tokens', () => {
    expect(logSumExp(Float32Array.of(900, 900))).toBeCloseTo(900 + Math.log(2), 3);
    expect(logSumExp(Float32Array.of(NEVER, NEVER))).toBe(NEVER);
    expect(logSumExp(Float32Array.of())).toBe(NEVER);
  });
});

describe('topChoices', () => {
  it('returns the largest, best first', () => {
    const logits = noisy(5, 300);
    const sorted = [...logits.keys()].sort((a, b) => logits[b]! - logits[a]!);
    expect(topChoices(logits, 7).map(({ token }) => token)).toEqual(sorted.slice(0, 7));
    const total = topChoices(logits, 300).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
    expect(total).toBeCloseTo(1, 4);
  });

  it('leaves out impossible tokens', () => {
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

  it('draws tokens by their probability, never impossible ones', () => {
    const [first, never, third, last] = counts(1);
    expect(first).toBeCloseTo(0.6, 1);
    expect(never).toBe(0);
    expect(third).toBeCloseTo(0.3, 1);
    expect(last).toBeCloseTo(0.1, 1);
  });

  it('sharpens at low temperatures, and reports probabilities at temperature 1', () => {
    // 0.6², 0.3² and 0.1² over their sum.
    expect(counts(0.5)[0]).toBeCloseTo(0.36 / 0.46, 1);
    const { token, logprob } = draw(logits, 0.2, () => 0.999999);
    expect(logprob).toBeCloseTo(logits[token]!, 6);
  });

  it('draws the same tokens for the same seed', () => {
    const draws = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 30 }, () => draw(logits, 1, random).token);
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });
});
