import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import type { Drain } from '../http/drain.ts';
import { errorEnvelope } from '../http/errors.ts';
import type { SpeechModels } from './audio-request.ts';
import { selectablePresets } from './presets.ts';

const modelEntry = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.literal('hearsay'),
});

const modelList = z.object({ object: z.literal('list'), data: z.array(modelEntry) });

const presetsInfo = z.object({
  active: z.string().describe('Size of the model selected as active'),
  loaded: z.string().describe('Size of the model currently loaded; empty while there is none'),
  presets: z.array(z.object({ size: z.string(), label: z.string(), params: z.string().describe('Parameter count') })),
});

const activation = z.object({ size: z.string() });

const errors = { '4xx': errorEnvelope, '5xx': errorEnvelope };

export interface ModelRoutesContext {
  models: SpeechModels;
  drain: Drain;
  /** MODEL_SIZE. */
  configuredSize: string | undefined;
  /** Remembers the selected model across restarts. */
  persistActiveModel: (size: string) => Promise<void>;
  log: FastifyBaseLogger;
}

/** GET /v1/models, GET /v1/models/{model}, GET /v1/audio/models, and the administration under /api/model. */
export function modelRoutes(app: FastifyInstance, context: ModelRoutesContext): void {
  const { models, drain, persistActiveModel, log } = context;
  // The hub id is ours to know.
  const presets = selectablePresets(context.configuredSize).map(({ size, label, params }) => ({ size, label, params }));
  const created = Math.floor(Date.now() / 1000);
  const security = [{ key: [] }];

  const entry = (id: string): z.infer<typeof modelEntry> => ({ id, object: 'model', created, owned_by: 'hearsay' });
  const entries = () => ['asr-1', ...(models.loaded === '' ? [] : [models.loaded])].map(entry);
  const info = (): z.infer<typeof presetsInfo> => ({ active: models.active, loaded: models.loaded, presets });

  app.get(
    '/v1/models',
    { schema: { tags: ['models'], summary: 'List models', security, response: { 200: modelList, ...errors } } },
    (_request, reply) => reply.send({ object: 'list', data: entries() } satisfies z.infer<typeof modelList>),
  );
  app.get<{ Params: { model: string } }>(
    '/v1/models/:model',
    {
      schema: {
        tags: ['models'],
        summary: 'Retrieve a model',
        security,
        params: z.object({ model: z.string() }),
        response: { 200: modelEntry, ...errors },
      },
    },
    (request, reply) => {
      const found = entries().find(({ id }) => id === request.params.model);
      if (!found) throw new HearsayError('not_found', 'There is no such model.', { param: 'model' });
      return reply.send(found);
    },
  );
  app.get(
    '/v1/audio/models',
    {
      schema: {
        tags: ['models'],
        summary: 'List models, where some clients look for them',
        security,
        response: { 200: modelList.extend({ models: z.array(modelEntry) }), ...errors },
      },
    },
    (_request, reply) => reply.send({ object: 'list', data: entries(), models: entries() }),
  );

  app.get(
    '/api/model/presets',
    { schema: { tags: ['models'], summary: 'List presets', security, response: { 200: presetsInfo, ...errors } } },
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
        response: { 200: presetsInfo, ...errors },
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
