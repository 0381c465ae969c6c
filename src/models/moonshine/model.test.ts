import { describe, expect, it } from 'vitest';
import { type DecoderState, decodeGreedily, MIN_DRAFT_END_LOGPROB } from './model.ts';

const END = 2;

/** A decoder with scripted tokens and log probabilities; it repeats the last one. */
function scripted(steps: [token: number, logprob: number][], without?: [token: number, logprob: number][]) {
  let script = steps;
  let index = 0;
  const runs: number[][] = [];
  const state = {
    runs,
    async feed(tokens: readonly number[]) {
      runs.push([...tokens]);
      return tokens.map(() => {
        const [token, logprob] = script[Math.min(index++, script.length - 1)]!;
        return { token, logprob, attention: new Float32Array(4) };
      });
    },
    async step(last: number, { forbidEnd = false } = {}) {
      if (forbidEnd) script = without ?? steps;
      return (await state.feed([last]))[0]!;
    },
    truncate(length: number) {
      index = length;
    },
  };
  return state as unknown as DecoderState & { runs: number[][] };
}

describe('decodeGreedily', () => {
  it('stops at the end token and leaves it out', async () => {
    const decoded = await decodeGreedily(
      scripted([
        [10, -0.1],
        [11, -0.2],
        [END, 0],
      ]),
      50,
    );
    expect(decoded).toMatchObject({ tokens: [10, 11], logprobs: [-0.1, -0.2], complete: true });
    expect(decoded.attention).toHaveLength(2);
  });

  it('decodes matching expected tokens in one run, and continues after them', async () => {
    const state = scripted([
      [10, -0.1],
      [11, -0.2],
      [12, -0.3],
      [13, -0.4],
      [END, 0],
    ]);
    const decoded = await decodeGreedily(state, 50, [10, 11, 99, 98]);
    expect(state.runs).toEqual([[1, 10, 11, 99, 98], [12], [13]]);
    expect(decoded).toMatchObject({ tokens: [10, 11, 12, 13], logprobs: [-0.1, -0.2, -0.3, -0.4], complete: true });
    expect(decoded.attention).toHaveLength(4);
  });

  it('ends if the end token precedes the expected tokens', async () => {
    const state = scripted([
      [10, -0.1],
      [END, 0],
    ]);
    expect(await decodeGreedily(state, 50, [10, 11])).toMatchObject({ tokens: [10], complete: true });
    expect(state.runs).toEqual([[1, 10, 11]]);
  });

  it('treats a confident end at the start as silence', async () => {
    const decoded = await decodeGreedily(scripted([[END, -0.05]], [[99, -0.1]]), 50);
    expect(decoded).toMatchObject({ tokens: [], complete: true });
  });

  it('ignores a hesitant end at the start', async () => {
    const heard: [number, number][] = [
      [10, -0.9],
      [END, 0],
    ];
    expect((await decodeGreedily(scripted([[END, -0.9]], heard), 50)).tokens).toEqual([10]);
  });

  it('treats only a nearly certain end at the start of a draft as silence', async () => {
    const begin = (logprob: number) =>
      decodeGreedily(
        scripted(
          [[END, logprob]],
          [
            [10, -0.9],
            [END, 0],
          ],
        ),
        50,
        [],
        MIN_DRAFT_END_LOGPROB,
      );
    expect((await begin(-0.1)).tokens).toEqual([10]);
    expect((await begin(-0.01)).tokens).toEqual([]);
  });

  it('cuts off a loop and reports an incomplete transcript', async () => {
    const decoded = await decodeGreedily(
      scripted([
        [10, -0.1],
        [11, -0.1],
      ]),
      200,
    );
    expect(decoded.complete).toBe(false);
    expect(decoded.tokens).toEqual([10, 11]);
    expect(decoded.attention).toHaveLength(2);
  });

  it('stops at maxTokens', async () => {
    const steps = Array.from({ length: 100 }, (_, index): [number, number] => [100 + index, -0.1]);
    const decoded = await decodeGreedily(scripted(steps), 30);
    expect(decoded.complete).toBe(false);
    expect(decoded.tokens).toHaveLength(30);
  });
});
