import { describe, expect, it } from 'vitest';
import { at, type Script, ScriptedDecoder, sampled, saying, special } from '../../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../../test/fixtures/speech.ts';
import reference from '../whisper/runtime/reference.golden.json' with { type: 'json' };
import { KeywordBias } from './keyword-bias.ts';
import { logSumExp } from './logits.ts';
import { seededRandom } from './random.ts';
import { beamSearch, bestHypothesis, type Hypothesis, sample } from './search.ts';

/** No token is forbidden, and those below the end token are text. */
function rules(endToken: number) {
  return { filter: { apply() {} }, endToken, isText: (token: number) => token < endToken };
}

async function run(script: Script, { temperature = 0, streams = 1, seed = 1, maxTokens = 224 } = {}) {
  const state = new ScriptedDecoder(script);
  const first = await state.step([[special.startOfTranscript]]);
  const hypotheses = await sample(
    { state, first, ...rules(special.endOfText), maxTokens },
    { temperature, streams, random: seededRandom(seed) },
  );
  return { hypotheses, state };
}

describe('sample', () => {
  it('picks the most probable token at temperature 0 until the end', async () => {
    const { hypotheses } = await run((fed) => {
      const next = [at(0), 4, 5, at(1)][sampled(fed).length] ?? special.endOfText;
      return { [next]: 0.7, 9: 0.3 };
    });
    expect(hypotheses).toHaveLength(1);
    expect(hypotheses[0]).toMatchObject({ tokens: [at(0), 4, 5, at(1)], ended: true, repeated: 0 });
    for (const logprob of hypotheses[0]!.logprobs) expect(logprob).toBeCloseTo(Math.log(0.7), 4);
    // The end-of-text token counts too.
    expect(hypotheses[0]!.sum).toBeCloseTo(5 * Math.log(0.7), 4);
    expect(hypotheses[0]!.attention).toHaveLength(5);
  });

  it('keeps the attention of the step that chose each token', async () => {
    const state = new ScriptedDecoder(saying([at(0), 4, 5]), { attend: (fed) => Float32Array.of(fed.at(-1)!) });
    const first = await state.step([[special.startOfTranscript]]);
    const [hypothesis] = await sample(
      { state, first, ...rules(special.endOfText), maxTokens: 9 },
      { temperature: 0, streams: 1, random: Math.random },
    );
    expect(hypothesis!.attention.map(([token]) => token)).toEqual([special.startOfTranscript, at(0), 4, 5]);
  });

  it('stops at maxTokens', async () => {
    const { hypotheses, state } = await run((fed) => ({ [(7 * fed.length) % 19]: 0.9 }), { maxTokens: 6 });
    expect(hypotheses[0]).toMatchObject({ ended: false });
    expect(hypotheses[0]!.tokens).toHaveLength(6);
    // The last token is not fed.
    expect(state.length).toBe(6);
  });

  it('stops in a loop and reports its length', async () => {
    const { hypotheses } = await run((fed) => ({ [[3, 4, 5, 6][fed.length % 4]!]: 0.9 }));
    const { tokens, repeated } = hypotheses[0]!;
    expect(tokens.length).toBeLessThan(30);
    expect(tokens.length - repeated).toBe(4);
  });

  it('detects a loop with timestamps in it', async () => {
    const { hypotheses } = await run((fed) => {
      const step = sampled(fed).length;
      return { [step % 5 < 3 ? 3 + (step % 5) : at(Math.floor(step / 5) + (step % 5) / 10)]: 0.9 };
    });
    const { tokens, repeated } = hypotheses[0]!;
    expect(repeated).toBeGreaterThan(0);
    expect(tokens.slice(0, tokens.length - repeated).filter((token) => token < special.endOfText)).toEqual([3, 4, 5]);
  });

  it('samples several transcripts side by side and drops finished ones', async () => {
    const script: Script = (fed) => {
      const text = sampled(fed);
      if (text.length === 0) return { 1: 0.2, 2: 0.2, 3: 0.2, 4: 0.2, 5: 0.2 };
      return text.length < text[0]! ? { [5 + text.length]: 1 } : { [special.endOfText]: 1 };
    };
    const { hypotheses, state } = await run(script, { temperature: 1, streams: 5, seed: 6 });
    expect(hypotheses).toHaveLength(5);
    expect(new Set(hypotheses.map(({ tokens }) => tokens[0])).size).toBeGreaterThan(1);
    // Each continues its own beginning.
    for (const { tokens, ended } of hypotheses) {
      expect(ended).toBe(true);
      expect(tokens).toEqual([tokens[0], 6, 7, 8, 9].slice(0, tokens[0]));
    }
    expect(state.widths[1]).toBe(5);
    expect(state.widths.at(-1)).toBeLessThan(5);
  });

  it('samples the same for the same seed only', async () => {
    const script: Script = (fed) =>
      sampled(fed).length < 12 ? { 1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2 } : { [special.endOfText]: 1 };
    const texts = async (seed: number) =>
      (await run(script, { temperature: 0.8, streams: 5, seed })).hypotheses.map(({ tokens }) => tokens);
    expect(await texts(4)).toEqual(await texts(4));
    expect(await texts(4)).not.toEqual(await texts(5));
  });
});

