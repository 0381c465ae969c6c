import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type AudioRequestContext,
  answerAudioRequest,
  audioFields,
  audioRouteOptions,
  leaveBodiesUnread,
  parseFields,
} from './audio-request.ts';

const fields = z.object(audioFields);

/** POST /v1/audio/translations. Register it in a scope of its own: it reads request bodies itself. */
export function translationRoute(app: FastifyInstance, context: AudioRequestContext): void {
  leaveBodiesUnread(app);
  app.post(
    '/v1/audio/translations',
    audioRouteOptions('Translate', 'Translates speech of any language, which is detected, into English.', fields),
    (request, reply) =>
      answerAudioRequest(context, request, reply, 'translate', (given) => ({
        ...parseFields(fields, given),
        words: false,
      })),
  );
}
