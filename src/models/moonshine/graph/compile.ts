import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledKey, compiledModel, sourceHash } from '../../../ort/compiled-models.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import { ModelWeights } from '../../../ort/graph/weights.ts';
import { decoderGraph, type EmbeddingTable, embeddingTable } from './decoder.ts';
import { encoderGraph } from './encoder.ts';
import { moonshineTiny } from './network.ts';

/**
 * The cross-attention heads that follow speech most closely, chosen by comparing every head's alignment with the phone times
 * of synthesized speech. Half of the word starts are within 31 ms, on the same 20 sentences (those of 36 transcribed without
 * an error).
 */
const alignmentHeads = [
  [3, 5],
  [3, 7],
  [4, 6],
] as const;

/** The target of the compilation. */
export interface MoonshineSource {
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  device: Device;
  computeType: ComputeType;
}

/** A compiled model: two graphs and the embedding table in a directory. */
export interface CompiledMoonshine {
  folder: string;
  /** With one thread: several windows side by side use the cores better than one window's small operators do. */
  device: Device;
}

/** Code that the graphs depend on. */
const SOURCES = ['models/moonshine/graph', 'ort/graph'];

/**
 * Compiles the graphs from the weights that ship in npm, which takes half a second, unless they are in
 * `<modelsDir>/compiled` already.
 */
export async function compileMoonshine({
  modelsDir,
  device,
  computeType,
}: MoonshineSource): Promise<CompiledMoonshine> {
  const packageDir = join(dirname(fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))), '..');
  const options = { computeType, signedWeights: device.int8DotProduct };
  const key = compiledKey(
    'moonshine-tiny',
    JSON.stringify([device.name, options]),
    await readFile(join(packageDir, 'package.json')),
    await sourceHash(SOURCES),
  );
  const folder = await compiledModel(modelsDir, key, packageDir, async (to) => {
    const read = async (name: string) =>
      new ModelWeights(await readFile(join(packageDir, 'dist/model/tiny/quantized', name)));
    const [encoder, decoder] = await Promise.all([read('encoder_model.onnx'), read('decoder_model_merged.onnx')]);
    const { weight, scale, zeroPoint } = embeddingTable(decoder);
    await writeFile(join(to, 'encoder.onnx'), encoderGraph(encoder, decoder, options));
    await writeFile(join(to, 'decoder.onnx'), decoderGraph(decoder, options, alignmentHeads));
    await writeFile(join(to, 'embedding.bin'), weight);
    await writeFile(join(to, 'embedding.json'), JSON.stringify({ scale, zeroPoint }));
  });
  return { folder, device: { ...device, threads: 1 } };
}

/**
 * Reads the embedding table of a compiled model into shared memory, for all threads.
 * @throws Error if it is damaged
 */
export async function readEmbedding(folder: string): Promise<EmbeddingTable> {
  const table = await readFile(join(folder, 'embedding.bin'));
  if (table.length !== moonshineTiny.vocabulary * moonshineTiny.width)
    throw new Error('The embedding table is damaged');
  const weight = new Uint8Array(new SharedArrayBuffer(table.length));
  weight.set(table);
  return { weight, ...JSON.parse(await readFile(join(folder, 'embedding.json'), 'utf8')) };
}