const VOCABULARY = 9;
const toySpecial = { endOfText: 8 };

/** Logits that depend on all previous tokens, as in scripts/whisper-decoding-goldens.py. */
function toyLogits(seed: number, tokens: readonly number[]): number[] {
  let state = Math.imul(seed, 2654435761) >>> 0;
  for (const token of tokens) state = Math.imul((state + token + 1) % 2 ** 32, 2654435761) >>> 0;
  const noise = seededNoise(state);
  const logits = Array.from({ length: VOCABULARY }, () => 3 * noise());
  logits[toySpecial.endOfText]! += tokens.length > 0 ? 0.5 * tokens.length - 2 : -100;
  return logits;
}

const START = 7;

async function search(seed: number, beamSize: number, maxTokens: number) {
  const state = new ScriptedDecoder(
    ([, ...tokens]) => Object.fromEntries(toyLogits(seed, tokens).map((logit, token) => [token, Math.exp(logit)])),
    { vocabulary: VOCABULARY },
  );
  const first = await state.step([[START]]);
  const hypotheses = await beamSearch({ state, first, ...rules(toySpecial.endOfText), maxTokens }, beamSize);
  return { hypotheses, state };
}

const byScore = (a: Hypothesis, b: Hypothesis) => b.sum / b.tokens.length - a.sum / a.tokens.length;

/** All possible transcripts, with their log probabilities. */
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
      if (token === toySpecial.endOfText) ended.push({ tokens, sum: next });
      else visit([...tokens, token], next);
    }
  };
  visit([], 0);
  return ended;
}

