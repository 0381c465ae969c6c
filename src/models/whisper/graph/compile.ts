import { createHash, type Hash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cannotBeOpened } from '../../../checkpoint/weights-file.ts';
import { compiledKey, compiledModel, sourceHash } from '../../../ort/compiled-models.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import { writeGraph } from '../../../ort/graph/external-data.ts';
import { floatType, type GraphForm, type LinearOptions } from '../../../ort/graph/linear.ts';
import { reportPlacement } from '../../../ort/node-placement.ts';
import { weightFiles } from '../checkpoint/form.ts';
import { readWhisperConfiguration, type WhisperConfiguration } from '../configuration.ts';
import { decoderGraph } from './decoder.ts';
import { writeEmbeddingRows } from './embedding.ts';
import { encoderGraph } from './encoder.ts';
import { joinGraph, keepGraph, ROW_GRAPHS } from './gpu-rows.ts';
import { type SummedText, summedText } from './logits.ts';
import type { GraphOptions } from './network.ts';
import { WhisperWeights } from './weights.ts';

/** The checkpoint to compile, and the target. */
export interface WhisperSource {
  /** Directory of a checkpoint, or a file of OpenAI's own code. */
  checkpoint: string;
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  device: Device;
  computeType: ComputeType;
  /** Id of the end-of-text token, the first that is not text. */
  endOfText: number;
  /** Default: that of the checkpoint, which is read. */
  configuration?: WhisperConfiguration;
  /** Default: that of the device. */
  form?: GraphForm;
}

/** The files and facts needed to load a compiled model. */
export interface CompiledWhisper extends WhisperSource {
  form: GraphForm;
  folder: string;
  configuration: WhisperConfiguration;
  /** Bytes of the keys and values of one window: those of its audio, and on a GPU also of its tokens, all of them twice. */
  windowBytes: number;
}

/** The code that compiles a model. */
const SOURCES = [
  'models/whisper/graph',
  'models/whisper/checkpoint',
  'models/whisper/configuration',
  'ort/graph',
  'checkpoint',
];

/**
 * Compiles a checkpoint, unless it is in `<modelsDir>/compiled` already.
 * @throws HearsayError `model_load_failed` naming the file or the tensor
 */
export async function compileWhisper(source: WhisperSource): Promise<CompiledWhisper> {
  const { checkpoint, modelsDir, device, computeType, endOfText } = source;
  const { form = device.name === 'cpu' ? 'cpu' : 'gpu' } = source;
  const { configuration = await readWhisperConfiguration(checkpoint) } = source;
  const text = summedText(configuration, endOfText);
  const options = { form, computeType, signedWeights: device.int8DotProduct } as const;
  const key = compiledKey(
    'whisper',
    JSON.stringify([device.name, options, configuration, text]),
    await weightsIdentity(checkpoint),
    await sourceHash(SOURCES),
  );
  const folder = await compiledModel(modelsDir, key, checkpoint, async (to) => {
    const weights = await WhisperWeights.open(checkpoint);
    try {
      await writeModel(weights, { configuration, text }, options, to);
      if (form === 'gpu') await writeRowGraphs(to, configuration, options);
      if (device.name !== 'cpu') await reportPlacement(to, ['encoder', 'decoder']);
    } finally {
      await weights.close();
    }
  });
  const { decoderLayers, audioPositions, textPositions, width } = configuration;
  const valueBytes = { int8: 1, float16: 2, float32: 4 }[computeType];
  const positions = form === 'gpu' ? 2 * (audioPositions + textPositions) : audioPositions;
  return {
    ...source,
    form,
    folder,
    configuration,
    windowBytes: decoderLayers * 2 * positions * width * valueBytes,
  };
}

async function writeModel(
  weights: WhisperWeights,
  { configuration, text }: { configuration: WhisperConfiguration; text: SummedText },
  options: Omit<GraphOptions, 'external'>,
  directory: string,
): Promise<void> {
  const { width, vocabulary, textPositions } = configuration;
  await writeGraph(directory, 'encoder', (external) => encoderGraph(weights, configuration, { ...options, external }));
  const embedding = await weights.read('decoder.embed_tokens.weight', [vocabulary, width]);
  writeEmbeddingRows(directory, embedding);
  await writeGraph(directory, 'decoder', (external) =>
    decoderGraph(weights, configuration, embedding, text, { ...options, external }),
  );
  const positions = await weights.read('decoder.embed_positions.weight', [textPositions, width]);
  await writeFile(join(directory, 'positions.f32'), new Uint8Array(positions.buffer));
}

async function writeRowGraphs(directory: string, configuration: WhisperConfiguration, options: LinearOptions) {
  const floats = floatType(options);
  await writeFile(join(directory, ROW_GRAPHS.join), joinGraph(configuration, floats));
  await writeFile(join(directory, ROW_GRAPHS.keep), keepGraph(configuration, floats));
}

const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/**
 * Identifies weights without reading 3 GB at every start: by names, sizes, modification times, and samples from all
 * parts of the files, which detect a replacement with the same date.
 */
async function weightsIdentity(checkpoint: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await weightFiles(checkpoint)) {
    await hashSamples(path, hash).catch((cause: unknown) => {
      throw cannotBeOpened(basename(path), cause);
    });
  }
  return hash.digest('hex');
}

async function hashSamples(path: string, hash: Hash): Promise<void> {
  const file = await open(path);
  try {
    const { size, mtimeMs } = await file.stat();
    hash.update(JSON.stringify([basename(path), size, mtimeMs]));
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
