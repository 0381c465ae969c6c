import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorResponses } from '../../http/errors.ts';
import type { SynthesisModels } from '../context.ts';

const unloaded = z.object({ status: z.literal('unloaded') });

/** POST /dev/unload. Register it in a scope of its own: it takes any body, and reads none. */
export function unloadRoute(app: FastifyInstance, models: SynthesisModels): void {
  app.removeAllContentTypeParsers();
  // Clients announce JSON and send nothing.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));
  app.post(
    '/dev/unload',
    {
      schema: {
        tags: ['dev'],
        summary: 'Unload the model',
        description: 'Ends the engine once its requests are done; the next request loads the model again.',
        security: [{ key: [] }],
        response: { 200: unloaded, ...errorResponses },
      },
    },
    async (_request, reply) => {
      await models.unload();
      return reply.send({ status: 'unloaded' } satisfies z.infer<typeof unloaded>);
    },
  );
}
