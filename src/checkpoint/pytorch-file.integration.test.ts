import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openAiFile } from '../../test/fixtures/openai-checkpoint.ts';
import { HearsayError } from '../errors.ts';
import { PyTorchFile } from './pytorch-file.ts';
import { writeZip } from './zip-writer.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-pytorch-'));
afterAll(() => rmSync(root, { recursive: true }));
const path = join(root, 'small.pt');

async function open(file: Uint8Array): Promise<PyTorchFile> {
  writeFileSync(path, file);
  return PyTorchFile.open(path);
}
const refusal = (problem: string | RegExp) => ({
  code: 'model_load_failed',
  message: expect.stringMatching(problem),
});

/**
 * Saved by PyTorch: `{'dims': {'n_mels': 80, 'n_vocab': 51865, 'n_audio_ctx': 1500}, 'model_state_dict': …}` of a module
 * with a linear layer in half precision and a buffer.
 */
const saved = inflateSync(
  Buffer.from(
    'eNqlVctv00gYnyStm5pu+liWlrKUx8Ju2C0h75pnVxYySBbaEECy9mI59hBb68T94nF5SJEqoVa7F8SVC+JPQEICcQIkDogbe+DUC0IIceJfYMYuqe3SFtqRxiOP5/eYme/7XJNTfQil02hNG0FjSOvopjWPjxka0XJz/9iSmEF/R9pCsgsoq1AOZFgtFxJdSGYVjr621Ra2XUjJNWXAf513dK0BfRfuvlJ2+BOaZ1iOqpPr0H9hud9TRuhsyzGwrbpEI1g1LJ0Ap+uObWOdWE7b5f/qGLiDjbP0Cw8DR+qQzio7KWzOcS22QrNV3Gpgw7DaTRjUiUM3kFM9Ytkur3Zww7NsQyW47Toddb7IA5/N+u5culJrYtgRQHjJdjRyKZjkYUhJ0DV5+EFJ0VGf8yAjcwSGL8pITsqpJRiRU3JiCUb/M5mnMQI/1mGnwtPFjkdy17DVNAn8ZFI184vCec2+2hPY5QsUYNz0iSd6xLsD4smAeA+Bn+uwV0mvEDcszYWpgNYMOIqwj3IkCez3ORbhgJxYhIMB/hcCh+pw2OvCr8ogXUxviGjsbuE3/zs9DHbzcKQLv/vHMo87Lj1V+ENOuP7eqSpMd+GoyWY8t+HlavJA+vbbh1YiiRDrtXUDahyd6AVU7qrTaWlEXRGQxGosrr61FZj+40/Lt9jmWV9ffxLNrOqvXLiq2Vaz3cJtIomlrViolpmB2Wvwke4dJTc0MIpmewYaNwh2WDBL4sktbt1vtkWIjZmHxdPvdrO84zb0kEFnIll9LC+JJ7ZhIGBdOEMfswj9SfsC7fdnmaP6+w/7JuiHiU0cTUcdFSQx+82O0Cn0DAmojET0gmn++0h5PkRZhzbRFKKaRUksb+kUUB69ZLqZuTt3WBHs21B3OBQBvdDf1v2XeKb++l7zyubxN4WKqwngb9vFHYtmwE2N1U7VMiQx951m8kL5eFkQhPLM8WolXxZmSpV8vlgSSuVSpVCtVIX8TKEiVIvM5ZOlB1yW+sj6LlmxWPUZLiEja5zH/0NxdLgAjEeQF5NovaITJwkn8WSE5HWYZE3liPOEE3E0wlNPobUFIA4PZ00mAn+TQrHcjWPD0R/Fmn0xbCGODUdwFLscxxbj2HD8DUewl/tRPOLj4HBYTEXA/4fAXw/Ymsxx01/CO3W0hxyMjeeSwXidC0aKY/839HTFQ/Dn6OcCzKC/Plj7GShkD5Q=',
    'base64',
  ),
);
const weight = Float32Array.of(1, -2, 0.5, 0.25, 3, -4);

