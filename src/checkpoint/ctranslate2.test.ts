import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ctranslate2File, type ModelToWrite, quantizeRows } from '../../test/fixtures/ctranslate2.ts';
import { HearsayError } from '../errors.ts';
import { CTranslate2Model } from './ctranslate2.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-ctranslate2-'));
afterAll(() => rmSync(root, { recursive: true }));

function directoryOf(file: Uint8Array): string {
  const directory = mkdtempSync(join(root, 'model-'));
  writeFileSync(join(directory, 'model.bin'), file);
  return directory;
}
const open = (file: Uint8Array) => CTranslate2Model.open(directoryOf(file));
const write = (model: ModelToWrite) => open(ctranslate2File(model));
const refusal = (problem: string | RegExp) => ({
  code: 'model_load_failed',
  message: expect.stringMatching(problem),
});

const values = Float32Array.of(1, -0.5, 0.25, 3, -2, 0.75);
const small: ModelToWrite = {
  variables: {
    'a/weight': { shape: [2, 3], data: Int8Array.of(127, -64, 0, 1, 2, -127) },
    'a/weight_scale': { shape: [2], data: Float32Array.of(127, 2) },
    'b/bias': { shape: [6], data: values, type: 'float16' },
    'c/heads': { shape: [], data: Int16Array.of(8) },
  },
  aliases: { 'd/weight': 'a/weight', 'd/bias': 'b/bias' },
};

