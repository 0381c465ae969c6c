import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { errorEnvelope } from '../http/errors.ts';
import type { VoiceWeight } from '../synthesis.ts';
import { type SynthesisContext, spokenVoices } from './synthesis-context.ts';
import { parseVoice } from './voices.ts';

const voiceList = z.object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) });

const errors = { '4xx': errorEnvelope, '5xx': errorEnvelope };

export interface VoiceCatalogOptions {
  /** ALLOW_LOCAL_VOICE_SAVING. */
  mayCombine: boolean;
  /** Makes a voice pack of a blend, as the bytes of a `.pt` file. */
  combine: (name: string, weights: VoiceWeight[]) => Promise<Uint8Array>;
}

/** GET /v1/audio/voices and POST /v1/audio/voices/combine. */
export function voiceRoutes(
  app: FastifyInstance,
  context: SynthesisContext,
  { mayCombine, combine }: VoiceCatalogOptions,
): void {
  const legacy = z.stringbool({ error: 'must be true or false' }).default(false);
  app.get<{ Querystring: { legacy: boolean } }>(
    '/v1/audio/voices',
    {
      schema: {
        tags: ['audio'],
        summary: 'List voices',
        description: 'The voices that the loaded model speaks; with `legacy=true`, their ids alone.',
        security: [{ key: [] }],
        querystring: z.object({ legacy }),
        response: { 200: z.union([voiceList, z.array(z.string())]), ...errors },
      },
    },
    (request, reply) => {
      const voices = spokenVoices(context);
      if (request.query.legacy) return reply.send(voices.map(({ id }) => id));
      return reply.send({ voices: voices.map(({ id, name }) => ({ id, name })) } satisfies z.infer<typeof voiceList>);
    },
  );

  const known = new Set(context.voices.map(({ id }) => id));
  app.post<{ Body: string }>(
    '/v1/audio/voices/combine',
    {
      schema: {
        tags: ['audio'],
        summary: 'Combine voices',
        description:
          'Blends voices into a voice pack, a `.pt` file for PyTorch. Allowed by `ALLOW_LOCAL_VOICE_SAVING`.',
        security: [{ key: [] }],
        body: z.string().describe('A blend such as `af_heart(2)+af_bella(1)`, as a JSON string'),
        response: {
          200: {
            description: 'The voice pack: one float32 tensor of 510 × 1 × 256',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...errors,
        },
      },
      onRequest: async () => {
        if (mayCombine) return;
        throw new HearsayError('forbidden', 'Voices may be combined only where ALLOW_LOCAL_VOICE_SAVING is true.');
      },
    },
    async (request, reply) => {
      const weights = parseVoice(request.body, known);
      const name = weights
        .map(({ name }) => name)
        .join('+')
        .slice(0, 100);
      const pack = await combine(name, weights);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${name}.pt"`)
        .header('cache-control', 'no-cache')
        .send(Buffer.from(pack));
    },
  );
}
