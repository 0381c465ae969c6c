import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallKokoro } from '../../../../test/fixtures/kokoro.ts';
import { readStateDictionary } from '../../../checkpoint/pytorch-buffer.ts';
import { readZip } from '../../../checkpoint/zip.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { readHarmonicMix } from './harmonic-mix.ts';
import { prosodyGraph, speechGraph, textGraph } from './networks.ts';
import { KokoroWeights } from './weights.ts';

const file = readFileSync(join(smallKokoro, 'kokoro-v1_0.pth'));
const names = [...readStateDictionary(file).keys()];
let configuration: KokoroConfiguration;
beforeAll(async () => {
  configuration = await readKokoroConfiguration(join(smallKokoro, 'config.json'));
});

/** Reads all tensors of a model. */
async function build(weights: KokoroWeights): Promise<void> {
  textGraph({ weights, configuration });
  prosodyGraph({ weights, configuration });
  await speechGraph({ weights, configuration }, 'direct');
  readHarmonicMix(weights);
  weights.expectAllRead();
}

/** The checkpoint with one file changed, with its checksum. */
function changed(name: string, change: (content: Buffer) => void): Buffer {
  const copy = Buffer.from(file);
  const [path, content] = [...readZip(copy)].find(([path]) => path.endsWith(name))!;
  const bytes = content as Buffer;
  const before = crc32(bytes);
  change(bytes);
  const entry = copy.lastIndexOf(path) - 46;
  expect(copy.readUInt32LE(entry + 16)).toBe(before);
  copy.writeUInt32LE(crc32(bytes), entry + 16);
  return copy;
}

/** The checkpoint with a tensor under another name of the same length. */
function renamed(from: string, to: string): Buffer {
  expect(to).toHaveLength(from.length);
  return changed('/data.pkl', (pickle) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(from.length);
    const at = pickle.indexOf(Buffer.concat([Buffer.from('X'), length, Buffer.from(from)]));
    expect(at).toBeGreaterThan(0);
    pickle.write(to, at + 5);
  });
}

const loaded = async (bytes: Buffer) => build(new KokoroWeights(bytes));
const failing = (message: string) =>
  expect.objectContaining({ code: 'model_load_failed', message: expect.stringContaining(message) });

describe('KokoroWeights', () => {
  it('reads every tensor of a checkpoint', async () => {
    await expect(loaded(file)).resolves.toBeUndefined();
  });

  it('applies weight normalization: each output has the norm of its magnitude', () => {
    const weights = new KokoroWeights(file);
    const { kernel, bias } = weights.convolution('text_encoder.cnn.0.0', [24, 24, 5], 24);
    const magnitudes = new KokoroWeights(file).read('text_encoder.cnn.0.0.weight_g', [24, 1, 1]);
    for (const [output, magnitude] of magnitudes.entries()) {
      expect(Math.hypot(...kernel.subarray(output * 120, (output + 1) * 120))).toBeCloseTo(magnitude, 5);
    }
    expect(bias).toHaveLength(24);
  });

  it('names a tensor that is missing', async () => {
    const bytes = renamed('module.lstm.weight_ih_l0', 'module.lstm.weight_ih_l9');
    await expect(loaded(bytes)).rejects.toThrow(failing('lacks the tensor predictor.lstm.weight_ih_l0'));
  });

  it('names the file that is cut short, or a pointer of Git LFS', async () => {
    await expect(loaded(file.subarray(0, -1))).rejects.toThrow(failing('kokoro-v1_0.pth cannot be used. The file was'));
    const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 327212226\n');
    await expect(loaded(pointer)).rejects.toThrow(
      failing('kokoro-v1_0.pth cannot be used: it is a pointer of Git LFS'),
    );
  });

  it('names a tensor that no Kokoro has', async () => {
    const bytes = renamed('module.encode.norm1.norm.weight', 'module.encode.norm1.norm.wejght');
    await expect(loaded(bytes)).rejects.toThrow(failing('decoder.encode.norm1.norm.wejght'));
  });

  it('names a tensor that is stored in two forms', async () => {
    const plain = names.filter((name) => name.endsWith('weight_v')).map((name) => name.slice(0, -'_v'.length));
    const module = (name: string) => name.slice(name.indexOf('.') + 1);
    const optional = names.filter((name) => name.startsWith('decoder.') && name.endsWith('.norm.bias'));
    const [shadow, spare] = plain
      .filter((name) => name.startsWith('decoder.'))
      .flatMap((name) =>
        optional.filter(({ length }) => length === name.length).map((spare) => [name, spare] as const),
      )[0]!;
    const [part] = module(shadow).split('.weight');
    await expect(loaded(renamed(module(spare), module(shadow)))).rejects.toThrow(
      failing(`${part!.replace('module.', 'decoder.')}.weight both`),
    );
  });

  it('names a tensor of another shape', () => {
    const weights = new KokoroWeights(file);
    const wider = { ...configuration, textKernel: 7 };
    expect(() => textGraph({ weights, configuration: wider })).toThrow(
      failing('text_encoder.cnn.0.0.weight_v is 24 × 24 × 5'),
    );
  });

  it('names a tensor that is not finite', async () => {
    const bytes = changed('/data/0', (content) => content.writeFloatLE(Number.NaN, 40));
    await expect(loaded(bytes)).rejects.toThrow(
      failing('bert.embeddings.word_embeddings.weight has values that are not finite'),
    );
  });

  it('rejects a file that is not a checkpoint', async () => {
    await expect(loaded(Buffer.from('nothing'))).rejects.toThrow(failing('not a PyTorch checkpoint'));
    await expect(loaded(file.subarray(0, 1_000_000))).rejects.toThrow(failing(''));
  });
});
