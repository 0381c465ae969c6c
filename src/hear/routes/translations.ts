import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { audioFields, audioRoute, disableBodyParsing, isFieldOf, parseFields } from './audio-form.ts';
import { handleAudioRequest } from './audio-request.ts';

const formFields = z.object(audioFields);

/** POST /v1/audio/translations. Needs its own scope: it disables body parsing. */
export async function translationRoute(app: FastifyInstance, context: HearContext): Promise<void> {
  disableBodyParsing(app);
  const isField = isFieldOf(formFields);
  route(app, {
    ...audioRoute(formFields),
    url: '/v1/audio/translations',
    operationId: 'createTranslation',
    summary: 'Translate',
    description:
      'Translates speech into English, and detects its language. The body may also be JSON, as for a transcription.',
    handler: (request, reply) =>
      handleAudioRequest(
        context,
        request,
        reply,
        'translate',
        (fields) => ({ ...parseFields(formFields, fields), words: false }),
        { isBackground: request.query.background, isField },
      ),
  });
}
