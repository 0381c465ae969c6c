import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { route } from './route.ts';

const modelObject = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.literal('hearsay'),
});

const modelList = z.object({ object: z.literal('list'), data: z.array(modelObject) });

/**
 * GET /v1/models, GET /v1/models/{model} and GET /v1/audio/models.
 * @param listed the current ids, in order
 * @param unlisted ids that can be retrieved but are in no list
 */
export function modelRoutes(
  app: FastifyInstance,
  listed: () => readonly string[],
  unlisted: readonly string[] = [],
): void {
  const created = Math.floor(Date.now() / 1000);
  const modelOf = (id: string): z.infer<typeof modelObject> => ({ id, object: 'model', created, owned_by: 'hearsay' });
  const list = (): z.infer<typeof modelList> => ({ object: 'list', data: listed().map(modelOf) });

  route(app, {
    method: 'GET',
    url: '/v1/models',
    tag: 'models',
    summary: 'List models',
    response: { 200: modelList },
    handler: (_request, reply) => reply.send(list()),
  });
  route(app, {
    method: 'GET',
    url: '/v1/models/:model',
    tag: 'models',
    summary: 'Retrieve a model',
    params: z.object({ model: z.string() }),
    response: { 200: modelObject },
    handler: (request, reply) => {
      const { model } = request.params;
      if (![...listed(), ...unlisted].includes(model)) {
        throw new HearsayError('not_found', 'The model does not exist.', { param: 'model' });
      }
      return reply.send(modelOf(model));
    },
  });
  route(app, {
    method: 'GET',
    url: '/v1/audio/models',
    tag: 'models',
    summary: 'List models, at a path that some clients use',
    response: { 200: modelList.extend({ models: z.array(modelObject) }) },
    handler: (_request, reply) => reply.send({ ...list(), models: list().data }),
  });
}
