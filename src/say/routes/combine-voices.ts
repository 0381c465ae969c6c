import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { binary, route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { parseVoice, VoiceNames } from '../voices/voices.ts';

export interface CombineVoicesOptions extends Pick<SayContext, 'voices'> {
  /** ALLOW_LOCAL_VOICE_SAVING. */
  isAllowed: boolean;
  /**
   * Blends voices and saves the result.
   * @param name chosen by the server if undefined
   * @returns the name and the `.pt` file
   */
  combine: (weights: VoiceWeight[], name?: string) => Promise<{ name: string; file: Uint8Array }>;
}

/** POST /v1/audio/voices/combine. */
export function combineVoicesRoute(app: FastifyInstance, { voices, isAllowed, combine }: CombineVoicesOptions): void {
  route(app, {
    method: 'POST',
    url: '/v1/audio/voices/combine',
    operationId: 'combineVoices',
    tag: 'audio',
    summary: 'Combine voices',
    description:
      'Blends voices and saves the result as a voice. Returns its voice pack, a `.pt` file for PyTorch with the name of the voice. Requires `ALLOW_LOCAL_VOICE_SAVING=true`.',
    querystring: z.object({
      name: z
        .string()
        .optional()
        .describe(
          'Name of the new voice, up to 80 letters, digits and underscores; replaces a saved voice of the same name. By default the names of the blended voices and a hash.',
        ),
    }),
    body: z.string().describe('A blend such as `af_heart(2)+af_bella(1)`, as a JSON string'),
    response: {
      200: {
        description: 'The voice pack: one float32 tensor of 510 × 1 × 256',
        content: { 'application/octet-stream': { schema: binary } },
      },
    },
    onRequest: async () => {
      if (isAllowed) return;
      throw new HearsayError('forbidden', 'Combining voices requires ALLOW_LOCAL_VOICE_SAVING=true.');
    },
    handler: async (request, reply) => {
      const known = new VoiceNames(await voices());
      const { name, file } = await combine(parseVoice(request.body, known), request.query.name);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${name}.pt"`)
        .header('cache-control', 'no-cache')
        .send(Buffer.from(file));
    },
  });
}
