import type { FastifyInstance, FastifyReply } from 'fastify';
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
 * @param isUnlisted whether an id that is in no list can be retrieved
 */
export function modelRoutes(
  app: FastifyInstance,
  listed: () => readonly string[],
  isUnlisted: (id: string) => boolean = () => false,
): void {
  const created = Math.floor(Date.now() / 1000);
  const modelOf = (id: string): z.infer<typeof modelObject> => ({ id, object: 'model', created, owned_by: 'hearsay' });
  const retrieve = (id: string, reply: FastifyReply) => {
    if (!listed().includes(id) && !isUnlisted(id)) {
      throw new HearsayError('not_found', 'The model does not exist.', { param: 'model' });
    }
    return reply.send(modelOf(id));
  };
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
    handler: (request, reply) => retrieve(request.params.model, reply),
  });
  // Not every client encodes the slash of `org/name`.
  app.get<{ Params: { '*': string } }>('/v1/models/*', { schema: { hide: true } }, (request, reply) =>
    retrieve(request.params['*'], reply),
  );
  route(app, {
    method: 'GET',
    url: '/v1/audio/models',
    tag: 'models',
    summary: 'List models, at a path that some clients use',
    response: { 200: modelList.extend({ models: z.array(modelObject) }) },
    handler: (_request, reply) => reply.send({ ...list(), models: list().data }),
  });
}
