import { expect, it } from 'vitest';
import { type Feeds, float32 } from '../../../ort/session.ts';
import { GpuKeyValueCache } from './gpu-key-value-cache.ts';

const shape = { layers: 1, heads: 2, headSize: 3, capacity: 4 };

function freed(streams: number) {
  const disposed: string[] = [];
  const tensor = (name: string, dims: number[]) => {
    const made = float32(new Float32Array(dims.reduce((a, b) => a * b)), dims);
    return Object.defineProperties(made, {
      location: { value: 'gpu-buffer' },
      dispose: { value: () => disposed.push(name) },
    });
  };
  const outputs = (step: number): Feeds => ({
    'present_key.0': tensor(`key ${step}`, [streams, 2, 3, 4]),
    'present_value.0': tensor(`value ${step}`, [streams, 2, 4, 3]),
  });
  return { disposed, outputs };
}

const zeros = { key: float32(new Float32Array(24), [1, 2, 3, 4]), value: float32(new Float32Array(24), [1, 2, 4, 3]) };
const empty = () => GpuKeyValueCache.empty(shape, zeros);

it('starts empty, with a place for each token and the rest masked', () => {
  const feeds = empty().feeds(0, 1, 2);
  expect(feeds['past_key.0']).toBe(zeros.key);
  expect(feeds['past_value.0']).toBe(zeros.value);
  expect([...(feeds.places!.data as Float32Array)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0]);
  expect([...(feeds.mask!.data as Float32Array)]).toEqual([0, -3e4, -3e4, -3e4, 0, 0, -3e4, -3e4]);
});

it('feeds the output of a run to the next one, and frees the input of the previous run', () => {
  const cache = empty();
  const { disposed, outputs } = freed(1);
  const first = outputs(1);
  cache.append(first, 2, [0]);
  expect(cache.length(0)).toBe(2);
  const feeds = cache.feeds(0, 1, 1);
  expect(feeds['past_key.0']).toBe(first['present_key.0']);
  expect([...(feeds.places!.data as Float32Array)]).toEqual([0, 0, 1, 0]);
  cache.append(outputs(2), 1, [0]);
  expect(disposed).toEqual(['key 1', 'value 1']);
  cache.free();
  expect(disposed).toEqual(['key 1', 'value 1', 'key 2', 'value 2']);
  expect(() => cache.feeds(0, 1, 1)).toThrow('has been freed');
});

it('copies rows before a run only if streams have changed', async () => {
  const cache = empty();
  const taken: (readonly number[])[] = [];
  const { disposed, outputs } = freed(1);
  const take = async (past: Feeds, rows: readonly number[]) => {
    taken.push(rows);
    const made = freed(rows.length).outputs(0);
    return Object.fromEntries(Object.keys(past).map((name) => [name, made[name.replace('past', 'present')]!]));
  };
  cache.append(outputs(1), 1, [0]);
  await cache.settle(take);
  expect(taken).toEqual([]);
  cache.keep([0, 0, 0]);
  await cache.settle(take);
  expect(disposed).toEqual(['key 1', 'value 1']);
  expect(cache.feeds(0, 3, 1)['past_key.0']!.dims[0]).toBe(3);
  cache.append(freed(3).outputs(2), 1, [0, 1, 2]);
  cache.keep([2, 1]);
  cache.keep([1, 0, 0]);
  expect(cache.streams).toBe(3);
  await cache.settle(take);
  cache.keep([0, 1, 2]);
  await cache.settle(take);
  expect(taken).toEqual([
    [0, 0, 0],
    [1, 2, 2],
  ]);
});

it('brings some of its streams into another order', async () => {
  const cache = empty();
  cache.keep([0, 0, 0, 0]);
  cache.replace({ 'past_key.0': freed(4).outputs(0)['present_key.0']! }, [1, 2, 3, 4]);
  cache.keepWithin(1, [1, 1]);
  expect([0, 1, 2, 3].map((stream) => cache.length(stream))).toEqual([1, 3, 3, 4]);
  expect([0, 1, 2, 3].map((stream) => cache.parent(stream))).toEqual([0, 2, 2, 3]);
});

it('writes nothing to streams that are not fed, even full ones', () => {
  const cache = empty();
  cache.keep([0, 0]);
  cache.append(freed(2).outputs(1), 4, [0, 1]);
  cache.replace({}, [4, 1]);
  const { mask, places } = cache.feeds(0, 2, 1, [false, true]);
  expect([...(places!.data as Float32Array)]).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
  expect([...(mask!.data as Float32Array)]).toEqual([0, 0, 0, 0, 0, 0, -3e4, -3e4]);
  cache.append(freed(2).outputs(2), 1, [undefined, 1]);
  expect([cache.length(0), cache.length(1)]).toEqual([4, 2]);
});

it('shares its memory with a cache of one of its streams until both have freed it', () => {
  const cache = empty();
  const { disposed, outputs } = freed(2);
  cache.keep([0, 0]);
  cache.append(outputs(1), 3, [0, 1]);
  const only = cache.only(1, 1);
  expect(only.length(0)).toBe(3);
  expect(only.parent(0)).toBe(1);
  cache.free();
  expect(disposed).toEqual([]);
  only.append(freed(1).outputs(2), 1, [0]);
  expect(disposed).toEqual(['key 1', 'value 1']);
});
