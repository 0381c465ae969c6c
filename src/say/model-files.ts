import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HearsayError } from '../errors.ts';
import type { Hub, HubFetchOptions } from '../hub/hub.ts';
import { FLITE } from './engine-settings.ts';

/** Name of the official Kokoro checkpoint. */
export const KOKORO = 'kokoro';
const REPOSITORY = 'hexgrad/Kokoro-82M';

/** The voice packs are in the npm package kokoro-js already. */
const isCheckpointFile = (file: string) => file === 'config.json' || file === 'kokoro-v1_0.pth';

/** The official checkpoint is `kokoro`, a certain state of it `kokoro@revision`. */
export function isKokoro(name: string): boolean {
  return name === KOKORO || name.startsWith(`${KOKORO}@`);
}

/**
 * What the engine is told to load: the built-in model by its name, a Kokoro checkpoint by its folder, which for `kokoro` is
 * fetched from the hub first.
 *
 * @throws HearsayError `model_load_failed`, saying what to do
 */
export async function modelFiles(name: string, hub: Hub, options: HubFetchOptions = {}): Promise<string> {
  if (name === FLITE) return FLITE;
  if (isKokoro(name)) return hub.fetch(name.replace(KOKORO, REPOSITORY), isCheckpointFile, options);
  const folder = resolve(name);
  if (await isFile(join(folder, 'config.json'))) return folder;
  throw new HearsayError(
    'model_load_failed',
    `The model ${name} is neither ${FLITE} nor ${KOKORO}, nor a folder with a config.json and a kokoro-v1_0.pth.`,
  );
}

/** The best model that is completely on this machine. */
export async function bestCachedModel(hub: Hub): Promise<string> {
  return (await hub.cached(REPOSITORY, isCheckpointFile)) === undefined ? FLITE : KOKORO;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
