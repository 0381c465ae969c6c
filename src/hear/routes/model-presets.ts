import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { HearModels } from '../context.ts';
import { selectablePresets } from '../presets.ts';

export const presetList = z.object({
  active: z.string().describe('Size of the selected model'),
  loaded: z.string().describe('Size of the loaded model; empty if there is none'),
  presets: z.array(z.object({ size: z.string(), label: z.string(), params: z.string().describe('Parameter count') })),
  loading: z
    .object({
      size: z.string(),
      received_bytes: z.int(),
      total_bytes: z.int().describe('0 if nothing is downloaded or the size is not known yet'),
    })
    .optional()
    .describe('The model being downloaded or loaded, if any'),
});

export type PresetList = z.infer<typeof presetList>;

/** Progress of loading a model. */
export type ModelLoading = NonNullable<PresetList['loading']>;

export interface Presets {
  list(): PresetList;
  has(size: string): boolean;
}

/**
 * The presets of the service with the state of its model.
 * @param configuredSize MODEL_SIZE
 * @param loading the model being downloaded or loaded
 */
export function createPresets(
  models: Pick<HearModels, 'active' | 'loaded'>,
  configuredSize: string | undefined,
  loading: () => ModelLoading | undefined = () => undefined,
): Presets {
  // Without the hub id, which is internal.
  const presets = selectablePresets(configuredSize).map(({ size, label, params }) => ({ size, label, params }));
  return {
    list() {
      const progress = loading();
      return { active: models.active, loaded: models.loaded, presets, ...(progress && { loading: progress }) };
    },
    has: (size) => presets.some((preset) => preset.size === size),
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
    response: { 200: presetList },
    handler: (_request, reply) => reply.send(presets.list()),
  });
}
