import { describe, expect, it } from 'vitest';
import { at, ScriptedDecoder, saying, special, tokenizer } from '../../../../test/fixtures/scripted-decoder.ts';
import { type DecodingRequest, DecodingTask } from './decoding.ts';

const configuration = { suppressTokens: [-1], beginSuppressTokens: [], textPositions: 448 };
const START = [special.startOfTranscript, 22, special.transcribe];
/** Eighteen text tokens. */
const LONG = Array.from({ length: 18 }, (_, index) => (7 * index) % 10);

/** Decodes what a script says, and tells how many tokens each run was fed after the start. */
async function decode(said: readonly number[], expected: readonly number[], textPositions = 448) {
  const runs: number[] = [];
  const state = new (class extends ScriptedDecoder {
    override async step(...input: Parameters<ScriptedDecoder['step']>) {
      runs.push(input[0][0]!.length);
      return super.step(...input);
    }
    override async feed(tokens: readonly number[]) {
      const before = runs.length;
      const step = await super.feed(tokens);
      runs.splice(before, tokens.length, tokens.length);
      return step;
    }
  })(saying(said), { attend: (fed) => Float32Array.of(fed.length, fed.at(-1)!) });
  const task = new DecodingTask({ ...configuration, textPositions }, tokenizer, 1);
  const request: DecodingRequest = {
    start: () => state,
    previous: [],
    sequence: START,
    audioPositions: 1500,
    seed: 1,
    expected,
  };
  const { result } = await task.decode(0, request, Math.random);
  return { result, runs: runs.slice(1), fed: state.fed[0]! };
}

const cases: [string, number[], number[], number[]][] = [
  ['nothing', [at(0), 1, 2, 3, at(1)], [], [1, 1, 1, 1, 1]],
  ['all of it', [at(0), 1, 2, 3, at(1)], [1, 2, 3], [4, 1]],
  ['its beginning', [at(0), 1, 2, 3, 4, at(1)], [1, 2], [3, 1, 1, 1]],
  ['more than was said', [at(0), 1, 2, at(1)], [1, 2, 3, 4], [5, 1]],
  ['other text', [at(0), 1, 2, 3, at(1)], [9, 8, 7, 6], [5, 1, 1, 1, 1]],
  ['a token that another one replaces', [at(0), 1, 2, 9, 4, 5, at(1)], [1, 2, 3, 4, 5], [6, 1, 2, 1]],
  ['a token too many', [at(0), 1, 2, 4, 5, at(1)], [1, 2, 3, 4, 5], [6, 2, 1]],
  ['one too few', [at(0), 1, 2, 3, 4, 5, at(1)], [1, 2, 4, 5], [5, 1, 2, 1]],
  ['text of two segments', [at(0), 1, 2, at(1), at(1), 4, 5, at(2)], [1, 2, 4, 5], [5, 1, 3, 1]],
  ['a long text', [at(0), ...LONG, at(3)], LONG, [17, 2, 1]],
];

describe('greedy search with expected text', () => {
  it.each(cases)('that is %s gives the same text in fewer runs', async (_, said, expected, runs) => {
    const plain = await decode(said, []);
    const ahead = await decode(said, expected);
    expect(ahead.result).toEqual(plain.result);
    expect(ahead.result.tokens).toEqual(said);
    expect(ahead.runs).toEqual(runs);
    expect(ahead.fed.slice(0, plain.fed.length)).toEqual(plain.fed);
  });

  it('feeds no more than the model has positions for', async () => {
    const said = [at(0), ...LONG];
    const plain = await decode(said, [], 16);
    const ahead = await decode(said, LONG, 16);
    expect(ahead.result).toEqual(plain.result);
    expect(ahead.fed.length).toBeLessThanOrEqual(16);
  });
});
