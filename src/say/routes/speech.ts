import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { dropNulls, speechFields } from './speech-fields.ts';
import { createSpeech } from './speech-job.ts';
import { handleSpeechRequest } from './speech-request.ts';
import { BufferedAudio, StreamedAudio, speechAudio } from './speech-response.ts';
import { admit } from './synthesize.ts';

/** POST /v1/audio/speech. */
export function speechRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/v1/audio/speech',
    tag: 'audio',
    summary: 'Speak',
    description: 'Turns text into speech. A failure after the first bytes cuts the connection.',
    body: speechFields(context.config),
    response: { 200: speechAudio },
    preValidation: dropNulls,
    handler: async (request, reply) => {
      const signal = admit(context, reply);
      const speech = await createSpeech(context, request.body, { captions: false });
      const { format } = speech.job;
      const response = request.body.stream
        ? new StreamedAudio(reply, format)
        : await BufferedAudio.create(context, reply, format);
      return handleSpeechRequest(context, request, reply, speech, response, signal);
    },
  });
}
