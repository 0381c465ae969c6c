import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { safetensors, safetensorsHeader, writeSafetensors } from '../../test/fixtures/safetensors.ts';
import { HearsayError } from '../errors.ts';
import { SafetensorsCheckpoint } from './safetensors.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-safetensors-'));
afterAll(() => rmSync(root, { recursive: true }));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'checkpoint-'));
});

const write = (name: string, content: Uint8Array | string) => writeFileSync(join(directory, name), content);

async function readAll(names: readonly string[]): Promise<Record<string, number[]>> {
  const checkpoint = await SafetensorsCheckpoint.open(directory);
  try {
    const read = names.map(async (name): Promise<[string, number[]]> => [name, [...(await checkpoint.read(name))]]);
    return Object.fromEntries(await Promise.all(read));
  } finally {
    await checkpoint.close();
  }
}

async function problem(): Promise<string> {
  try {
    await (await SafetensorsCheckpoint.open(directory)).close();
  } catch (error) {
    expect(error).toBeInstanceOf(HearsayError);
    expect((error as HearsayError).code).toBe('model_load_failed');
    expect((error as HearsayError).message).not.toContain(directory);
    return (error as HearsayError).message;
  }
  throw new Error('The checkpoint was opened.');
}

/** What safetensors 0.8 and PyTorch 2.15 save of {a: [1.5, -2] F16, b: [[3], [4]] BF16, c: 0.5 F32}. */
const savedByReference = Buffer.from(
  'yAAAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJwdCJ9LCJjIjp7ImR0eXBlIjoiRjMyIiwic2hhcGUiOltdLCJkYXRhX29mZnNldHMiOlswLDRdfSwiYiI6eyJkdHlwZSI6IkJGMTYiLCJzaGFwZSI6WzIsMV0sImRhdGFfb2Zmc2V0cyI6WzQsOF19LCJhIjp7ImR0eXBlIjoiRjE2Iiwic2hhcGUiOlsyXSwiZGF0YV9vZmZzZXRzIjpbOCwxMl19fSAgICAgIAAAAD9AQIBAAD4AwA==',
  'base64',
);

