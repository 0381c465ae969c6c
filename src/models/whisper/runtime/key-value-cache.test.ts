import { describe, expect, it } from 'vitest';
import { type Feeds, float32 } from '../../../ort/session.ts';
import { KeyValueCache, SPARE, streamMoves } from './key-value-cache.ts';

/** The original stream in each slot after the moves. */
function moved(parents: readonly number[], streams: number): number[] {
  const places = new Map<number, number>(Array.from({ length: streams }, (_, stream) => [stream, stream]));
  for (const { from, to } of streamMoves(parents)) places.set(to, places.get(from)!);
  return parents.map((_, index) => places.get(index)!);
}

describe('streamMoves', () => {
  it.each([
    [[0, 0, 0, 0, 0]],
    [[1, 0]],
    [[1, 2, 0]],
    [[2, 3, 0, 1]],
    [[4, 0, 0, 2, 3]],
    [[1, 2, 0, 4, 3]],
    [[1, 1, 4, 0, 2]],
    [[3, 1]],
  ])('puts streams in order %j', (parents) => {
    expect(moved(parents, 5)).toEqual(parents);
  });

  it('moves only streams that change', () => {
    expect(streamMoves([0, 1, 2])).toEqual([]);
    expect(streamMoves([0, 1, 1])).toEqual([{ from: 1, to: 2 }]);
    expect(streamMoves([2, 0, 1]).filter(({ to }) => to === SPARE)).toHaveLength(1);
  });
});

describe('KeyValueCache', () => {
  const shape = { layers: 2, heads: 2, headSize: 3 };

  /** Rows of numbers that encode their layer, stream, position and channel. */
  function rowsOf(labels: readonly number[], first: number, tokens = 1): Feeds {
    const outputs: Feeds = {};
    for (const [offset, kind] of ['key', 'value'].entries()) {
      for (let layer = 0; layer < shape.layers; layer++) {
        const data = labels.flatMap((label) =>
          Array.from({ length: tokens * 6 }, (_, index) => {
            const position = first + Math.floor(index / 6);
            return offset * 1e6 + layer * 1e5 + label * 1e4 + position * 10 + (index % 6);
          }),
        );
        outputs[`${kind}.${layer}`] = float32(Float32Array.from(data), [labels.length * tokens, 6]);
      }
    }
    return outputs;
  }

  function append(cache: KeyValueCache, tokens: number, labels: readonly number[]): void {
    const outputs = rowsOf(labels, cache.length(0), tokens);
    cache.append(
      outputs,
      tokens,
      labels.map((_, stream) => stream),
    );
  }

  function expectStreams(cache: KeyValueCache, labels: readonly (readonly number[])[]): void {
    expect(cache.streams).toBe(labels.length);
    for (const [offset, kind] of ['key', 'value'].entries()) {
      for (let layer = 0; layer < shape.layers; layer++) {
        const { data, dims } = cache.feeds(0, labels.length, 1)[`past_${kind}.${layer}`]!;
        expect(dims).toEqual([labels.length, shape.heads, cache.capacity, shape.headSize]);
        expect(data.length).toBe(dims.reduce((product, dim) => product * dim, 1));
        for (const [stream, ofPosition] of labels.entries()) {
          for (const [position, label] of ofPosition.entries()) {
            for (let channel = 0; channel < 6; channel++) {
              const head = Math.floor(channel / 3);
              const at = ((stream * 2 + head) * cache.capacity + position) * 3 + (channel % 3);
              expect(data[at]).toBe(offset * 1e6 + layer * 1e5 + label * 1e4 + position * 10 + channel);
            }
          }
        }
      }
    }
  }

  it('appends, forks, reorders, drops and grows', () => {
    const cache = new KeyValueCache(shape);
    append(cache, 3, [1]);
    expectStreams(cache, [[1, 1, 1]]);
    cache.keep([0, 0, 0]);
    append(cache, 1, [1, 2, 3]);
    cache.keep([2, 0, 2]);
    expectStreams(cache, [
      [1, 1, 1, 3],
      [1, 1, 1, 1],
      [1, 1, 1, 3],
    ]);
    cache.keep([1, 0]);
    append(cache, 2, [4, 5]);
    expectStreams(cache, [
      [1, 1, 1, 1, 4, 4],
      [1, 1, 1, 3, 5, 5],
    ]);
    append(cache, 70, [6, 7]);
    expect(cache.capacity).toBe(128);
    const first = [1, 1, 1, 1, 4, 4, ...Array<number>(70).fill(6)];
    const second = [1, 1, 1, 3, 5, 5, ...Array<number>(70).fill(7)];
    expectStreams(cache, [first, second]);
    cache.keep([1, 0, 1, 0]);
    expectStreams(cache, [second, first, second, first]);
  });

  it('holds streams of different lengths, copied from other caches and cleared', () => {
    const cache = new KeyValueCache(shape, 3);
    const [short, long] = [new KeyValueCache(shape), new KeyValueCache(shape)];
    append(short, 3, [1]);
    append(long, 70, [2]);
    cache.copy(1, short, 0);
    expect(cache.capacity).toBe(64);
    cache.copy(2, long, 0);
    expect([0, 1, 2].map((stream) => cache.length(stream))).toEqual([0, 3, 70]);
    expect(cache.capacity).toBe(128);
    expectStreams(cache, [[], [1, 1, 1], Array<number>(70).fill(2)]);
    expect(cache.feeds(1, 2, 1)['past_key.0']!.dims).toEqual([2, 2, 128, 3]);
    expect(cache.feeds(1, 2, 1)['past_key.0']!.data[0]).toBe(1e4);

    const outputs = rowsOf([1, 2], 3);
    cache.append(outputs, 1, [undefined, 1]);
    expect([0, 1, 2].map((stream) => cache.length(stream))).toEqual([0, 4, 70]);
    expectStreams(cache, [[], [1, 1, 1, 2], Array<number>(70).fill(2)]);

    cache.clear(2);
    expect(cache.capacity).toBe(64);
    expectStreams(cache, [[], [1, 1, 1, 2], []]);
    const again = new KeyValueCache(shape);
    again.copy(0, cache, 1);
    expectStreams(again, [[1, 1, 1, 2]]);
  });
});
