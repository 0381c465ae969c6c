import type { FastifyInstance } from 'fastify';
import { audioFormats, contentTypes } from '../../audio/formats.ts';
import { binary, route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { audioResponse } from './audio-response.ts';
import { bookBodyBytes, bookFields, createBook, MAX_CHAPTERS } from './book-request.ts';
import { captionedResponse, captionsResponse } from './captions-response.ts';
import { bodyWithItems } from './request-body.ts';
import { bookEvents } from './speech-events.ts';
import { serveSpeech } from './synthesize.ts';

const spokenBook = {
  description: 'The book, at 24 kHz in one channel; the index of `m4b` comes last.',
  content: {
    ...Object.fromEntries(audioFormats.map((format) => [contentTypes[format], { schema: binary }])),
    'text/event-stream': { schema: bookEvents },
  },
};

/** POST /v1/audio/book and POST /dev/captioned_book. */
export function bookRoutes(app: FastifyInstance, context: SayContext): void {
  const { body, chapter: item } = bookFields(context.config);
  const reading = bodyWithItems(body, { name: 'chapters', item, max: MAX_CHAPTERS });
  const bodyLimit = bookBodyBytes(context.config.maxBookCharacters);
  route(app, {
    method: 'POST',
    url: '/v1/audio/book',
    operationId: 'createBook',
    tag: 'audio',
    summary: 'Speak a book with chapters',
    description:
      'Turns chapters into one recording, by default an audiobook with a list of chapters, tags and a cover. Errors, events and headers are those of `/v1/audio/speech`; an error names the chapter, as in `chapters[3].input`. A chapter without anything to speak is skipped.',
    body,
    bodyLimit,
    response: { 200: spokenBook },
    ...reading,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createBook(context, request.body, { captions: false }),
        respond: () => {
          const texts = request.body.chapters.map(({ input }) => input);
          return audioResponse(context, reply, request.body, { param: 'chapters', texts });
        },
      }),
  });
  route(app, {
    method: 'POST',
    url: '/dev/captioned_book',
    operationId: 'createCaptionedBook',
    tag: 'dev',
    summary: 'Speak a book with chapters, with the time of each word',
    description: 'Like `/dev/captioned_speech`; each word has the index of its chapter.',
    body,
    bodyLimit,
    response: { 200: captionedResponse },
    ...reading,
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: () => createBook(context, request.body, { captions: true }),
        respond: () => {
          const { response_format: format, stream, input_type: of } = request.body;
          return captionsResponse(context, reply, { format, stream, of, param: 'chapters' });
        },
      }),
  });
}
