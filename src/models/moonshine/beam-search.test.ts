import { describe, expect, it } from 'vitest';
import { decodeWithBeams } from './beam-search.ts';
import { moonshineTiny } from './graph/network.ts';
import { keywordBias } from './keywords.ts';
import type { DecoderState } from './model.ts';
import { decode } from './tokenizer.ts';

const { beginToken, endToken, vocabulary } = moonshineTiny;

type Script = (tokens: readonly number[]) => Record<number, number>;

/** A decoder with scripted probabilities after the tokens that it has been fed. */
function scripted(script: Script, fed: readonly number[] = []): DecoderState {
  let tokens = fed;
  const state = {
    async step(last: number) {
      tokens = last === beginToken ? [] : [...tokens, last];
      const logits = new Float32Array(vocabulary).fill(Number.NEGATIVE_INFINITY);
      for (const [token, probability] of Object.entries(script(tokens))) logits[Number(token)] = Math.log(probability);
      return { token: 0, logprob: 0, attention: Float32Array.of(tokens.length), logits };
    },
    fork: () => scripted(script, tokens),
  };
  return state as unknown as DecoderState;
}

describe('decodeWithBeams', () => {
  it('recognizes a keyword that is a little less probable than another spelling', async () => {
    const bias = keywordBias(['Siobhan']);
    const [first, ...rest] = [...bias.candidates(bias.start)];
    expect(rest).toEqual([]);
    const spelled: number[] = [first!];
    for (let state = bias.next(bias.start, first!, undefined); ; ) {
      const next = [...bias.candidates(state)].find((token) => token !== first);
      if (next === undefined) break;
      state = bias.next(state, next, spelled.at(-1));
      spelled.push(next);
    }
    expect(decode(spelled)).toBe('Siobhan');
    const state = scripted((tokens): Record<number, number> => {
      if (tokens.length === 0) return { 300: 0.7, [first!]: 0.3 };
      if (tokens[0] === 300) return tokens.length < 2 ? { 301: 0.9, 302: 0.1 } : { [endToken]: 1 };
      const next = spelled[tokens.length];
      return next === undefined ? { [endToken]: 1 } : { [next]: 0.4, 303: 0.6 };
    });
    const { tokens, logprobs, attention, complete } = await decodeWithBeams(state, {
      maxTokens: 50,
      beamSize: 3,
      keywords: bias,
    });
    expect(tokens).toEqual(spelled);
    expect(logprobs.map((logprob) => Math.round(10 * Math.exp(logprob)) / 10)).toEqual([
      0.3,
      ...spelled.slice(1).map(() => 0.4),
    ]);
    expect(attention.map(([step]) => step)).toEqual([...spelled.keys()]);
    expect(complete).toBe(true);
  });

  it('keeps a confident end at the start, and ignores a hesitant one', async () => {
    const say: Script = (tokens): Record<number, number> =>
      tokens.length === 0 ? { 300: 0.1, [endToken]: 0.9 } : { [endToken]: 1 };
    expect((await decodeWithBeams(scripted(say), { maxTokens: 50, beamSize: 3 })).tokens).toEqual([]);
    const hesitate: Script = (tokens): Record<number, number> =>
      tokens.length === 0 ? { 300: 0.5, [endToken]: 0.5 } : { [endToken]: 1 };
    expect((await decodeWithBeams(scripted(hesitate), { maxTokens: 50, beamSize: 3 })).tokens).toEqual([300]);
  });

  it('cuts off a loop and reports an incomplete transcript', async () => {
    const { tokens, complete } = await decodeWithBeams(
      scripted((fed) => ({ [300 + (fed.length % 2)]: 1 })),
      { maxTokens: 200, beamSize: 3 },
    );
    expect({ tokens, complete }).toEqual({ tokens: [300, 301], complete: false });
  });
});