describe('CTranslate2Model', () => {
  it('reads floats of every type, whole and by rows', async () => {
    const types = ['float32', 'float16', 'bfloat16'] as const;
    const model = await write({
      variables: Object.fromEntries(types.map((type) => [type, { shape: [3, 2], data: values, type }])),
    });
    for (const type of types) {
      expect(await model.read(type, [3, 2])).toEqual(values);
      expect(await model.read(type, [3, 2], { start: 1, count: 2 })).toEqual(values.slice(2));
    }
    await model.close();
  });

  it('multiplies bytes by the inverse of the scale of their row, also through an alias', async () => {
    const model = await write(small);
    const factor = Math.fround(1 / 127);
    const rows = Float32Array.of(127 * factor, -64 * factor, 0, 0.5, 1, -63.5);
    expect(await model.read('a/weight', [2, 3])).toEqual(rows);
    expect(await model.read('d/weight', [2, 3], { start: 1, count: 1 })).toEqual(rows.slice(3));
    expect([model.nameOf('d/weight'), model.shape('d/weight')]).toEqual(['a/weight', [2, 3]]);
    await model.close();
  });

  it('restores quantized rows within half a step', async () => {
    const data = Float32Array.from({ length: 4 * 50 }, (_, i) => Math.sin(i) * 10 ** (i % 4));
    const { bytes, scales } = quantizeRows(data, 4);
    const model = await write({
      variables: { w: { shape: [4, 5, 10], data: bytes }, w_scale: { shape: [4], data: scales } },
    });
    const read = await model.read('w', [4, 5, 10]);
    for (const [i, value] of read.entries()) {
      expect(Math.abs(value - data[i]!)).toBeLessThanOrEqual(0.501 / scales[Math.floor(i / 50)]!);
    }
    await model.close();
  });

  it('reads 16-bit integers with one scale', async () => {
    const model = await write({
      variables: {
        w: { shape: [2, 2], data: Int16Array.of(1000, -500, 1, 0) },
        w_scale: { shape: [], data: Float32Array.of(1000) },
      },
    });
    const factor = Math.fround(1 / 1000);
    expect(await model.read('w', [2, 2])).toEqual(Float32Array.of(1000 * factor, -500 * factor, factor, 0));
    await model.close();
  });

  it('reads numbers that describe the model', async () => {
    const model = await write(small);
    expect(await model.integer('c/heads')).toBe(8);
    expect(await model.integer('c/layers')).toBeUndefined();
    await expect(model.integer('b/bias')).rejects.toMatchObject(refusal('b/bias is not an integer'));
    expect([model.specification, model.revision]).toEqual(['WhisperSpec', 3]);
    await model.close();
  });

  it('names a variable that is missing, or has another shape or no valid scale', async () => {
    const model = await write({
      variables: {
        ...small.variables,
        'e/weight': { shape: [2, 1], data: Int8Array.of(1, 2) },
        'f/weight': { shape: [2, 1], data: Int8Array.of(1, 2) },
        'f/weight_scale': { shape: [2], data: Float32Array.of(1, 0) },
        'g/weight': { shape: [1], data: Int32Array.of(1) },
      },
    });
    await expect(model.read('x/weight', [1])).rejects.toMatchObject(refusal('no variable x/weight'));
    await expect(model.read('b/bias', [3, 2])).rejects.toMatchObject(
      refusal(/b\/bias has shape \[6\] instead of \[3,2\]/),
    );
    await expect(model.read('e/weight', [2, 1])).rejects.toMatchObject(refusal(/e\/weight .*have 2 scales/));
    await expect(model.read('f/weight', [2, 1])).rejects.toMatchObject(refusal('f/weight_scale has values'));
    await expect(model.read('g/weight', [1])).rejects.toMatchObject(refusal('g/weight has type int32'));
    await model.close();
  });

  const scalar = (name: string) => ({ variables: { [name]: { shape: [], data: Int8Array.of(1) } } });
  /** The file of one scalar `a`, with a byte changed. */
  const patched = (position: number, value: number) => {
    const file = ctranslate2File(scalar('a'));
    // The variable begins after the version, the specification, its revision and the count.
    file[4 + 2 + 12 + 8 + position] = value;
    return file;
  };

  it.each<[string, Uint8Array, string | RegExp]>([
    ['another version', ctranslate2File({ ...small, version: 5 }), 'version 5 of the CTranslate2 format; only 6'],
    ['nothing', Buffer.alloc(0), 'is 0 bytes long and ends before its version'],
    ['text', Buffer.from('version 1, not binary'), 'version 1936876918'],
    ['a pointer of Git LFS', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:'), 'Git LFS'],
    ['an unknown type', patched(5, 9), 'a has the unknown type 9'],
    ['too many dimensions', patched(4, 200), 'a has 200 dimensions'],
    ['a size that is not that of the shape', patched(6, 2), /a of int8 \[\] does not match its 2 bytes/],
    ['a name without an end', patched(3, 65), 'the name of variable 1 of 1 at byte 28 is not a text'],
    ['bytes after the last alias', Buffer.concat([ctranslate2File(small), Buffer.alloc(3)]), '3 bytes after'],
    ['an alias of nothing', ctranslate2File({ ...scalar('a'), aliases: { b: 'c' } }), 'alias b names the missing'],
    ['an alias that is a variable', ctranslate2File({ ...scalar('a'), aliases: { a: 'a' } }), 'variable a twice'],
  ])('rejects %s', async (_, file, problem) => {
    await expect(open(file)).rejects.toMatchObject(refusal(problem));
  });

  it('rejects a folder without model.bin, or with a folder of this name', async () => {
    const empty = mkdtempSync(join(root, 'empty-'));
    await expect(CTranslate2Model.open(empty)).rejects.toMatchObject(refusal('model.bin .*missing'));
    mkdirSync(join(empty, 'model.bin'));
    await expect(CTranslate2Model.open(empty)).rejects.toMatchObject(refusal('model.bin .*opened'));
  });

  it('rejects a file truncated at any position', async () => {
    const file = ctranslate2File(small);
    const directory = directoryOf(file);
    for (let length = 0; length < file.length; length++) {
      writeFileSync(join(directory, 'model.bin'), file.subarray(0, length));
      await expect(CTranslate2Model.open(directory)).rejects.toMatchObject(refusal('ends (before|within)'));
    }
  });

  it('survives damage of every byte with an error or values no larger than the file', async () => {
    const whole = ctranslate2File(small);
    const directory = directoryOf(whole);
    let read = 0;
    for (let i = 0; i < whole.length; i++) {
      for (const value of [0, 255, whole[i]! ^ 1, whole[i]! ^ 128]) {
        const file = Buffer.from(whole);
        file[i] = value;
        writeFileSync(join(directory, 'model.bin'), file);
        try {
          const model = await CTranslate2Model.open(directory);
          try {
            const shape = model.shape('d/weight');
            expect((await model.read('d/weight', shape)).length).toBeLessThanOrEqual(file.length);
            read++;
          } finally {
            await model.close();
          }
        } catch (error) {
          expect(error).toBeInstanceOf(HearsayError);
        }
      }
    }
    // Damage to values is not detected; reading nothing would test nothing.
    expect(read).toBeGreaterThan(100);
  });
});
