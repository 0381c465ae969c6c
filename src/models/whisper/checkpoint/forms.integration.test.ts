import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelToWrite } from '../../../../test/fixtures/ctranslate2.ts';
import { openAiFile } from '../../../../test/fixtures/openai-checkpoint.ts';
import {
  type CTranslate2Quantization,
  microTensors,
  openAiForm,
  type Tensors,
  writeCTranslate2Form,
  writeTransformersForm,
} from '../../../../test/fixtures/whisper-forms.ts';
import { SafetensorsCheckpoint } from '../../../checkpoint/safetensors.ts';
import { readWhisperConfiguration } from '../configuration.ts';
import { WhisperWeights } from '../graph/weights.ts';
import { checkpointForm, weightFiles } from './form.ts';
import { openTensors } from './tensors.ts';

// HEARSAY_TEST_WHISPER_FORMS names a checkpoint in the form of transformers and the same one in others without
// quantization, separated by colons.
const [official, ...others] = (process.env.HEARSAY_TEST_WHISPER_FORMS ?? '').split(':');

let root: string;
let tensors: Tensors;
let transformers: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'hearsay-forms-'));
  tensors = await microTensors();
  transformers = join(root, 'transformers');
  writeTransformersForm(transformers, tensors);
});
afterAll(() => rmSync(root, { recursive: true }));

const refusal = (problem: string | RegExp) => ({ code: 'model_load_failed', message: expect.stringMatching(problem) });

function ctranslate2(change?: (model: ModelToWrite) => ModelToWrite, type: CTranslate2Quantization = 'float32') {
  const directory = mkdtempSync(join(root, 'ctranslate2-'));
  writeCTranslate2Form(directory, tensors, type, change);
  return directory;
}

function openAi(file: Uint8Array): string {
  const path = join(mkdtempSync(join(root, 'openai-')), 'micro.pt');
  writeFileSync(path, file);
  return path;
}

/** Expects all tensors of two checkpoints to be the same, bit by bit. */
async function expectSameTensors(checkpoint: string, other: string): Promise<void> {
  const shapes = await SafetensorsCheckpoint.open(checkpoint);
  const [expected, actual] = [await openTensors(checkpoint), await openTensors(other)];
  expect(shapes.names.length).toBeGreaterThan(50);
  for (const name of shapes.names) {
    const [short, shape] = [name.replace(/^model\./, ''), shapes.shape(name)];
    const [a, b] = [await expected.read(short, shape), await actual.read(short, shape)];
    expect(Buffer.from(a.buffer).equals(Buffer.from(b.buffer)), `${short} of ${other}`).toBe(true);
  }
  await Promise.all([shapes, expected, actual].map((each) => each.close()));
}

describe('a checkpoint of CTranslate2', () => {
  it('has the tensors and the configuration of the official form', async () => {
    const directory = ctranslate2(undefined, 'float16');
    expect(await checkpointForm(directory)).toBe('ctranslate2');
    expect(await weightFiles(directory)).toEqual([join(directory, 'model.bin')]);
    await expectSameTensors(transformers, directory);
    const expected = await readWhisperConfiguration(transformers);
    // Only the size of the vocabulary shows it.
    expect(await readWhisperConfiguration(directory)).toEqual({ ...expected, multilingual: false });
  });

  it('has tensors within half a step in bytes', async () => {
    const read = await openTensors(ctranslate2(undefined, 'int8'));
    for (const name of [
      'encoder.conv1.weight',
      'decoder.layers.1.encoder_attn.v_proj.weight',
      'decoder.embed_tokens.weight',
    ]) {
      const { shape, data } = tensors.get(name)!;
      const values = await read.read(name, shape);
      const length = data.length / shape[0]!;
      for (let row = 0; row < shape[0]!; row += 7) {
        const [a, b] = [data, values].map((all) => all.subarray(row * length, (row + 1) * length));
        const largest = a!.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
        expect(a!.every((value, i) => Math.abs(value - b![i]!) <= (0.501 * largest) / 127)).toBe(true);
      }
    }
    await read.close();
  });

  it('may have another number of heads, and then uses those of the upper layers', async () => {
    const directory = ctranslate2(({ variables, ...model }) => ({
      ...model,
      variables: { ...variables, 'decoder/num_heads': { shape: [], data: Int16Array.of(8) } },
    }));
    writeFileSync(join(directory, 'config.json'), '{"suppress_ids":null,"suppress_ids_begin":null,"lang_ids":[]}');
    const { decoderHeads, alignmentHeads, suppressTokens } = await readWhisperConfiguration(directory);
    expect([decoderHeads, alignmentHeads.length, suppressTokens]).toEqual([8, 8, []]);
  });

  it('names a tensor with values that are not finite as the file does', async () => {
    const directory = ctranslate2(({ variables, ...model }) => {
      const gamma = { shape: [128], data: new Float32Array(128).fill(Number.NaN) };
      return { ...model, variables: { ...variables, 'encoder/layer_1/ffn/layer_norm/gamma': gamma } };
    });
    const weights = await WhisperWeights.open(directory);
    const problem = 'tensor encoder/layer_1/ffn/layer_norm/gamma has values that are not finite';
    await expect(weights.read('encoder.layers.1.final_layer_norm.weight', [128])).rejects.toMatchObject(
      refusal(problem),
    );
    await weights.close();
  });

  const scalar = (name: string, value: number) => ({ [name]: { shape: [], data: Int8Array.of(value) } });
  it.each<[string, (model: ModelToWrite) => ModelToWrite, string | RegExp]>([
    ['another model', (model) => ({ ...model, specification: 'TransformerSpec' }), 'it is a TransformerSpec'],
    [
      'another activation',
      ({ variables }) => ({ variables: { ...variables, ...scalar('decoder/activation', 0) } }),
      'decoder/activation: 0 is not supported',
    ],
    [
      'heads that do not divide the width',
      ({ variables }) => ({ variables: { ...variables, ...scalar('encoder/num_heads', 7) } }),
      'encoder/num_heads: 7 heads do not divide the 128 channels',
    ],
    [
      'an output layer of its own',
      ({ variables }) => {
        const table = variables['decoder/embeddings/weight']!;
        const data = Float32Array.from(table.data, (value, i) => (i === 99 ? value + 1 : value));
        return { variables: { ...variables, 'decoder/projection/weight': { ...table, data } } };
      },
      'output layer is not its embedding table',
    ],
    [
      'no layers',
      ({ variables }) => ({
        variables: Object.fromEntries(
          Object.entries(variables).filter(([name]) => !name.startsWith('encoder/layer_0')),
        ),
      }),
      'its encoder has no layers',
    ],
    ['nothing', () => ({ variables: {} }), 'no variable encoder/conv1/weight'],
  ])('with %s is refused', async (_, change, problem) => {
    await expect(readWhisperConfiguration(ctranslate2(change))).rejects.toMatchObject(refusal(problem));
  });

  it('may have an output layer that is stored twice', async () => {
    const directory = ctranslate2(({ variables }) => ({
      variables: { ...variables, 'decoder/projection/weight': variables['decoder/embeddings/weight']! },
    }));
    expect(await readWhisperConfiguration(directory)).toMatchObject({ vocabulary: 2105 });
  });

  it('must agree with preprocessor_config.json', async () => {
    const directory = ctranslate2();
    writeFileSync(join(directory, 'preprocessor_config.json'), '{"feature_size":128}');
    await expect(readWhisperConfiguration(directory)).rejects.toMatchObject(refusal('feature_size: 128.* 80 mel bins'));
  });
});

