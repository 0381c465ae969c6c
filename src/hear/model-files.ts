import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import { type Hub, type HubFetchOptions, parseRepository } from '../hub/hub.ts';
import type { RecognizerEntry } from '../models/entry.ts';
import { recognizers } from '../models/registry.ts';
import { builtInPreset, preferredPresets, presets } from './presets.ts';

/** What the engine loads. */
export interface ModelFiles {
  /** Of the registry. */
  modelType: string;
  /** Directory of the checkpoint; the name of a model that ships with the package. */
  checkpoint: string;
}

/**
 * Finds the files of a model size: a built-in model, a directory, a preset (`small`, `small@revision`) or a hub id
 * (`org/name`). Presets and hub ids are downloaded, config.json first: an unknown type costs no download of weights.
 * @throws HearsayError `model_load_failed`
 */
export async function modelFiles(size: string, hub: Hub, options: HubFetchOptions = {}): Promise<ModelFiles> {
  const builtIn = modelOfPreset(size);
  if (builtIn && !builtIn.files) return { modelType: builtIn.modelType, checkpoint: size };
  const local = await localDirectory(size);
  if (local !== undefined) return { modelType: (await modelOf(size, local)).modelType, checkpoint: local };
  const repository = repositoryOf(size);
  const isConfiguration = (file: string) => file === 'config.json';
  const model = await modelOf(size, await hub.fetch(repository, isConfiguration, { signal: options.signal }));
  return { modelType: model.modelType, checkpoint: await hub.fetch(repository, isFileOf(model), options) };
}

/** The best preset whose files are all on this machine. */
export async function bestCachedSize(hub: Hub): Promise<string | undefined> {
  for (const { size } of preferredPresets) {
    if ((await hub.cached(repositoryOf(size), isFileOf(modelOfPreset(size)!))) !== undefined) return size;
  }
  return undefined;
}

const isFileOf = (model: RecognizerEntry) => (file: string) => model.files?.test(file) ?? false;

const modelOfPreset = (name: string) => recognizers.find((entry) => entry.presets.some(({ size }) => size === name));

async function localDirectory(size: string): Promise<string | undefined> {
  const directory = resolve(size);
  return (await isReadable(join(directory, 'config.json'))) ? directory : undefined;
}

function repositoryOf(size: string): string {
  const [name, revision] = size.split('@') as [string, string?];
  const preset = presets.find((candidate) => candidate.size === name)?.repository;
  const repository = preset && revision ? `${preset}@${revision}` : (preset ?? size);
  if (!parseRepository(repository)) {
    const what = 'neither a preset, nor a folder with a config.json, nor a hub id such as org/name';
    throw new HearsayError('model_load_failed', `The model ${size} is ${what}.`);
  }
  return repository;
}

/** The registry's entry for a checkpoint. @throws HearsayError `model_load_failed` if there is none */
async function modelOf(size: string, checkpoint: string): Promise<RecognizerEntry> {
  const type = await modelType(checkpoint);
  const model = recognizers.find((entry) => entry.files && entry.modelType === type);
  if (model) return model;
  throw new HearsayError(
    'model_load_failed',
    `The model ${size} is a ${type} checkpoint, which this release cannot run; ${builtInPreset.size} is built in.`,
  );
}

async function modelType(checkpoint: string): Promise<string> {
  try {
    const config: unknown = JSON.parse(await readFile(join(checkpoint, 'config.json'), 'utf8'));
    const type = (config as { model_type?: unknown } | null)?.model_type;
    if (typeof type === 'string') return type;
  } catch (cause) {
    throw new HearsayError('model_load_failed', "The model's config.json is not readable JSON.", { cause });
  }
  throw new HearsayError('model_load_failed', "The model's config.json names no model_type.");
}

function isReadable(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}
