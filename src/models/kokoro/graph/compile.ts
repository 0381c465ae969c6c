import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileHash } from '../../../checkpoint/file-hash.ts';
import { HearsayError } from '../../../errors.ts';
import { compiledKey, compiledModel, sourceHash } from '../../../ort/compiled-models.ts';
import type { Device } from '../../../ort/device.ts';
import { type ExternalData, writeGraph } from '../../../ort/graph/external-data.ts';
import { reportPlacement } from '../../../ort/node-placement.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { channelBlock } from './channel-blocks.ts';
import type { ConvolutionForm } from './generator.ts';
import { readHarmonicMix } from './harmonic-mix.ts';
import { prosodyGraph, speechGraph, textGraph } from './networks.ts';
import type { ConvolutionRanges } from './quantization.ts';
import { KokoroWeights, WEIGHTS_FILE } from './weights.ts';

/** How a model computes; `winograd`, for CPUs, and `direct`, for GPUs, compute the same. */
export type KokoroForm = 'winograd' | 'direct' | 'int8';

/** The checkpoint to compile, and the target. */
export interface KokoroSource {
  /** Directory of `config.json` and `kokoro-v1_0.pth`. */
  checkpoint: string;
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  device: Device;
  /** Form of the generator's convolutions. */
  form: KokoroForm;
}

/** The files and facts needed to load a compiled model. */
export interface CompiledKokoro extends KokoroSource {
  folder: string;
  configuration: KokoroConfiguration;
}

/** Speaks a few sentences with a `calibration` graph. */
export type Calibrate = (
  model: Pick<CompiledKokoro, 'folder' | 'configuration' | 'device'>,
) => Promise<ConvolutionRanges>;

/** The code that compiles a model. */
const GRAPH_SOURCES = ['models/kokoro/graph', 'models/kokoro/configuration', 'ort/graph', 'checkpoint'];
/** The code that measures ranges for int8. */
const CALIBRATION_SOURCES = [
  'models/kokoro/runtime',
  'models/kokoro/voices',
  'models/kokoro/voice-pack',
  'models/common',
];

/**
 * Compiles a checkpoint of the official form, or finds it compiled under `<modelsDir>/compiled`.
 * @param calibrate measures the ranges of int8
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export async function compileGraphs(source: KokoroSource, calibrate: Calibrate): Promise<CompiledKokoro> {
  const { checkpoint, modelsDir, device, form } = source;
  const configuration = await readKokoroConfiguration(join(checkpoint, 'config.json'));
  const weightsFile = join(checkpoint, WEIGHTS_FILE);
  const fullWeights = form === 'int8' && device.int8DotProduct;
  const block = device.name === 'cpu' ? await channelBlock(device) : 1;
  const key = compiledKey(
    'kokoro',
    JSON.stringify({ device: device.name, form, fullWeights, block }),
    await readFile(join(checkpoint, 'config.json')),
    await fileHash(weightsFile).catch((cause: unknown) => {
      throw new HearsayError('model_load_failed', `The Kokoro checkpoint's ${WEIGHTS_FILE} cannot be read.`, { cause });
    }),
    await sourceHash([...GRAPH_SOURCES, ...(form === 'int8' ? CALIBRATION_SOURCES : [])]),
  );
  const folder = await compiledModel(modelsDir, key, checkpoint, async (to) => {
    const weights = new KokoroWeights(await readFile(weightsFile));
    if (form !== 'int8') {
      await writeModel(weights, configuration, form === 'winograd' ? { block } : form, to);
      if (device.name !== 'cpu') await reportPlacement(to, ['speech']);
      return;
    }
    await writeModel(weights, configuration, 'calibration', to);
    // Float sums depend on the number of threads, but the ranges, and so the sound, must not.
    const ranges = await calibrate({ folder: to, configuration, device: { ...device, threads: 1 } });
    for (const file of await readdir(to)) await rm(join(to, file));
    await writeModel(weights, configuration, { ranges, fullWeights }, to);
  });
  return { ...source, folder, configuration };
}

async function writeModel(
  weights: KokoroWeights,
  configuration: KokoroConfiguration,
  form: ConvolutionForm,
  folder: string,
): Promise<void> {
  const graphs = {
    text: (external: ExternalData) => textGraph({ weights, configuration, external }),
    prosody: (external: ExternalData) => prosodyGraph({ weights, configuration, external }),
    speech: (external: ExternalData) => speechGraph({ weights, configuration, external }, form),
  };
  for (const [name, build] of Object.entries(graphs)) await writeGraph(folder, name, build);
  await writeFile(join(folder, 'harmonic-mix.json'), JSON.stringify(readHarmonicMix(weights)));
  weights.expectAllRead();
}
