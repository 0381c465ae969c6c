import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { watchFiles } from '../files/watch-files.ts';
import { ACTIVE_MODEL_FILE, readActiveModel } from './active-model.ts';
import type { HearModels } from './context.ts';

/**
 * Follows activations of other replicas that share DATA_DIR, where the choice is stored. The old model serves until
 * the new one is loaded. If that fails, it stays, and the log says so.
 * @returns a function that stops watching
 */
export function watchActiveModel(
  dataDir: string,
  models: Pick<HearModels, 'active' | 'activate'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  { intervalMs }: { intervalMs?: number } = {},
): () => void {
  const follow = async () => {
    let name: string | undefined;
    try {
      name = await readActiveModel(dataDir);
      if (name === undefined || name === models.active) return;
      log.info(`Another replica has activated ${name}: loading it here, too`);
      await models.activate(name);
    } catch (error) {
      log.warn(`The model ${name ?? 'of active_model'} cannot be used here: ${(error as Error).message}`);
    }
  };
  return watchFiles([join(dataDir, ACTIVE_MODEL_FILE)], follow, intervalMs);
}
