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

it('starts empty, with a place for each token and the rest masked', () => {
  const feeds = new GpuKeyValueCache(shape).feeds(0, 1, 2);
  expect(feeds['past_key.0']!.dims).toEqual([1, 2, 3, 4]);
  expect(feeds['past_value.0']!.dims).toEqual([1, 2, 4, 3]);
  expect(feeds['past_key.0']!.data).toEqual(new Float32Array(24));
  expect([...(feeds.places!.data as Float32Array)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0]);
  expect([...(feeds.mask!.data as Float32Array)]).toEqual([0, -1e9, -1e9, -1e9, 0, 0, -1e9, -1e9].map(Math.fround));
});

it('feeds what a run returned to the next one, and frees the input of the run before', () => {
  const cache = new GpuKeyValueCache(shape);
  const { disposed, outputs } = freed(1);
  cache.feeds(0, 1, 2);
  const first = outputs(1);
  cache.append(first, 2);
  expect(cache.length()).toBe(2);
  const feeds = cache.feeds(0, 1, 1);
  expect(feeds['past_key.0']).toBe(first['present_key.0']);
  expect([...(feeds.places!.data as Float32Array)]).toEqual([0, 0, 1, 0]);
  cache.append(outputs(2), 1);
  expect(disposed).toEqual(['key 1', 'value 1']);
  cache.free();
  expect(disposed).toEqual(['key 1', 'value 1', 'key 2', 'value 2']);
});

it('names the parents of streams until the next run has put them in order', () => {
  const cache = new GpuKeyValueCache(shape);
  cache.feeds(0, 1, 1);
  cache.append(freed(1).outputs(1), 1);
  cache.keep([0, 0, 0]);
  expect(cache.feeds(0, 3, 1).parents!.data).toEqual(BigInt64Array.of(0n, 0n, 0n));
  cache.append(freed(3).outputs(2), 1);
  cache.keep([2, 1]);
  cache.keep([1, 0, 0]);
  expect(cache.streams).toBe(3);
  expect(cache.feeds(0, 3, 1).parents!.data).toEqual(BigInt64Array.of(1n, 2n, 2n));
});
