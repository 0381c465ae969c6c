import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';

const unloaded = z.object({ status: z.literal('unloaded') });

/** POST /dev/unload. Needs its own scope: it replaces body parsing. */
export async function unloadRoute(app: FastifyInstance, { models }: Pick<SayContext, 'models'>): Promise<void> {
  app.removeAllContentTypeParsers();
  // Ignores the body: clients announce JSON and send nothing.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));
  route(app, {
    method: 'POST',
    url: '/dev/unload',
    operationId: 'unloadModel',
    tag: 'dev',
    summary: 'Unload the model',
    description: 'Ends the engine once its requests are done; the next request loads the model again.',
    response: { 200: unloaded },
    handler: async (_request, reply) => {
      await models.unload();
      return reply.send({ status: 'unloaded' } satisfies z.infer<typeof unloaded>);
    },
  });
}
