import { createHash } from 'node:crypto';
import { open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SafetensorsCheckpoint } from '../../../checkpoint/safetensors.ts';
import { builderSources, compiledKey, compiledModel } from '../../../ort/compiled-models.ts';
import { hasInt8DotProduct } from '../../../ort/device.ts';
import { writeGraph } from '../../../ort/graph/external-data.ts';
import type { ComputeType } from '../../../ort/graph/linear.ts';
import { readWhisperConfiguration, type WhisperConfiguration } from '../configuration.ts';
import { decoderGraph } from './decoder.ts';
import { writeEmbeddingRows } from './embedding.ts';
import { encoderGraph } from './encoder.ts';
import { type SummedText, summedText } from './logits.ts';
import { attendsInBytes } from './network.ts';
import { WhisperWeights } from './weights.ts';

/** What a model is loaded from, and what it was compiled from. */
export interface CompiledWhisper {
  folder: string;
  configuration: WhisperConfiguration;
  computeType: ComputeType;
  /** What the keys and values of one window's audio take, in bytes. */
  audioBytes: number;
  checkpoint: string;
  modelsDir: string;
  /** The first token of its vocabulary that is no text. */
  endOfText: number;
}

/**
 * Compiles a checkpoint of the official form, or finds it compiled under `<modelsDir>/compiled`.
 * @param checkpoint folder of `config.json` and `model.safetensors`, or of its shards
 * @param endOfText the first token of its vocabulary that is no text
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export async function compileWhisper(
  checkpoint: string,
  computeType: ComputeType,
  modelsDir: string,
  endOfText: number,
): Promise<CompiledWhisper> {
  const configuration = await readWhisperConfiguration(checkpoint);
  const text = summedText(configuration, endOfText);
  const options = { computeType, signedWeights: hasInt8DotProduct() };
  const key = compiledKey(
    'whisper',
    JSON.stringify([options, configuration, text]),
    await weightsIdentity(checkpoint),
    ...(await builderSources(import.meta.url, builderFiles)),
  );
  const folder = await compiledModel(modelsDir, key, async (to) => {
    const safetensors = await SafetensorsCheckpoint.open(checkpoint);
    try {
      await writeModel(new WhisperWeights(safetensors), { configuration, text }, options, to);
    } finally {
      await safetensors.close();
    }
  });
  const { decoderLayers, audioPositions, width } = configuration;
  const audioBytes = decoderLayers * 2 * audioPositions * width * (attendsInBytes(options) ? 1 : 4);
  return { folder, configuration, computeType, audioBytes, checkpoint, modelsDir, endOfText };
}

const builderFiles = [
  './compile',
  './network',
  './encoder',
  './decoder',
  './logits',
  './cross-attention',
  './weights',
  './embedding',
  '../../../checkpoint/floats',
  '../../../checkpoint/safetensors',
  '../../../checkpoint/safetensors-header',
  '../../../ort/graph/external-data',
  '../../../ort/graph/builder',
  '../../../ort/graph/linear',
  '../../../ort/graph/schema',
];

async function writeModel(
  weights: WhisperWeights,
  { configuration, text }: { configuration: WhisperConfiguration; text: SummedText },
  options: { computeType: ComputeType; signedWeights: boolean },
  folder: string,
): Promise<void> {
  const { width, vocabulary, textPositions } = configuration;
  await writeGraph(folder, 'encoder', (external) => encoderGraph(weights, configuration, { ...options, external }));
  const embedding = await weights.read('decoder.embed_tokens.weight', [vocabulary, width]);
  writeEmbeddingRows(folder, embedding);
  await writeGraph(folder, 'decoder', (external) =>
    decoderGraph(weights, configuration, embedding, text, { ...options, external }),
  );
  const positions = await weights.read('decoder.embed_positions.weight', [textPositions, width]);
  await writeFile(join(folder, 'positions.f32'), new Uint8Array(positions.buffer));
}

const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/**
 * Tells weights apart without reading 3 GB on every start: names, sizes and times of change of the files, and bytes from
 * all over them, so that another file in the place of this one is noticed whatever its date says.
 */
async function weightsIdentity(checkpoint: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(checkpoint)).filter((name) => /\.safetensors(\.index\.json)?$/.test(name)).sort();
  for (const name of names) {
    const file = await open(join(checkpoint, name));
    try {
      const { size, mtimeMs } = await file.stat();
      hash.update(JSON.stringify([name, size, mtimeMs]));
      for (let sample = 0; sample < SAMPLES; sample++) {
        const { buffer, bytesRead } = await file.read({
          buffer: new Uint8Array(SAMPLE_BYTES),
          position: Math.floor((size / SAMPLES) * sample),
        });
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex');
}
