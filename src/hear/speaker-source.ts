import { basename, resolve } from 'node:path';
import type { SpeakerModelFiles } from '../contracts/speakers.ts';
import { HearsayError } from '../errors.ts';
import { exists } from '../files/entry.ts';
import { type Hub, type HubFetchOptions, parseRepository } from '../hub/hub.ts';
import type { SpeakerEntry } from '../models/entry.ts';
import { speakerModels } from '../models/registry.ts';

/** Finds the model that tells speakers apart. */
export interface SpeakerSource {
  /** Its name; undefined if there is none. Reads only the disk. */
  name(): Promise<string | undefined>;
  /**
   * What the engine loads, downloaded first if necessary; undefined if there is no model.
   * @throws HearsayError `model_load_failed`; the reason of `signal`
   */
  files(options?: HubFetchOptions): Promise<SpeakerModelFiles | undefined>;
}

/** @param configured SPEAKER_MODEL; without it, an official model counts that was downloaded */
export function speakerSource(configured: string | undefined, hub: Pick<Hub, 'fetch' | 'cached'>): SpeakerSource {
  return {
    name: async () => (configured === undefined ? (await cachedModel(hub))?.name : shortName(configured)),
    files: async (options) => {
      if (configured !== undefined) return speakerModelFiles(configured, hub, options);
      const cached = await cachedModel(hub);
      return cached && { modelType: cached.modelType, checkpoint: cached.checkpoint };
    },
  };
}

/** A path by its last part. */
const shortName = (name: string) => (/^[./~]/.test(name) ? basename(name) : name);

/** The model of an official name, e.g. `campplus`, or `campplus@revision`. */
export function officialSpeakerModel(name: string): SpeakerEntry | undefined {
  return speakerModels.find((model) => name === model.name || name.startsWith(`${model.name}@`));
}

/** How to get a model, for messages. */
export const GET_A_SPEAKER_MODEL = `run hearsay fetch ${speakerModels[0]!.name} (npm run fetch -- ${speakerModels[0]!.name}), or set SPEAKER_MODEL`;

/**
 * Finds the files of a model that tells speakers apart: an official one by its name or any by its hub id, downloaded if
 * necessary, or a file or folder.
 * @throws HearsayError `model_load_failed`; the reason of `signal`
 */
export async function speakerModelFiles(
  name: string,
  hub: Pick<Hub, 'fetch'>,
  options: HubFetchOptions = {},
): Promise<SpeakerModelFiles> {
  const official = officialSpeakerModel(name);
  const { modelType, files } = official ?? speakerModels[0]!;
  const path = resolve(name);
  if (!official && (await exists(path))) return { modelType, checkpoint: path };
  const repository = official ? name.replace(official.name, official.repository) : name;
  if (!parseRepository(repository)) {
    const what = `neither ${official?.name ?? speakerModels[0]!.name}, nor a file or folder, nor a hub id such as org/name`;
    throw new HearsayError('model_load_failed', `The model ${basename(name)} is ${what}.`);
  }
  return { modelType, checkpoint: await hub.fetch(repository, (file) => files.test(file), options) };
}

/** An official model whose files are all on this machine. */
async function cachedModel(hub: Pick<Hub, 'cached'>): Promise<(SpeakerModelFiles & { name: string }) | undefined> {
  for (const { name, modelType, repository, files } of speakerModels) {
    const checkpoint = await hub.cached(repository, (file) => files.test(file));
    if (checkpoint !== undefined) return { name, modelType, checkpoint };
  }
  return undefined;
}
