import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { audioResponse, spokenResponse } from './audio-response.ts';
import { captionedResponse, captionsResponse } from './captions-response.ts';
import { createDialogue, dialogueFields, MAX_LINES } from './dialogue-request.ts';
import { bodyWithItems } from './request-body.ts';
import { serveSpeech } from './synthesize.ts';

/** POST /v1/audio/dialogue and POST /dev/captioned_dialogue. */
export function dialogueRoutes(app: FastifyInstance, context: SayContext): void {
  const { body, line: item } = dialogueFields(context.config);
  const reading = bodyWithItems(body, { name: 'lines', item, max: MAX_LINES });
  route(app, {
    method: 'POST',
    url: '/v1/audio/dialogue',
    operationId: 'createDialogue',
    tag: 'audio',
    summary: 'Speak the lines of several voices',
    description:
      'Turns lines into one recording, each spoken by its own voice. Errors, formats, events and headers are those of `/v1/audio/speech`; an error names the line, as in `lines[3].voice`. A line without anything to speak is skipped.',
    body,
    response: { 200: spokenResponse },
    ...reading,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createDialogue(context, request.body, { captions: false }),
        respond: () => {
          const texts = request.body.lines.map(({ input }) => input);
          return audioResponse(context, reply, request.body, { param: 'lines', texts });
        },
      }),
  });
  route(app, {
    method: 'POST',
    url: '/dev/captioned_dialogue',
    operationId: 'createCaptionedDialogue',
    tag: 'dev',
    summary: 'Speak the lines of several voices, with the time of each word',
    description: 'Like `/dev/captioned_speech`; each word has the index of its line.',
    body,
    response: { 200: captionedResponse },
    ...reading,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createDialogue(context, request.body, { captions: true }),
        respond: () => {
          const { response_format: format, stream } = request.body;
          return captionsResponse(context, reply, { format, stream, of: 'dialogue', param: 'lines' });
        },
      }),
  });
}
