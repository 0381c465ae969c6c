import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { fileState } from '../files/file-state.ts';
import { ACTIVE_MODEL_FILE, readActiveModel } from './active-model.ts';
import type { HearModels } from './context.ts';

/** Polling interval in milliseconds. */
const INTERVAL_MS = 5000;

/**
 * Follows activations of other replicas that share DATA_DIR, where the choice is stored. The old model serves until
 * the new one is loaded. If that fails, it stays, and the log says so.
 * @returns a function that stops watching
 */
export function watchActiveModel(
  dataDir: string,
  models: Pick<HearModels, 'active' | 'activate'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  { intervalMs = INTERVAL_MS }: { intervalMs?: number } = {},
): () => void {
  const path = join(dataDir, ACTIVE_MODEL_FILE);
  let last: string | undefined;
  let isBusy = false;
  const check = async () => {
    if (isBusy) return;
    isBusy = true;
    let name: string | undefined;
    try {
      const state = await fileState(path).catch((error: NodeJS.ErrnoException) => String(error.code));
      const isNew = last !== undefined && state !== last;
      last = state;
      if (!isNew) return;
      name = await readActiveModel(dataDir);
      if (name === undefined || name === models.active) return;
      log.info(`Another replica has activated ${name}: loading it here, too`);
      await models.activate(name);
    } catch (error) {
      log.warn(`The model ${name ?? 'of active_model'} cannot be used here: ${(error as Error).message}`);
    } finally {
      isBusy = false;
    }
  };
  void check();
  const timer = setInterval(check, intervalMs).unref();
  return () => clearInterval(timer);
}