describe('beamSearch', () => {
  it('matches the reference', async () => {
    for (const { seed, beamSize, length, tokens, sum, candidates } of reference.beamSearch) {
      const { hypotheses } = await search(seed, beamSize, length);
      expect(hypotheses).toHaveLength(candidates);
      const [best] = hypotheses.sort(byScore);
      expect(best!.tokens, `seed ${seed}`).toEqual(tokens);
      expect(best!.sum).toBeCloseTo(sum, 3);
    }
    expect(reference.beamSearch).toHaveLength(40);
  });

  it('finds the most probable of all transcripts with a wide beam', async () => {
    for (const seed of [1, 2, 3]) {
      const all = exhaustive(seed, 3).sort((a, b) => b.sum - a.sum);
      const { hypotheses } = await search(seed, 8 ** 3 + 1, 3);
      const best = hypotheses.reduce((leader, other) => (other.sum > leader.sum ? other : leader));
      expect(best.tokens).toEqual(all[0]!.tokens);
      expect(best.sum).toBeCloseTo(all[0]!.sum, 4);
    }
  });

  it('finds a more probable transcript than greedy decoding', async () => {
    // The better first token has no probable continuation.
    const state = new ScriptedDecoder(([, ...tokens]): Record<number, number> => {
      if (tokens.length === 0) return { 1: 0.6, 2: 0.4 };
      if (tokens.length === 1) return tokens[0] === 1 ? { 3: 0.3, 4: 0.3, 5: 0.3 } : { 6: 0.9 };
      return { 8: 1 };
    });
    const first = await state.step([[START]]);
    const [best] = (await beamSearch({ state, first, ...rules(toySpecial.endOfText), maxTokens: 5 }, 2)).sort(byScore);
    expect(best!.tokens).toEqual([2, 6]);
  });

  it('reorders the streams with their transcripts', async () => {
    const { hypotheses, state } = await search(4, 4, 7);
    const unfinished = hypotheses.filter(({ ended }) => !ended);
    for (const { tokens } of unfinished) expect(state.fed).toContainEqual([START, ...tokens.slice(0, -1)]);
    for (const { tokens, logprobs, attention, ended } of hypotheses) {
      expect(logprobs).toHaveLength(tokens.length);
      expect(attention).toHaveLength(tokens.length + (ended ? 1 : 0));
    }
    expect(Math.max(...state.widths)).toBe(4);
    // The common start is computed once.
    expect(state.widths[0]).toBe(1);
  });

  describe('with keywords', () => {
    // 1 2 3 is what the model hears; 4 5 6 is a keyword that sounds alike.
    const script: Script = ([, ...tokens]): Record<number, number> =>
      [
        { 1: 0.8, 4: 0.2 },
        tokens[0] === 4 ? { 5: 0.5, 7: 0.5 } : { 2: 0.9, 7: 0.1 },
        tokens[0] === 4 ? { 6: 0.5, 7: 0.5 } : { 3: 0.9, 7: 0.1 },
      ][tokens.length] ?? { 8: 1 };

    async function best(keywords: number[][]) {
      const state = new ScriptedDecoder(script, { vocabulary: VOCABULARY });
      const first = await state.step([[START]]);
      const bias = new KeywordBias(keywords, () => false);
      const search = { state, first, ...rules(toySpecial.endOfText), maxTokens: 9, keywords: bias };
      return bestHypothesis(await beamSearch(search, 2), bias);
    }

    it('prefers a transcript that holds one', async () => {
      expect((await best([[4, 5, 6]])).tokens).toEqual([4, 5, 6]);
    });

    it('takes the log probabilities from the model alone', async () => {
      const { sum } = await best([[4, 5, 6]]);
      expect(sum).toBeCloseTo(Math.log(0.2 * 0.5 * 0.5), 4);
    });

    it.each([
      ['has another beginning', [[3, 5, 6]]],
      ['is spelled to its end only in part', [[4, 5, 6, 7, 1]]],
    ])('keeps the recognized text if the keyword %s', async (_, keywords) => {
      expect((await best(keywords)).tokens).toEqual([1, 2, 3]);
    });
  });

  it('finishes a beam that loops, so that others remain', async () => {
    const state = new ScriptedDecoder(([, ...tokens]): Record<number, number> => {
      if (tokens.length === 0) return { 1: 0.8, 2: 0.2 };
      if (tokens[0] === 1) return tokens.at(-1) === 1 ? { 1: 1 } : { 8: 1 };
      return { [Math.min(2 + tokens.length, 8)]: 1 };
    });
    const first = await state.step([[START]]);
    const hypotheses = await beamSearch({ state, first, ...rules(toySpecial.endOfText), maxTokens: 200 }, 3);
    expect(state.length).toBeLessThan(40);
    expect(hypotheses.some(({ repeated }) => repeated > 0)).toBe(true);
    expect(hypotheses.map(({ tokens }) => tokens)).toContainEqual([2, 3, 4, 5, 6, 7]);
  });
});
