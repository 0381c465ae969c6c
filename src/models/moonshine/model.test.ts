import { describe, expect, it } from 'vitest';
import { type DecoderState, decodeGreedily } from './model.ts';

const END = 2;

/** A decoder with scripted tokens and log probabilities; it repeats the last one. */
function scripted(steps: [token: number, logprob: number][], without?: [token: number, logprob: number][]) {
  let script = steps;
  let index = 0;
  const state = {
    async step(_last: number, { forbidEnd = false } = {}) {
      if (forbidEnd) script = without ?? steps;
      const [token, logprob] = script[Math.min(index++, script.length - 1)]!;
      return { token, logprob, attention: new Float32Array(4) };
    },
    reset() {
      index = 0;
    },
  };
  return state as unknown as DecoderState;
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

  it('takes a confident end at the start for silence', async () => {
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
