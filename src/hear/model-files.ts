import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import { type Hub, type HubFetchOptions, parseRepository } from '../hub/hub.ts';
import { MOONSHINE } from './engine-settings.ts';
import { presets } from './presets.ts';

/** Kinds of checkpoint, as `model_type` in config.json says, that `engine.ts` can load. */
const SUPPORTED_TYPES: readonly string[] = ['whisper'];

/** What a Whisper checkpoint is made of. Repositories hold the same weights in other forms too, several times the size. */
const CHECKPOINT_FILE =
  /^(?:(?:config|generation_config|preprocessor_config|tokenizer|tokenizer_config|vocab|added_tokens|special_tokens_map)\.json|merges\.txt|model(?:-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json)$/;

const isCheckpointFile = (file: string) => CHECKPOINT_FILE.test(file);

/** Presets in the order in which one is preferred where nothing is named; smaller ones than these must be named. */
const PREFERRED = ['large-v3', 'large-v3-turbo', 'medium', 'small', 'distil-large-v3'];

/**
 * What the engine is told to load for a model size: the built-in model by its name, a checkpoint by its folder, which is
 * fetched from the hub first where the size is a preset (`small`, `small@revision`) or a hub id (`org/name`).
 *
 * The small config.json comes first, so that a checkpoint nobody can load costs no download of its weights.
 *
 * @throws HearsayError `model_load_failed`, saying what to do
 */
export async function modelFiles(size: string, hub: Hub, options: HubFetchOptions = {}): Promise<string> {
  if (size === MOONSHINE) return MOONSHINE;
  const local = await localFolder(size);
  if (local !== undefined) {
    await refuseUnlessSupported(size, local);
    return local;
  }
  const repository = repositoryOf(size);
  const isConfiguration = (file: string) => file === 'config.json';
  await refuseUnlessSupported(size, await hub.fetch(repository, isConfiguration, { signal: options.signal }));
  return hub.fetch(repository, isCheckpointFile, options);
}

/** The best preset whose checkpoint is completely on this machine; undefined where there is none. */
export async function bestCachedSize(hub: Hub): Promise<string | undefined> {
  for (const size of PREFERRED) {
    if ((await hub.cached(repositoryOf(size), isCheckpointFile)) !== undefined) return size;
  }
  return undefined;
}

async function localFolder(size: string): Promise<string | undefined> {
  const folder = resolve(size);
  return (await isReadable(join(folder, 'config.json'))) ? folder : undefined;
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

async function refuseUnlessSupported(size: string, folder: string): Promise<void> {
  const type = await modelType(folder);
  if (SUPPORTED_TYPES.includes(type)) return;
  throw new HearsayError(
    'model_load_failed',
    `The model ${size} is a ${type} checkpoint, which this release cannot run; ${MOONSHINE} is built in.`,
  );
}

async function modelType(folder: string): Promise<string> {
  try {
    const config: unknown = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
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
