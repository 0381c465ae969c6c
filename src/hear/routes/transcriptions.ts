import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { languageCode } from '../transcript/languages.ts';
import { audioFields, audioRoute, disableBodyParsing, parseFields } from './audio-form.ts';
import { handleAudioRequest } from './audio-request.ts';

const formFields = z.object({
  ...audioFields,
  language: z
    .string()
    .transform((name, context) => {
      const code = languageCode(name);
      if (code === undefined) {
        context.addIssue({ code: 'custom', message: `Unsupported language: ${name.slice(0, 100)}` });
        return z.NEVER;
      }
      return code;
    })
    .optional()
    .describe('Language of the speech, e.g. `en`, `en-US` or `English`; detected by default.'),
  'timestamp_granularities[]': z
    .array(z.enum(['word', 'segment'], { error: 'timestamp_granularities[] must be word or segment' }))
    .default([])
    .describe('`word` together with `verbose_json` adds word times.'),
});

/** POST /v1/audio/transcriptions. Needs a scope of its own: it disables body parsing. */
export async function transcriptionRoute(app: FastifyInstance, context: HearContext): Promise<void> {
  disableBodyParsing(app);
  route(app, {
    ...audioRoute(formFields),
    url: '/v1/audio/transcriptions',
    summary: 'Transcribe',
    description: 'Transcribes speech in its own language.',
    handler: (request, reply) =>
      handleAudioRequest(context, request, reply, 'transcribe', (fields) => {
        const options = parseFields(formFields, fields);
        return {
          ...options,
          language: options.language ?? context.config.defaultLanguage,
          words: options['timestamp_granularities[]'].includes('word'),
        };
      }),
  });
}
