import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { BufferedCaptions, captionedResponse, StreamedCaptions } from './captions-response.ts';
import { readLoosely } from './request-body.ts';
import { createAnswerFile } from './speech.ts';
import { createSpeech, speechExample, speechFields } from './speech-request.ts';
import { admit, handleSpeechRequest } from './synthesize.ts';

/** POST /dev/captioned_speech. */
export function captionedSpeechRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/dev/captioned_speech',
    operationId: 'createCaptionedSpeech',
    tag: 'dev',
    summary: 'Speak, with the time of each word',
    description: 'With `stream`, one object a line, each with its own words; otherwise one object.',
    body: speechFields(context.config).meta({ example: speechExample }),
    response: { 200: captionedResponse },
    preValidation: readLoosely,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const speech = await createSpeech(context, request.body, { captions: true });
      await slot();
      const { format } = speech.job;
      const { stream, input_type } = request.body;
      const response = stream
        ? new StreamedCaptions(reply, format, input_type)
        : new BufferedCaptions(reply, await createAnswerFile(context, format, 'input'), input_type);
      return handleSpeechRequest(context, request, reply, speech, response, signal);
    },
  });
}
