import { describe, expect, it } from 'vitest';
import {
  at,
  type Script,
  ScriptedDecoder,
  sampled,
  saying,
  special,
} from '../../../../test/fixtures/scripted-decoder.ts';
import { seededRandom } from '../../common/random.ts';
import { sample } from './sampling.ts';

async function run(script: Script, { temperature = 0, streams = 1, seed = 1, maxTokens = 224 } = {}) {
  const state = new ScriptedDecoder(script);
  const first = await state.step([[special.startOfTranscript]]);
  const hypotheses = await sample(
    { state, first, filter: { apply() {} }, special, maxTokens },
    { temperature, streams, random: seededRandom(seed) },
  );
  return { hypotheses, state };
}

describe('sample', () => {
  it('takes the most probable token at temperature 0, until the end', async () => {
    const { hypotheses } = await run((fed) => {
      const next = [at(0), 4, 5, at(1)][sampled(fed).length] ?? special.endOfText;
      return { [next]: 0.7, 9: 0.3 };
    });
    expect(hypotheses).toHaveLength(1);
    expect(hypotheses[0]).toMatchObject({ tokens: [at(0), 4, 5, at(1)], ended: true, repeated: 0 });
    for (const logprob of hypotheses[0]!.logprobs) expect(logprob).toBeCloseTo(Math.log(0.7), 4);
    // The end's own probability counts.
    expect(hypotheses[0]!.sum).toBeCloseTo(5 * Math.log(0.7), 4);
    expect(hypotheses[0]!.attention).toHaveLength(5);
  });

  it('keeps for each token the attention of the step that chose it', async () => {
    const state = new ScriptedDecoder(saying([at(0), 4, 5]), { attend: (fed) => Float32Array.of(fed.at(-1)!) });
    const first = await state.step([[special.startOfTranscript]]);
    const [hypothesis] = await sample(
      { state, first, filter: { apply() {} }, special, maxTokens: 9 },
      { temperature: 0, streams: 1, random: Math.random },
    );
    expect(hypothesis!.attention.map(([token]) => token)).toEqual([special.startOfTranscript, at(0), 4, 5]);
  });

  it('stops where there is no room left', async () => {
    const { hypotheses, state } = await run((fed) => ({ [(7 * fed.length) % 19]: 0.9 }), { maxTokens: 6 });
    expect(hypotheses[0]).toMatchObject({ ended: false });
    expect(hypotheses[0]!.tokens).toHaveLength(6);
    // What has been chosen last is not fed.
    expect(state.length).toBe(6);
  });

  it('stops in a loop, and tells how much of it is one', async () => {
    const { hypotheses } = await run((fed) => ({ [[3, 4, 5, 6][fed.length % 4]!]: 0.9 }));
    const { tokens, repeated } = hypotheses[0]!;
    expect(tokens.length).toBeLessThan(30);
    expect(tokens.length - repeated).toBe(4);
  });

  it('sees a loop through the timestamps in it', async () => {
    const { hypotheses } = await run((fed) => {
      const turn = sampled(fed).length;
      return { [turn % 5 < 3 ? 3 + (turn % 5) : at(Math.floor(turn / 5) + (turn % 5) / 10)]: 0.9 };
    });
    const { tokens, repeated } = hypotheses[0]!;
    expect(repeated).toBeGreaterThan(0);
    expect(tokens.slice(0, tokens.length - repeated).filter((token) => token < special.endOfText)).toEqual([3, 4, 5]);
  });

  it('draws several transcripts side by side, and no longer computes those that are over', async () => {
    const script: Script = (fed) => {
      const text = sampled(fed);
      if (text.length === 0) return { 1: 0.2, 2: 0.2, 3: 0.2, 4: 0.2, 5: 0.2 };
      return text.length < text[0]! ? { [5 + text.length]: 1 } : { [special.endOfText]: 1 };
    };
    const { hypotheses, state } = await run(script, { temperature: 1, streams: 5, seed: 6 });
    expect(hypotheses).toHaveLength(5);
    expect(new Set(hypotheses.map(({ tokens }) => tokens[0])).size).toBeGreaterThan(1);
    // Each goes on from its own beginning.
    for (const { tokens, ended } of hypotheses) {
      expect(ended).toBe(true);
      expect(tokens).toEqual([tokens[0], 6, 7, 8, 9].slice(0, tokens[0]));
    }
    expect(state.widths[1]).toBe(5);
    expect(state.widths.at(-1)).toBeLessThan(5);
  });

  it('draws the same for the same seed, and something else for another', async () => {
    const script: Script = (fed) =>
      sampled(fed).length < 12 ? { 1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2 } : { [special.endOfText]: 1 };
    const texts = async (seed: number) =>
      (await run(script, { temperature: 0.8, streams: 5, seed })).hypotheses.map(({ tokens }) => tokens);
    expect(await texts(4)).toEqual(await texts(4));
    expect(await texts(4)).not.toEqual(await texts(5));
  });
});
