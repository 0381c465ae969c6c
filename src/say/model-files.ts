import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import { parseJsonText } from '../files/json.ts';
import { isMissing } from '../files/missing.ts';
import type { Hub, HubFetchOptions } from '../hub/hub.ts';
import type { SynthesizerEntry } from '../models/entry.ts';
import { kokoro } from '../models/kokoro/kokoro.ts';
import { synthesizers } from '../models/registry.ts';

/** The files that the engine loads. */
export interface ModelFiles {
  /** Entry of the registry. */
  modelType: string;
  /** Directory of the checkpoint; the name of a model that ships with the package. */
  checkpoint: string;
}

/** The model that ships with the package. */
export const builtInModel: SynthesizerEntry = synthesizers.find(({ files }) => files === undefined)!;

/** The model of an official name, e.g. `kokoro`, or `kokoro@revision`. */
export function officialModel(name: string): SynthesizerEntry | undefined {
  return synthesizers.find((model) => name === model.name || (model.files && name.startsWith(`${model.name}@`)));
}

/**
 * Finds the files of a model: an official one by its name, downloaded first if it is not built in, or the directory of a
 * checkpoint.
 * @throws HearsayError `model_load_failed`
 */
export async function modelFiles(name: string, hub: Hub, options: HubFetchOptions = {}): Promise<ModelFiles> {
  const model = officialModel(name);
  if (model) {
    const { modelType, repository, files } = model;
    if (!repository || !files) return { modelType, checkpoint: name };
    const id = name.replace(model.name, repository);
    return { modelType, checkpoint: await hub.fetch(id, (file) => files.test(file), options) };
  }
  const directory = resolve(name);
  const config = await readFile(join(directory, 'config.json'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (isMissing(cause) || cause.code === 'ENOTDIR') return undefined;
    throw new HearsayError('model_load_failed', `The model's config.json cannot be read (${cause.code}).`, { cause });
  });
  if (config !== undefined) return { modelType: typeOf(config), checkpoint: directory };
  const names = synthesizers.map((model) => model.name).join(' nor ');
  throw new HearsayError(
    'model_load_failed',
    `The model ${name} is neither ${names}, nor a folder with a checkpoint and its config.json.`,
  );
}

/** Kokoro's config.json names no model_type: it is the default. */
function typeOf(config: string): string {
  let stated: unknown;
  try {
    stated = (parseJsonText(config) as { model_type?: unknown } | null)?.model_type;
  } catch {
    // Loading reports the error.
  }
  return (synthesizers.find(({ modelType, files }) => files && modelType === stated) ?? kokoro).modelType;
}

/** The best model whose files are all on this machine. */
export async function bestCachedModel(hub: Hub): Promise<string> {
  for (const { name, repository, files } of synthesizers) {
    if (!repository || !files || (await hub.cached(repository, (file) => files.test(file))) !== undefined) return name;
  }
  return builtInModel.name;
}
