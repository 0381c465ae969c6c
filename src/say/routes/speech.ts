import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { audioResponse, spokenResponse } from './audio-response.ts';
import { readLoosely } from './request-body.ts';
import { createSpeech, speechExample, speechFields } from './speech-request.ts';
import { serveSpeech } from './synthesize.ts';

/** POST /v1/audio/speech. */
export function speechRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/v1/audio/speech',
    operationId: 'createSpeech',
    tag: 'audio',
    summary: 'Speak',
    description:
      'Turns text into speech. A failure after the first bytes cuts the connection. The header `X-Skipped-Text` counts the letters that the language does not read; a text with only such letters gets a 400 `unspeakable_text`.',
    body: speechFields(context.config).meta({ example: speechExample }),
    response: {
      200: spokenResponse,
    },
    preValidation: readLoosely,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createSpeech(context, request.body, { captions: false }),
        respond: () => audioResponse(context, reply, request.body, { param: 'input', texts: [request.body.input] }),
      }),
  });
}