describe('PyTorchFile', () => {
  it('reads what PyTorch writes: nested dictionaries of tensors and integers', async () => {
    const file = await open(saved);
    expect(file.integers).toEqual(
      new Map([
        ['dims.n_mels', 80],
        ['dims.n_vocab', 51_865],
        ['dims.n_audio_ctx', 1500],
      ]),
    );
    expect([...file.names].sort()).toEqual(
      ['out.bias', 'out.weight', 'positional_embedding'].map((name) => `model_state_dict.${name}`),
    );
    expect(await file.read('model_state_dict.out.weight', [2, 3])).toEqual(weight);
    expect(await file.read('model_state_dict.out.bias', [2])).toEqual(Float32Array.of(0.125, -8));
    expect(await file.read('model_state_dict.positional_embedding', [2, 3])).toEqual(
      Float32Array.of(0, 0.25, 0.5, 0.75, 1, 1.25),
    );
    await file.close();
  });

  it('names a tensor that is missing, has another shape, or whose data is damaged', async () => {
    const damaged = Buffer.from(saved);
    damaged[damaged.indexOf(Buffer.from(Uint16Array.of(0x3c00, 0xc000).buffer))]! ^= 1;
    const file = await open(damaged);
    const name = 'model_state_dict.out.weight';
    await expect(file.read('x', [1])).rejects.toMatchObject(refusal('no tensor x'));
    await expect(file.read(name, [3, 2])).rejects.toMatchObject(refusal(/shape \[2,3\] instead of \[3,2\]/));
    await expect(file.read(name, [2, 3])).rejects.toMatchObject(
      refusal(/small\.pt cannot be used: the tensor model_state_dict\.out\.weight .*checksum .* differs/),
    );
    await file.close();
  });

  it('reads files of the writer that other tests use', async () => {
    const file = await open(
      openAiFile({ n_mels: 80 }, { 'out.weight': { shape: [2, 3], data: weight, type: 'float16' } }),
    );
    expect(file.integers.get('dims.n_mels')).toBe(80);
    expect(await file.read('model_state_dict.out.weight', [2, 3])).toEqual(weight);
    expect(file.shape('model_state_dict.out.weight')).toEqual([2, 3]);
    await file.close();
  });

  describe('in an archive of more than 4 GB, with its 64-bit fields,', () => {
    /** The same archive with the fields that a longer one would have. */
    function inLongForm(zip: Buffer): Buffer {
      const [count, start] = [zip.readUInt16LE(zip.length - 12), zip.readUInt32LE(zip.length - 6)];
      const entries: Buffer[] = [];
      for (let position = start, i = 0; i < count; i++) {
        const length = 46 + zip.readUInt16LE(position + 28);
        const entry = Buffer.from(zip.subarray(position, position + length));
        const extra = Buffer.alloc(28);
        extra.writeUInt32LE(0x180001);
        for (const [index, offset] of [24, 20, 42].entries()) {
          extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(offset)), 4 + index * 8);
          entry.writeUInt32LE(0xffffffff, offset);
        }
        entry.writeUInt16LE(extra.length, 30);
        entries.push(entry, extra);
        position += length;
      }
      const directory = Buffer.concat([zip.subarray(0, start), ...entries]);
      const record = Buffer.alloc(56 + 20);
      record.writeUInt32LE(0x06064b50, 0);
      record.writeBigUInt64LE(BigInt(count), 32);
      record.writeBigUInt64LE(BigInt(start), 48);
      record.writeUInt32LE(0x07064b50, 56);
      record.writeBigUInt64LE(BigInt(directory.length), 64);
      const end = Buffer.from(zip.subarray(zip.length - 22));
      end.writeUInt16LE(0xffff, 10);
      end.writeUInt32LE(0xffffffff, 16);
      return Buffer.concat([directory, record, end]);
    }
    const long = inLongForm(openAiFile({ n_mels: 80 }, { 'out.weight': { shape: [2, 3], data: weight } }));

    it('reads tensors', async () => {
      const file = await open(long);
      expect(await file.read('model_state_dict.out.weight', [2, 3])).toEqual(weight);
      await file.close();
    });

    it('survives damage of every byte of the directory', async () => {
      for (let i = long.length - 400; i < long.length; i++) {
        for (const value of [255, long[i]! ^ 1]) {
          const bytes = Buffer.from(long);
          bytes[i] = value;
          await open(bytes).then(
            (file) => file.close(),
            (error) => expect(error).toBeInstanceOf(HearsayError),
          );
        }
      }
    });
  });

  const pickled = (text: string) =>
    writeZip([
      ['a/data.pkl', Buffer.from(text, 'latin1')],
      ['a/data/0', Buffer.alloc(8)],
    ]);
  const storage = (elements: string) =>
    `(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0${elements}X\x03\0\0\0cpuK\x02tQ`;
  const tensorOf = (key: string, dims: string, strides: string) =>
    `}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n(${storage(key)}K\0${dims}${strides}\x89ccollections\nOrderedDict\n)RtRs.`;

  it('bounds the memory of a tensor by its data', async () => {
    for (const [dims, strides] of [
      ['J\xff\xff\xff\x7f\x85', 'K\0\x85'],
      ['K\x03\x85', 'K\x01\x85'],
    ] as const) {
      const file = await open(pickled(tensorOf('0', dims, strides)));
      await expect(file.read('a', file.shape('a'))).rejects.toMatchObject(refusal('more elements than the file'));
      await file.close();
    }
    const without = await open(pickled(tensorOf('7', 'K\x02\x85', 'K\x01\x85')));
    await expect(without.read('a', [2])).rejects.toMatchObject(refusal('no data of the tensor a'));
    await without.close();
  });

  it.each<[string, Uint8Array, string | RegExp]>([
    ['nothing', Buffer.alloc(0), 'truncated or is not a PyTorch checkpoint'],
    ['text', Buffer.from('a checkpoint\n'.repeat(100)), 'truncated or is not a PyTorch checkpoint'],
    ['another archive', writeZip([['a/b', Buffer.from('c')]]), 'the archive has no data.pkl'],
    ['a call', pickled('cos\nsystem\n(X\x04\0\0\0exittR.'), 'content other than tensors'],
    ['a bare tensor', pickled(`${tensorOf('0', 'K\x02\x85', 'K\x01\x85').slice(7, -2)}.`), 'a single tensor'],
    [
      'big-endian numbers',
      writeZip([
        ['a/data.pkl', Buffer.from('}.')],
        ['a/byteorder', Buffer.from('big')],
      ]),
      'not little-endian',
    ],
  ])('rejects %s', async (_, file, problem) => {
    await expect(open(file)).rejects.toMatchObject(refusal(problem));
  });

  it('rejects a file truncated at any position', async () => {
    for (let length = 0; length < saved.length; length += 7) {
      await expect(open(saved.subarray(0, length))).rejects.toMatchObject(refusal('small.pt cannot be used: '));
    }
  });

  it('survives damage of every byte with an error or the right values', async () => {
    let read = 0;
    for (let i = 0; i < saved.length; i++) {
      const bytes = Buffer.from(saved);
      bytes[i]! ^= 1;
      try {
        const file = await open(bytes);
        try {
          for (const name of file.names) expect((await file.read(name, file.shape(name))).length).toBeLessThan(20);
          read++;
        } finally {
          await file.close();
        }
      } catch (error) {
        expect(error).toBeInstanceOf(HearsayError);
      }
    }
    // Damage to padding and dates is harmless; reading nothing would test nothing.
    expect(read).toBeGreaterThan(100);
  });
});
