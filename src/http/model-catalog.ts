import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { errorResponses } from './errors.ts';

const modelEntry = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.literal('hearsay'),
});

const modelList = z.object({ object: z.literal('list'), data: z.array(modelEntry) });

/**
 * GET /v1/models, GET /v1/models/{model} and GET /v1/audio/models.
 * @param listed ids as they are now, in their order
 * @param unlisted ids that can be retrieved though no list shows them
 */
export function modelCatalog(
  app: FastifyInstance,
  listed: () => readonly string[],
  unlisted: readonly string[] = [],
): void {
  const created = Math.floor(Date.now() / 1000);
  const security = [{ key: [] }];
  const entry = (id: string): z.infer<typeof modelEntry> => ({ id, object: 'model', created, owned_by: 'hearsay' });
  const entries = () => listed().map(entry);

  app.get(
    '/v1/models',
    { schema: { tags: ['models'], summary: 'List models', security, response: { 200: modelList, ...errorResponses } } },
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
        response: { 200: modelEntry, ...errorResponses },
      },
    },
    (request, reply) => {
      const { model } = request.params;
      if (![...listed(), ...unlisted].includes(model)) {
        throw new HearsayError('not_found', 'There is no such model.', { param: 'model' });
      }
      return reply.send(entry(model));
    },
  );
  app.get(
    '/v1/audio/models',
    {
      schema: {
        tags: ['models'],
        summary: 'List models, where some clients look for them',
        security,
        response: { 200: modelList.extend({ models: z.array(modelEntry) }), ...errorResponses },
      },
    },
    (_request, reply) => reply.send({ object: 'list', data: entries(), models: entries() }),
  );
}
