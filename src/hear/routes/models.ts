import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import type { Drain } from '../../http/drain.ts';
import { errorResponses } from '../../http/errors.ts';
import { modelCatalog } from '../../http/model-catalog.ts';
import { selectablePresets } from '../presets.ts';
import type { SpeechModels } from './audio-request.ts';

const presetsInfo = z.object({
  active: z.string().describe('Size of the model selected as active'),
  loaded: z.string().describe('Size of the model currently loaded; empty while there is none'),
  presets: z.array(z.object({ size: z.string(), label: z.string(), params: z.string().describe('Parameter count') })),
  loading: z
    .object({
      size: z.string(),
      received_bytes: z.int(),
      total_bytes: z.int().describe('0 where nothing has to be downloaded, or where it is not yet known'),
    })
    .optional()
    .describe('The model that is being downloaded or loaded, while there is one'),
});

/** How far the loading of a model has come. */
export type ModelLoading = NonNullable<z.infer<typeof presetsInfo>['loading']>;

const activation = z.object({ size: z.string() });

export interface ModelRoutesContext {
  models: SpeechModels;
  drain: Drain;
  /** MODEL_SIZE. */
  configuredSize: string | undefined;
  /** The model that is being downloaded or loaded. */
  loading?: (() => ModelLoading | undefined) | undefined;
  /** Remembers the selected model across restarts. */
  persistActiveModel: (size: string) => Promise<void>;
  log: FastifyBaseLogger;
}

/** GET /v1/models, GET /v1/models/{model}, GET /v1/audio/models, and the administration under /api/model. */
export function modelRoutes(app: FastifyInstance, context: ModelRoutesContext): void {
  const { models, drain, persistActiveModel, log } = context;
  // The hub id is ours to know.
  const presets = selectablePresets(context.configuredSize).map(({ size, label, params }) => ({ size, label, params }));
  const security = [{ key: [] }];

  const info = (): z.infer<typeof presetsInfo> => {
    const loading = context.loading?.();
    return { active: models.active, loaded: models.loaded, presets, ...(loading && { loading }) };
  };

  modelCatalog(app, () => ['asr-1', ...(models.loaded === '' ? [] : [models.loaded])]);
  app.get(
    '/api/model/presets',
    {
      schema: {
        tags: ['models'],
        summary: 'List presets',
        security,
        response: { 200: presetsInfo, ...errorResponses },
      },
    },
    (_request, reply) => reply.send(info()),
  );

  let persisting = Promise.resolve();
  app.post<{ Body: z.infer<typeof activation> }>(
    '/api/model/activate',
    {
      schema: {
        tags: ['models'],
        summary: 'Switch the model',
        description: 'Loads the model, downloading it first where needed, while the current one still serves.',
        security,
        body: activation,
        response: { 200: presetsInfo, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { size } = request.body;
      if (!presets.some((preset) => preset.size === size)) {
        throw new HearsayError('invalid_model', `Unknown model size: ${size.slice(0, 100)}`, { param: 'size' });
      }
      const leave = drain.enter();
      try {
        await models.activate(size);
        // One at a time, and what is active by then: an older choice must never overwrite a newer one.
        persisting = persisting.then(() =>
          persistActiveModel(models.active).catch((error) => {
            // The model does serve; only a restart would bring the old one back.
            log.error({ err: error }, 'The active model could not be remembered');
          }),
        );
        await persisting;
      } finally {
        leave();
      }
      return reply.send(info());
    },
  );
}
