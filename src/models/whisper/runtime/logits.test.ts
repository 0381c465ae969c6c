import { describe, expect, it } from 'vitest';
import { Logits } from './logits.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const ln = Math.log;

/** Probabilities 0.1, 0.3, 0.2 of text, 0.25 and 0.15 of what follows; text each for itself or summed up. */
const each = () => new Logits(Float32Array.of(ln(0.1), ln(0.3), ln(0.2), ln(0.25), ln(0.15)));
const summed = () =>
  new Logits(Float32Array.of(ln(0.25), ln(0.15)), { tokens: 3, best: 1, logit: ln(0.3), total: ln(0.6) });

describe.each([
  ['each', each],
  ['summed up', summed],
])('Logits of text tokens, %s', (_, make) => {
  it('know the most probable token', () => {
    expect(make().mostProbable()).toEqual({ token: 1, logprob: expect.closeTo(ln(0.3), 5) });
  });

  it('know the share of a token that follows the text', () => {
    expect(make().probability(4)).toBeCloseTo(0.15, 6);
    expect(make().of(3)).toBeCloseTo(ln(0.25), 6);
  });

  it('know sums and maxima of ranges', () => {
    expect(make().logSumExp()).toBeCloseTo(0, 6);
    expect(make().logSumExp(3)).toBeCloseTo(ln(0.4), 6);
    expect(make().logSumExp(0, 4)).toBeCloseTo(ln(0.85), 6);
    expect(make().maximum(0, 5)).toBeCloseTo(ln(0.3), 6);
    expect(make().maximum(3)).toBeCloseTo(ln(0.25), 6);
    expect(make().maximum(4, 4)).toBe(NEVER);
  });

  it('share out among the others what is forbidden', () => {
    const logits = make();
    logits.forbid(0, 3);
    expect(logits.mostProbable()).toEqual({ token: 3, logprob: expect.closeTo(ln(0.25 / 0.4), 5) });
    logits.forbidEach([3]);
    expect(logits.mostProbable()).toEqual({ token: 4, logprob: expect.closeTo(0, 5) });
    expect(logits.maximum(0, 4)).toBe(NEVER);
    logits.forbid(3);
    expect(logits.logSumExp()).toBe(NEVER);
  });

  it('may be drawn from and ranked where no text is possible', () => {
    const logits = make();
    logits.forbid(0, 3);
    expect(logits.topChoices(5)).toEqual([
      { token: 3, logprob: expect.closeTo(ln(0.625), 5) },
      { token: 4, logprob: expect.closeTo(ln(0.375), 5) },
    ]);
    expect(logits.draw(1, () => 0.9)).toEqual({ token: 4, logprob: expect.closeTo(ln(0.375), 5) });
  });
});

describe('Logits of text tokens', () => {
  it('are ranked and drawn from where each is known', () => {
    expect(
      each()
        .topChoices(2)
        .map(({ token }) => token),
    ).toEqual([1, 3]);
    expect(each().draw(1, () => 0.05).token).toBe(0);
  });

  it('cannot be told apart where they are summed up', () => {
    expect(() => summed().topChoices(2)).toThrow('summed up');
    expect(() => summed().draw(1, Math.random)).toThrow('summed up');
    expect(() => summed().forbid(0, 2)).toThrow(RangeError);
    expect(() => summed().maximum(1)).toThrow(RangeError);
    expect(() => summed().logSumExp(1, 4)).toThrow(RangeError);
  });

  it('are taken before others that are as probable, as the first of all', () => {
    const even = new Logits(Float32Array.of(0, 0), { tokens: 2, best: 1, logit: 0, total: ln(2) });
    expect(even.mostProbable()).toEqual({ token: 1, logprob: expect.closeTo(ln(0.25), 5) });
  });
});
