import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { captionedResponse, captionsResponse } from './captions-response.ts';
import { readLoosely } from './request-body.ts';
import { createSpeech, speechExample, speechFields } from './speech-request.ts';
import { serveSpeech } from './synthesize.ts';

/** POST /dev/captioned_speech. */
export function captionedSpeechRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/dev/captioned_speech',
    operationId: 'createCaptionedSpeech',
    tag: 'dev',
    summary: 'Speak, with the time of each word',
    description:
      'With `stream`, one object a line, each with its own words; otherwise one object. `stream_format` has no effect.',
    body: speechFields(context.config).meta({ example: speechExample }),
    response: { 200: captionedResponse },
    preValidation: readLoosely,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createSpeech(context, request.body, { captions: true }),
        respond: () => {
          const { response_format: format, stream, input_type: of } = request.body;
          return captionsResponse(context, reply, { format, stream, of, param: 'input' });
        },
      }),
  });
}
