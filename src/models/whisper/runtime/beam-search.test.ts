import { describe, expect, it } from 'vitest';
import { ScriptedDecoder } from '../../../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { beamSearch } from './beam-search.ts';
import { logSumExp } from './distribution.ts';
import type { Hypothesis } from './hypothesis.ts';
import reference from './reference.golden.json' with { type: 'json' };

const VOCABULARY = 9;
const special = { endOfText: 8 };

/** Logits that depend on all tokens before, as scripts/whisper-decoding-goldens.py makes them. */
function toyLogits(seed: number, tokens: readonly number[]): number[] {
  let state = Math.imul(seed, 2654435761) >>> 0;
  for (const token of tokens) state = Math.imul((state + token + 1) % 2 ** 32, 2654435761) >>> 0;
  const noise = seededNoise(state);
  const logits = Array.from({ length: VOCABULARY }, () => 3 * noise());
  logits[special.endOfText]! += tokens.length > 0 ? 0.5 * tokens.length - 2 : -100;
  return logits;
}

const START = 7;

async function search(seed: number, beamSize: number, maxTokens: number) {
  const state = new ScriptedDecoder(
    ([, ...tokens]) => Object.fromEntries(toyLogits(seed, tokens).map((logit, token) => [token, Math.exp(logit)])),
    { vocabulary: VOCABULARY },
  );
  const first = await state.step([[START]]);
  const hypotheses = await beamSearch({ state, first, filter: { apply() {} }, special, maxTokens }, beamSize);
  return { hypotheses, state };
}

const byScore = (a: Hypothesis, b: Hypothesis) => b.sum / b.tokens.length - a.sum / a.tokens.length;

/** Every transcript there is, with its log probability. */
function exhaustive(seed: number, length: number): { tokens: number[]; sum: number }[] {
  const ended: { tokens: number[]; sum: number }[] = [];
  const visit = (tokens: number[], sum: number) => {
    if (tokens.length === length) {
      ended.push({ tokens, sum });
      return;
    }
    const logits = Float32Array.from(toyLogits(seed, tokens));
    const total = logSumExp(logits);
    for (let token = 0; token < VOCABULARY; token++) {
      const next = sum + logits[token]! - total;
      if (token === special.endOfText) ended.push({ tokens, sum: next });
      else visit([...tokens, token], next);
    }
  };
  visit([], 0);
  return ended;
}

describe('beamSearch', () => {
  it('agrees with the reference', async () => {
    for (const { seed, beamSize, length, tokens, sum, candidates } of reference.beamSearch) {
      const { hypotheses } = await search(seed, beamSize, length);
      expect(hypotheses).toHaveLength(candidates);
      const [best] = hypotheses.sort(byScore);
      expect(best!.tokens, `seed ${seed}`).toEqual(tokens);
      expect(best!.sum).toBeCloseTo(sum, 3);
    }
    expect(reference.beamSearch).toHaveLength(40);
  });

  it('finds the most probable transcript of all with a beam that is wide enough', async () => {
    for (const seed of [1, 2, 3]) {
      const all = exhaustive(seed, 3).sort((a, b) => b.sum - a.sum);
      const { hypotheses } = await search(seed, 8 ** 3 + 1, 3);
      const best = hypotheses.reduce((leader, other) => (other.sum > leader.sum ? other : leader));
      expect(best.tokens).toEqual(all[0]!.tokens);
      expect(best.sum).toBeCloseTo(all[0]!.sum, 4);
    }
  });

  it('finds more than greedy decoding does', async () => {
    // The better first token leads nowhere.
    const state = new ScriptedDecoder(([, ...tokens]): Record<number, number> => {
      if (tokens.length === 0) return { 1: 0.6, 2: 0.4 };
      if (tokens.length === 1) return tokens[0] === 1 ? { 3: 0.3, 4: 0.3, 5: 0.3 } : { 6: 0.9 };
      return { 8: 1 };
    });
    const first = await state.step([[START]]);
    const [best] = (await beamSearch({ state, first, filter: { apply() {} }, special, maxTokens: 5 }, 2)).sort(byScore);
    expect(best!.tokens).toEqual([2, 6]);
  });

  it('moves the streams along with their transcripts', async () => {
    const { hypotheses, state } = await search(4, 4, 7);
    const unfinished = hypotheses.filter(({ ended }) => !ended);
    for (const { tokens } of unfinished) expect(state.fed).toContainEqual([START, ...tokens.slice(0, -1)]);
    for (const { tokens, logprobs, attention, ended } of hypotheses) {
      expect(logprobs).toHaveLength(tokens.length);
      expect(attention).toHaveLength(tokens.length + (ended ? 1 : 0));
    }
    expect(Math.max(...state.widths)).toBe(4);
    // The cross-attention is not computed five times for what all have in common.
    expect(state.widths[0]).toBe(1);
  });

  it('takes a loop for the end, so that other transcripts have room', async () => {
    const state = new ScriptedDecoder(([, ...tokens]): Record<number, number> => {
      if (tokens.length === 0) return { 1: 0.8, 2: 0.2 };
      if (tokens[0] === 1) return tokens.at(-1) === 1 ? { 1: 1 } : { 8: 1 };
      return { [Math.min(2 + tokens.length, 8)]: 1 };
    });
    const first = await state.step([[START]]);
    const hypotheses = await beamSearch({ state, first, filter: { apply() {} }, special, maxTokens: 200 }, 3);
    expect(state.length).toBeLessThan(40);
    expect(hypotheses.some(({ repeated }) => repeated > 0)).toBe(true);
    expect(hypotheses.map(({ tokens }) => tokens)).toContainEqual([2, 3, 4, 5, 6, 7]);
  });
});
