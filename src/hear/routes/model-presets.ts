import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { HearModels } from '../context.ts';
import type { StoredModel } from '../model-files.ts';
import { selectablePresets } from '../presets.ts';
import { type ModelLoading, type PresetList, presetList } from './schemas.ts';

/** The body of a request about one model. */
export const modelChoice = z.object({
  size: z.string().describe('A size that `GET /api/model/presets` lists: a preset, or the configured `MODEL_SIZE`'),
});

export interface Presets {
  list(): Promise<PresetList>;
  /** @throws HearsayError `invalid_model` if the size cannot be selected */
  assertSelectable(size: string): void;
}

export interface PresetsOptions {
  models: Pick<HearModels, 'active' | 'loaded'>;
  /** MODEL_SIZE. */
  configuredSize: string | undefined;
  /** Which files of a model are on this machine. */
  storedModel: (size: string) => Promise<StoredModel>;
  /** The model being downloaded or loaded. */
  loading?: (() => ModelLoading | undefined) | undefined;
}

/** The presets of the service with the state of its model. */
export function createPresets({ models, configuredSize, storedModel, loading }: PresetsOptions): Presets {
  const selectable = selectablePresets(configuredSize);
  return {
    async list() {
      const presets = await Promise.all(
        selectable.map(async ({ size, label, params, download }) => {
          const { isOnDisk, downloadedBytes } = await storedModel(size);
          // Without the hub id, which is internal.
          const row = { size, label, params, ...(download && { download }) };
          return { ...row, on_disk: isOnDisk, downloaded_bytes: downloadedBytes };
        }),
      );
      const progress = loading?.();
      return { active: models.active, loaded: models.loaded, presets, ...(progress && { loading: progress }) };
    },
    assertSelectable(size) {
      if (selectable.some((candidate) => candidate.size === size)) return;
      throw new HearsayError('invalid_model', `Unknown model size: ${size.slice(0, 100)}`, { param: 'size' });
    },
  };
}

/** GET /api/model/presets. */
export function modelPresetsRoute(app: FastifyInstance, presets: Presets): void {
  route(app, {
    method: 'GET',
    url: '/api/model/presets',
    operationId: 'listPresets',
    tag: 'models',
    summary: 'List presets',
    description:
      'The models that can be activated, which of their files are on this machine, and the progress of a download.',
    response: { 200: presetList },
    handler: async (_request, reply) => reply.send(await presets.list()),
  });
}
