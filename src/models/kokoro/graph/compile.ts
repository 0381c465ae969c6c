import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { HearsayError } from '../../../errors.ts';
import { builderSources, compiledKey, compiledModel, loadCompiled } from '../../../ort/compiled-models.ts';
import { hasInt8DotProduct } from '../../../ort/device.ts';
import { type ExternalData, writeGraph } from '../../../ort/graph/external-data.ts';
import type { Feeds } from '../../../ort/session.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { readHarmonicMix } from '../runtime/harmonic-source.ts';
import { KokoroModel } from '../runtime/model.ts';
import { VoicePacks } from '../voices.ts';
import { channelBlock } from './channel-blocks.ts';
import type { ConvolutionForm } from './generator.ts';
import { prosodyGraph, speechGraph, textGraph } from './networks.ts';
import { type ConvolutionRange, type ConvolutionRanges, collectRanges } from './quantization.ts';
import { KokoroWeights } from './weights.ts';

/** Name of the weights in a checkpoint's folder, beside its `config.json`. */
const WEIGHTS_FILE = 'kokoro-v1_0.pth';

/** What a model is loaded from, and what it was compiled from. */
export interface CompiledKokoro {
  folder: string;
  configuration: KokoroConfiguration;
  checkpoint: string;
  modelsDir: string;
  form: KokoroForm;
}

/** How a model computes; `winograd` and `direct` compute the same. */
export type KokoroForm = 'winograd' | 'direct' | 'int8';

/**
 * Compiles a checkpoint of the official form, or finds it compiled under `<modelsDir>/compiled`.
 * @param checkpoint folder of `config.json` and `kokoro-v1_0.pth`
 * @param form of the generator's convolutions; for `int8` the model speaks a few sentences while it is compiled
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export async function compileKokoro(
  checkpoint: string,
  modelsDir: string,
  form: KokoroForm = 'winograd',
): Promise<CompiledKokoro> {
  const configuration = await readKokoroConfiguration(join(checkpoint, 'config.json'));
  const weightsFile = join(checkpoint, WEIGHTS_FILE);
  const fullWeights = form === 'int8' && hasInt8DotProduct();
  const block = await channelBlock();
  const key = compiledKey(
    'kokoro',
    JSON.stringify({ form, fullWeights, block }),
    await readFile(join(checkpoint, 'config.json')),
    await fileHash(weightsFile),
    ...(await builderSources(import.meta.url, builderFiles)),
  );
  const folder = await compiledModel(modelsDir, key, async (to) => {
    const weights = new KokoroWeights(await readFile(weightsFile));
    if (form !== 'int8') return writeModel(weights, configuration, form === 'winograd' ? { block } : form, to);
    await writeModel(weights, configuration, 'observed', to);
    const ranges = await observedRanges(to, configuration);
    for (const file of await readdir(to)) await rm(join(to, file));
    await writeModel(weights, configuration, { ranges, fullWeights }, to);
  });
  return { folder, configuration, checkpoint, modelsDir, form };
}

/**
 * Loads a compiled model, which is compiled again where its files are damaged.
 * @param options.threads threads within one operator
 * @throws HearsayError `model_load_failed`
 */
export function loadCompiledKokoro(compiled: CompiledKokoro, options: { threads: number }): Promise<KokoroModel> {
  return loadCompiled(
    'Kokoro',
    compiled,
    (found) => KokoroModel.load(found, options),
    () => compileKokoro(compiled.checkpoint, compiled.modelsDir, compiled.form),
  );
}

const builderFiles = [
  './compile',
  '../runtime/model',
  '../configuration',
  './networks',
  './layers',
  './albert',
  './text-encoder',
  './prosody',
  './residual-block',
  './decoder',
  './generator',
  './quantization',
  './toom-cook',
  './winograd',
  './channel-blocks',
  '../runtime/harmonic-source',
  './weights',
  '../../../checkpoint/floats',
  '../../../checkpoint/pickle',
  '../../../checkpoint/pytorch',
  '../../../checkpoint/zip',
  '../../../ort/graph/external-data',
  '../../../ort/graph/builder',
  '../../../ort/graph/lstm',
  '../../../ort/graph/schema',
  '../../common/random',
];

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  } catch (cause) {
    throw new HearsayError('model_load_failed', `The Kokoro checkpoint's ${WEIGHTS_FILE} cannot be read.`, { cause });
  }
  return hash.digest('hex');
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

/** What channels of the generator hold while a few voices speak. */
async function observedRanges(folder: string, configuration: KokoroConfiguration): Promise<ConvolutionRanges> {
  const ranges = new Map<string, ConvolutionRange>();
  const observer = (outputs: Feeds) => collectRanges(ranges, outputs);
  const model = await KokoroModel.load({ folder, configuration }, { threads: availableParallelism(), observer });
  const voices = new VoicePacks({}, 2 * configuration.style);
  const phonemes = [...OBSERVED_PHONEMES]
    .flatMap((symbol) => configuration.tokens.get(symbol) ?? [])
    .slice(0, model.longestRun);
  for (const name of OBSERVED_VOICES) {
    const style = await voices.style([{ name, weight: 1 }], phonemes.length);
    await model.speak(phonemes, style, { speed: OBSERVED_SPEED, seed: 1 });
  }
  return ranges;
}

/** Women and men, American and British. */
const OBSERVED_VOICES = ['af_heart', 'af_nicole', 'am_michael', 'bf_emma', 'bm_george'];
const OBSERVED_PHONEMES = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, jˈu θˈɪŋk!';
/** So that it does not take long. */
const OBSERVED_SPEED = 2;