describe('SafetensorsCheckpoint', () => {
  it('reads a file of the reference implementation', async () => {
    write('model.safetensors', savedByReference);
    expect(await readAll(['a', 'b', 'c'])).toEqual({ a: [1.5, -2], b: [3, 4], c: [0.5] });
  });

  it('reads float32 unchanged and reports shapes', async () => {
    const data = Float32Array.of(0, -0, 1e-40, Math.PI, -Infinity, NaN);
    writeSafetensors(directory, { first: { shape: [1], data: Float32Array.of(7) }, second: { shape: [2, 3], data } });
    const checkpoint = await SafetensorsCheckpoint.open(directory);
    expect(checkpoint.names).toEqual(['first', 'second']);
    expect([checkpoint.has('second'), checkpoint.has('third'), checkpoint.has('__metadata__')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(checkpoint.shape('second')).toEqual([2, 3]);
    expect(await checkpoint.read('second', [2, 3])).toEqual(data);
    await checkpoint.close();
  });

  it('converts every float16 and bfloat16 number exactly', async () => {
    const bits = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
    const entry = (type: string, begin: number) => ({
      dtype: type,
      shape: [2 ** 16],
      data_offsets: [begin, begin + 2 ** 17],
    });
    const header = safetensorsHeader(JSON.stringify({ half: entry('F16', 0), brain: entry('BF16', 2 ** 17) }));
    write('model.safetensors', Buffer.concat([header, Buffer.from(bits.buffer), Buffer.from(bits.buffer)]));
    const { half, brain } = await readAll(['half', 'brain']);
    const view = new DataView(new ArrayBuffer(4));
    const wrong: number[] = [];
    for (let i = 0; i < 2 ** 16; i++) {
      view.setUint32(0, i * 2 ** 16);
      if (!Object.is(brain![i], view.getFloat32(0))) wrong.push(i);
      const sign = i >= 2 ** 15 ? -1 : 1;
      const exponent = (i >> 10) % 32;
      const fraction = (i % 1024) / 1024;
      const special = fraction === 0 ? sign * Infinity : NaN;
      const finite = exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
      if (!Object.is(half![i], exponent === 31 ? special : finite)) wrong.push(i);
    }
    expect(wrong).toEqual([]);
  });

  it('reads tensors longer than a chunk', async () => {
    const data = Float32Array.from({ length: 5_000_001 }, (_, i) => i % 2000);
    writeSafetensors(directory, {
      x: { shape: [5_000_001], data, type: 'F16' },
      y: { shape: [0, 3], data: new Float32Array() },
    });
    const checkpoint = await SafetensorsCheckpoint.open(directory);
    expect(Buffer.compare(Buffer.from((await checkpoint.read('x')).buffer), Buffer.from(data.buffer))).toBe(0);
    expect(await checkpoint.read('y')).toEqual(new Float32Array());
    await checkpoint.close();
  });

  it('reads a sharded checkpoint', async () => {
    const tensors = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [
        `t${i}`,
        { shape: [2], data: Float32Array.of(i, -i), type: 'BF16' as const },
      ]),
    );
    writeSafetensors(directory, tensors, { shards: 3 });
    expect(await readAll(['t0', 't4', 't6'])).toEqual({ t0: [0, -0], t4: [4, -4], t6: [6, -6] });
  });

  it('rejects a missing tensor and a wrong shape by name', async () => {
    writeSafetensors(directory, { weight: { shape: [2, 3], data: new Float32Array(6) } });
    const checkpoint = await SafetensorsCheckpoint.open(directory);
    await expect(checkpoint.read('bias')).rejects.toThrow('no tensor bias');
    expect(() => checkpoint.shape('bias')).toThrow('no tensor bias');
    await expect(checkpoint.read('weight', [3, 2])).rejects.toThrow(
      'the tensor weight has shape [2,3] instead of [3,2]',
    );
    await checkpoint.close();
  });

  it('rejects a file truncated after it was opened', async () => {
    writeSafetensors(directory, { x: { shape: [100], data: new Float32Array(100), type: 'F16' } });
    const checkpoint = await SafetensorsCheckpoint.open(directory);
    truncateSync(join(directory, 'model.safetensors'), 150);
    await expect(checkpoint.read('x')).rejects.toThrow(HearsayError);
    await checkpoint.close();
  });

  const float = (begin: number, shape: number[] = [1], dtype = 'F32') => ({
    dtype,
    shape,
    data_offsets: [begin, begin + shape.reduce((product, size) => product * size, 4)],
  });

  it.each<[string, unknown, number, string]>([
    ['a header that is not JSON', '{"a":', 0, 'not JSON'],
    ['a header that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 0, 'not JSON'],
    ['a header that is no object', '[]', 0, 'not an object'],
    [
      'a name twice',
      '{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"\\u0061":{"dtype":"F16","shape":[0],"data_offsets":[0,0]}}',
      0,
      'duplicate name',
    ],
    ['an entry of another kind', { a: 5 }, 0, 'tensor a is malformed'],
    ['a negative size', { a: { dtype: 'F32', shape: [-1], data_offsets: [0, 4] } }, 4, 'tensor a is malformed'],
    [
      'a size that is no number',
      { a: { dtype: 'F32', shape: [1.5], data_offsets: [0, 6] } },
      6,
      'tensor a is malformed',
    ],
    [
      'offsets of another kind',
      { a: { dtype: 'F32', shape: [1], data_offsets: [0, 4, 8] } },
      4,
      'tensor a is malformed',
    ],
    ['metadata of another kind', { __metadata__: { format: 1 } }, 0, '__metadata__'],
    ['an unknown type', { a: float(0, [1], 'I64') }, 4, 'tensor a has type I64'],
    ['a type that is an object property', { a: float(0, [1], 'constructor') }, 4, 'tensor a has type constructor'],
    ['a shape that does not match', { a: { ...float(0), shape: [2] } }, 4, 'tensor a of F32 [2] does not match'],
    ['a shape beyond safe integers', { a: { ...float(0), shape: [2 ** 40, 2 ** 40] } }, 4, 'tensor a of F32'],
    ['an end before its begin', { a: { dtype: 'F32', shape: [1], data_offsets: [8, 4] } }, 8, 'tensor a of F32'],
    ['a tensor beyond the end', { a: float(0), b: float(4, [100]) }, 12, 'tensor b exceeds'],
    ['tensors that overlap', { a: float(0, [2]), b: float(4, [2]) }, 12, 'tensor b overlaps'],
    ['tensors in the same place', { a: float(0, [2]), b: float(0, [2]) }, 8, 'tensor b overlaps'],
    ['a gap', { a: float(0), b: float(8) }, 12, 'gap before the tensor b'],
    ['bytes of no tensor', { a: float(0) }, 5, 'bytes of no tensor'],
  ])('rejects %s', async (_, header, bytes, message) => {
    const json = typeof header === 'string' || header instanceof Buffer ? header : JSON.stringify(header);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(Buffer.byteLength(json)));
    write('model.safetensors', Buffer.concat([length, Buffer.from(json), Buffer.alloc(bytes)]));
    const error = await problem();
    expect(error).toContain(message);
    expect(error).toContain('model.safetensors');
  });

  it('rejects a header longer than the file or the limit', async () => {
    const file = safetensors({ x: { shape: [1], data: Float32Array.of(1) } });
    file.writeBigUInt64LE(2n ** 63n);
    write('model.safetensors', file);
    expect(await problem()).toContain('longer than the format allows');
    file.writeBigUInt64LE(BigInt(file.length));
    write('model.safetensors', file);
    expect(await problem()).toContain('ends within its header');
    write('model.safetensors', 'short');
    expect(await problem()).toContain('shorter');
  });

  it('names a Git LFS pointer in place of the weights or of their index', async () => {
    for (const name of ['model.safetensors.index.json', 'model.safetensors']) {
      write(name, 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 151061672\n');
      expect(await problem()).toContain(`${name} cannot be used: it is a pointer of Git LFS`);
    }
  });

  it.each<[string, string, string]>([
    ['an index that is not JSON', '{', 'not JSON'],
    ['an index without a map', '{}', 'weight_map'],
    ['an index of nothing', '{"weight_map":{}}', 'empty'],
    ['a shard in another directory', '{"weight_map":{"x":"../model-1.safetensors"}}', '../model-1.safetensors is not'],
    ['a shard of an absolute name', '{"weight_map":{"x":"/etc/model-1.safetensors"}}', 'is not the name'],
    ['a shard of another kind', '{"weight_map":{"x":"config.json"}}', 'config.json is not'],
    [
      'a shard that is missing',
      '{"weight_map":{"x":"model-3.safetensors"}}',
      'model-3.safetensors cannot be used: it is missing',
    ],
    ['a tensor missing in its shard', '{"weight_map":{"y":"model-1.safetensors"}}', 'the tensor y is missing'],
    ['a tensor in another shard', '{"weight_map":{"x":"model-2.safetensors","z":"model-1.safetensors"}}', 'is missing'],
    [
      'a tensor in two shards',
      '{"weight_map":{"x":"model-1.safetensors","v":"model-4.safetensors"}}',
      'another file also has the tensor x',
    ],
  ])('rejects %s', async (_, index, message) => {
    const x = { shape: [1], data: Float32Array.of(1) };
    write('model-1.safetensors', safetensors({ x }));
    write('model-2.safetensors', safetensors({ z: x }));
    write('model-4.safetensors', safetensors({ v: x, x }));
    write('model.safetensors.index.json', index);
    expect(await problem()).toContain(message);
  });

  it('rejects a directory without a checkpoint and a directory as file', async () => {
    expect(await problem()).toContain('neither model.safetensors nor');
    rmSync(directory, { recursive: true });
    expect(await problem()).toContain('neither model.safetensors nor');
    directory = mkdtempSync(join(root, 'checkpoint-'));
    mkdirSync(join(directory, 'model.safetensors'));
    expect(await problem()).toContain('model.safetensors cannot be used: it cannot be opened');
  });

  it('survives any damage with an error or tensors no larger than the file', async () => {
    const file = safetensors({
      one: { shape: [2, 2], data: new Float32Array(4) },
      two: { shape: [3], data: new Float32Array(3), type: 'F16' },
    });
    const headerEnd = file.length - 22;
    let rejected = 0;
    for (let position = 0; position < headerEnd; position++) {
      for (const byte of [0, 0x22, 0x30, 0x39, 0x7d, 0xff]) {
        const damaged = Buffer.from(file);
        damaged[position] = byte;
        write('model.safetensors', damaged);
        try {
          const checkpoint = await SafetensorsCheckpoint.open(directory);
          for (const name of checkpoint.names) {
            expect((await checkpoint.read(name)).byteLength).toBeLessThanOrEqual(file.length);
          }
          await checkpoint.close();
        } catch (error) {
          expect(error).toBeInstanceOf(HearsayError);
          rejected++;
        }
      }
    }
    expect(rejected).toBeGreaterThan(headerEnd * 3);
    for (let length = 0; length < file.length; length++) {
      write('model.safetensors', file.subarray(0, length));
      await problem();
    }
  });
});