describe("a checkpoint of OpenAI's own code", () => {
  it('has the tensors and the shape of the official form', async () => {
    const path = openAi(openAiForm(tensors));
    expect(await checkpointForm(path)).toBe('openai');
    expect(await weightFiles(path)).toEqual([path]);
    await expectSameTensors(transformers, path);
    const expected = await readWhisperConfiguration(transformers);
    expect(await readWhisperConfiguration(path)).toEqual({
      ...expected,
      multilingual: false,
      // As the reference, for a file that lists none.
      suppressTokens: [-1],
      beginSuppressTokens: [],
      alignmentHeads: [0, 1, 2, 3].map((head) => [1, head]),
    });
  });

  it('has the alignment heads of the official checkpoint of its shape', async () => {
    const dims = {
      ...{ n_mels: 80, n_vocab: 51_864, n_audio_ctx: 1500, n_audio_state: 384, n_audio_head: 6, n_audio_layer: 4 },
      ...{ n_text_ctx: 448, n_text_state: 384, n_text_head: 6, n_text_layer: 4 },
    };
    const one = { shape: [1, 1], data: Float32Array.of(1) };
    const path = openAi(
      openAiFile(dims, { 'encoder.blocks.0.mlp.0.weight': one, 'decoder.blocks.0.mlp.0.weight': one }),
    );
    const { alignmentHeads, multilingual } = await readWhisperConfiguration(path);
    expect([multilingual, alignmentHeads.length, alignmentHeads[0], alignmentHeads.at(-1)]).toEqual([
      false,
      8,
      [1, 0],
      [3, 4],
    ]);
  });

  it.each<[string, Record<string, number>, string]>([
    ['no dims', {}, 'micro.pt .* no dims.n_audio_state'],
    ['no width', { n_audio_state: 0 }, 'dims.n_audio_state is 0'],
    ['two widths', { n_audio_state: 4, n_text_state: 8 }, 'dims.n_text_state is 8, its dims.n_audio_state 4'],
    ['odd heads', { n_audio_state: 4, n_text_state: 4, n_audio_head: 3 }, 'dims.n_audio_head is 3'],
  ])('with %s is refused', async (_, dims, problem) => {
    await expect(readWhisperConfiguration(openAi(openAiFile(dims, {})))).rejects.toMatchObject(refusal(problem));
  });
});

describe.skipIf(others.length === 0)('the checkpoints of HEARSAY_TEST_WHISPER_FORMS', () => {
  it.each(others)('%s has the tensors and the shape of the first', async (checkpoint) => {
    await expectSameTensors(official!, checkpoint);
    const { suppressTokens: _, beginSuppressTokens: __, ...expected } = await readWhisperConfiguration(official!);
    expect(await readWhisperConfiguration(checkpoint)).toMatchObject(expected);
  });
});
