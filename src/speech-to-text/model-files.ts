import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import { type Hub, parseRepository } from '../inference/hub.ts';
import { MOONSHINE } from './engine-settings.ts';
import { presets } from './presets.ts';

/** Kinds of checkpoint, as `model_type` in config.json says, that `engine.ts` can load. */
const SUPPORTED_TYPES: readonly string[] = [];

/**
 * What the engine is told to load for a model size: the built-in model by its name, a checkpoint by its folder, which is
 * fetched from the hub first where the size is a preset (`small`, `small@revision`) or a hub id (`org/name`).
 *
 * The small config.json comes first, so that a checkpoint nobody can load costs no download of its weights.
 *
 * @throws HearsayError `model_load_failed`, saying what to do
 */
export async function modelFiles(size: string, hub: Hub, signal: AbortSignal): Promise<string> {
  if (size === MOONSHINE) return MOONSHINE;
  const folder = (await localFolder(size)) ?? (await fetchConfiguration(size, hub, signal));
  const type = await modelType(folder);
  if (!SUPPORTED_TYPES.includes(type)) {
    throw new HearsayError(
      'model_load_failed',
      `The model ${size} is a ${type} checkpoint, which this release cannot run; ${MOONSHINE} is built in.`,
    );
  }
  return folder;
}

async function localFolder(size: string): Promise<string | undefined> {
  const folder = resolve(size);
  return (await isReadable(join(folder, 'config.json'))) ? folder : undefined;
}

function fetchConfiguration(size: string, hub: Hub, signal: AbortSignal): Promise<string> {
  const [name, revision] = size.split('@') as [string, string?];
  const preset = presets.find((candidate) => candidate.size === name)?.repository;
  const repository = preset && revision ? `${preset}@${revision}` : (preset ?? size);
  if (!parseRepository(repository)) {
    const what = 'neither a preset, nor a folder with a config.json, nor a hub id such as org/name';
    throw new HearsayError('model_load_failed', `The model ${size} is ${what}.`);
  }
  return hub.fetch(repository, (file) => file === 'config.json', { signal });
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
