import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { spokenVoices } from '../capabilities.ts';
import type { SayContext } from '../context.ts';

const voiceList = z.object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) });

/** GET /v1/audio/voices. */
export function voicesRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'GET',
    url: '/v1/audio/voices',
    operationId: 'listVoices',
    tag: 'audio',
    summary: 'List voices',
    description: 'The voices that the loaded model speaks; with `legacy=true`, their ids alone.',
    querystring: z.object({
      legacy: z
        .string()
        .transform((value) => value.trim() || 'false')
        .pipe(z.stringbool({ error: 'must be true or false' }))
        .default(false)
        .meta({ type: 'boolean', default: false }),
    }),
    response: { 200: z.union([voiceList, z.array(z.string())]) },
    handler: async (request, reply) => {
      const voices = await spokenVoices(context);
      if (request.query.legacy) return reply.send(voices.map(({ id }) => id));
      return reply.send({ voices: voices.map(({ id, name }) => ({ id, name })) } satisfies z.infer<typeof voiceList>);
    },
  });
}
