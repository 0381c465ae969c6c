import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { errorResponses } from '../../http/errors.ts';
import { type SynthesisContext, spokenVoices } from '../context.ts';
import { parseVoice } from '../routes/voices.ts';

const voiceList = z.object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) });

export interface VoiceCatalogOptions {
  /** ALLOW_LOCAL_VOICE_SAVING. */
  mayCombine: boolean;
  /** Makes a voice of a blend and keeps it. @param name without it, one is made up; @returns the name and the `.pt` file */
  combine: (weights: VoiceWeight[], name?: string) => Promise<{ name: string; file: Uint8Array }>;
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
        response: { 200: z.union([voiceList, z.array(z.string())]), ...errorResponses },
      },
    },
    async (request, reply) => {
      const voices = await spokenVoices(context);
      if (request.query.legacy) return reply.send(voices.map(({ id }) => id));
      return reply.send({ voices: voices.map(({ id, name }) => ({ id, name })) } satisfies z.infer<typeof voiceList>);
    },
  );

  app.post<{ Body: string; Querystring: { name?: string } }>(
    '/v1/audio/voices/combine',
    {
      schema: {
        tags: ['audio'],
        summary: 'Combine voices',
        description:
          'Blends voices into one that is saved, and can be named from then on. Answers with its voice pack, a `.pt` file for PyTorch, whose name is that of the voice. Allowed by `ALLOW_LOCAL_VOICE_SAVING`.',
        security: [{ key: [] }],
        querystring: z.object({
          name: z.string().optional().describe('Of the new voice; it takes the place of a saved one of that name.'),
        }),
        body: z.string().describe('A blend such as `af_heart(2)+af_bella(1)`, as a JSON string'),
        response: {
          200: {
            description: 'The voice pack: one float32 tensor of 510 × 1 × 256',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...errorResponses,
        },
      },
      onRequest: async () => {
        if (mayCombine) return;
        throw new HearsayError('forbidden', 'Voices may be combined only where ALLOW_LOCAL_VOICE_SAVING is true.');
      },
    },
    async (request, reply) => {
      const known = new Set((await context.voices()).map(({ id }) => id));
      const { name, file } = await combine(parseVoice(request.body, known), request.query.name);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${name}.pt"`)
        .header('cache-control', 'no-cache')
        .send(Buffer.from(file));
    },
  );
}
