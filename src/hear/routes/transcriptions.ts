import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { languageCode } from '../transcript/languages.ts';
import {
  type AudioRequestContext,
  answerAudioRequest,
  audioFields,
  audioRouteOptions,
  leaveBodiesUnread,
  parseFields,
} from './audio-request.ts';

const fields = z.object({
  ...audioFields,
  language: z
    .string()
    .transform((given, context) => {
      const code = languageCode(given);
      if (code === undefined) {
        context.addIssue({ code: 'custom', message: `Unsupported language: ${given.slice(0, 100)}` });
        return z.NEVER;
      }
      return code;
    })
    .optional()
    .describe('Language of the speech, e.g. `en`, `en-US` or `English`; without one it is detected.'),
  'timestamp_granularities[]': z
    .array(z.enum(['word', 'segment'], { error: 'timestamp_granularities[] must be word or segment' }))
    .default([])
    .describe('`word` together with `verbose_json` adds word times.'),
});

/** POST /v1/audio/transcriptions. Register it in a scope of its own: it reads request bodies itself. */
export function transcriptionRoute(
  app: FastifyInstance,
  context: AudioRequestContext,
  defaultLanguage: string | undefined,
): void {
  leaveBodiesUnread(app);
  app.post(
    '/v1/audio/transcriptions',
    audioRouteOptions('Transcribe', 'Transcribes speech in its own language.', fields),
    (request, reply) =>
      answerAudioRequest(context, request, reply, 'transcribe', (given) => {
        const options = parseFields(fields, given);
        return {
          ...options,
          language: options.language ?? defaultLanguage,
          words: options['timestamp_granularities[]'].includes('word'),
        };
      }),
  );
}
