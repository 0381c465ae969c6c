import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import { isFile } from '../files/entry.ts';
import { parseJsonText } from '../files/json.ts';
import { isMissing } from '../files/missing.ts';
import { type Hub, type HubFetchOptions, parseRepository } from '../hub/hub.ts';
import type { CheckpointForm, RecognizerEntry } from '../models/entry.ts';
import { recognizers } from '../models/registry.ts';
import { removeCompiled } from '../ort/compiled-models.ts';
import { builtInPreset, preferredPresets, presets } from './presets.ts';

/** The files that the engine loads. */
export interface ModelFiles {
  /** Entry of the registry. */
  modelType: string;
  /** Directory or file of the checkpoint; the name of a model that ships with the package. */
  checkpoint: string;
  /** Directory of the tokenizer, if the checkpoint has none. */
  tokenizer?: string;
}

/**
 * Finds the files of a model size: a built-in model, a directory, a checkpoint of one file, a preset (`small`,
 * `small@revision`) or a hub id (`org/name`). Presets and hub ids are downloaded, config.json first: an unknown type costs
 * no download of weights.
 * @throws HearsayError `model_load_failed`
 */
export async function modelFiles(
  size: string,
  hub: Pick<Hub, 'fetch'>,
  options: HubFetchOptions = {},
): Promise<ModelFiles> {
  const builtIn = modelOfPreset(size);
  if (builtIn && !builtIn.forms) return { modelType: builtIn.modelType, checkpoint: size };
  const path = resolve(size);
  const single = recognizers.find(({ singleFile }) => singleFile?.path.test(path));
  if (single && (await isFile(path))) return singleFileModel(single, path, hub, options);
  if (await isFile(join(path, 'config.json'))) {
    return { modelType: (await modelOf(size, path)).model.modelType, checkpoint: path };
  }
  const repository = await repositoryOrObstacle(size, join(path, 'config.json'));
  const isConfiguration = (file: string) => file === 'config.json';
  const configured = await hub.fetch(repository, isConfiguration, { signal: options.signal });
  const { model, form } = await modelOf(size, configured);
  return { modelType: model.modelType, checkpoint: await hub.fetch(repository, isFileOf(form), options) };
}

/** The files of a model on this machine. */
export interface StoredModel {
  /** Whether loading it downloads nothing. */
  isOnDisk: boolean;
  /** Downloaded bytes, unfinished downloads included; 0 for files that were not downloaded. */
  downloadedBytes: number;
}

/** Finds the files of a model size, as in `modelFiles`, on this machine. Reads only the disk, and never throws. */
export async function storedModel(size: string, hub: Pick<Hub, 'cached' | 'downloadedBytes'>): Promise<StoredModel> {
  let downloadedBytes = 0;
  const fetch = async (repository: string, wanted: (file: string) => boolean) => {
    downloadedBytes ||= await hub.downloadedBytes(repository);
    const directory = await hub.cached(repository, wanted);
    if (directory === undefined) throw new HearsayError('model_load_failed', `${repository} is not on this machine.`);
    return directory;
  };
  const isOnDisk = await modelFiles(size, { fetch }).then(
    () => true,
    () => false,
  );
  return { isOnDisk, downloadedBytes };
}

/**
 * Removes the downloaded files of a model size, and what was compiled from them. Keeps files that were not downloaded.
 * @returns whether anything was removed
 */
export async function removeModel(size: string, hub: Pick<Hub, 'remove'>, modelsDir: string): Promise<boolean> {
  const path = resolve(size);
  if (modelOfPreset(size) === undefined && ((await isFile(path)) || (await isFile(join(path, 'config.json'))))) {
    return false;
  }
  const directory = builtInPreset.size === size ? undefined : await hub.remove(repositoryOf(size));
  if (directory === undefined) return false;
  await removeCompiled(modelsDir, directory);
  return true;
}

/** The best preset whose files are all on this machine. */
export async function bestCachedSize(hub: Hub): Promise<string | undefined> {
  for (const { size } of preferredPresets) {
    const [form] = modelOfPreset(size)!.forms!;
    if ((await hub.cached(repositoryOf(size), isFileOf(form))) !== undefined) return size;
  }
  return undefined;
}

const isFileOf = (form: CheckpointForm) => (file: string) => form.files.test(file);

const modelOfPreset = (name: string) => recognizers.find((entry) => entry.presets.some(({ size }) => size === name));

/** A checkpoint of one file, with a tokenizer from its directory or the hub. */
async function singleFileModel(
  { modelType, singleFile }: RecognizerEntry,
  checkpoint: string,
  hub: Pick<Hub, 'fetch'>,
  options: HubFetchOptions,
): Promise<ModelFiles> {
  const found = await singleFile!.tokenizer(checkpoint);
  if ('directory' in found) return { modelType, checkpoint, tokenizer: found.directory };
  const { repository, files } = found;
  try {
    const tokenizer = await hub.fetch(repository, (file) => files.test(file), options);
    return { modelType, checkpoint, tokenizer };
  } catch (cause) {
    if (!(cause instanceof HearsayError)) throw cause;
    const advice = `put the tokenizer.json of ${repository} beside ${basename(checkpoint)}, or let it be downloaded`;
    throw new HearsayError(cause.code, `The model needs a tokenizer: ${advice}. ${cause.message}`, { cause });
  }
}

function repositoryOf(size: string): string {
  const [name, revision] = size.split('@') as [string, string?];
  const preset = presets.find((candidate) => candidate.size === name)?.repository;
  const repository = preset && revision ? `${preset}@${revision}` : (preset ?? size);
  if (!parseRepository(repository)) {
    const what = 'neither a preset, nor a folder with a config.json, nor a .pt file, nor a hub id such as org/name';
    throw new HearsayError('model_load_failed', `The model ${size} is ${what}.`);
  }
  return repository;
}

/** The registry's entry for a checkpoint, and its form. @throws HearsayError `model_load_failed` if there is none */
async function modelOf(size: string, checkpoint: string): Promise<{ model: RecognizerEntry; form: CheckpointForm }> {
  const config = await readConfiguration(checkpoint);
  for (const model of recognizers) {
    const form = model.forms?.find(({ isConfiguration }) => isConfiguration(config));
    if (form) return { model, form };
  }
  const type = config.model_type;
  if (typeof type !== 'string') {
    throw new HearsayError('model_load_failed', "The model's config.json names no model_type.");
  }
  throw new HearsayError(
    'model_load_failed',
    `The model ${size} is a ${type} checkpoint, which this release cannot run; ${builtInPreset.size} is built in.`,
  );
}

async function readConfiguration(checkpoint: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(checkpoint, 'config.json'), 'utf8').catch((cause: unknown) => {
    throw unreadable(cause);
  });
  try {
    const config = parseJsonText(text);
    return typeof config === 'object' && config !== null ? { ...config } : {};
  } catch (cause) {
    throw new HearsayError('model_load_failed', "The model's config.json is not readable JSON.", { cause });
  }
}

/** As `repositoryOf`, but for a path that cannot be reached, for example for lack of permission, says so. */
async function repositoryOrObstacle(size: string, configuration: string): Promise<string> {
  try {
    return repositoryOf(size);
  } catch (error) {
    await stat(configuration).catch((cause: NodeJS.ErrnoException) => {
      if (!isMissing(cause) && cause.code !== 'ENOTDIR') throw unreadable(cause);
    });
    throw error;
  }
}

function unreadable(cause: unknown): HearsayError {
  const { code } = cause as NodeJS.ErrnoException;
  return new HearsayError('model_load_failed', `The model's config.json cannot be read (${code}).`, { cause });
}
