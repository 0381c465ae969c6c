import type { FastifyInstance } from 'fastify';
import { audioFormats, contentTypes } from '../../audio/formats.ts';
import { binary, route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { bookBodyBytes, bookFields, createBook, readChapters } from './book-request.ts';
import { BufferedCaptions, captionedResponse, StreamedCaptions } from './captions-response.ts';
import { readLoosely } from './request-body.ts';
import { audioResponse, createAnswerFile } from './speech.ts';
import { bookEvents } from './speech-events.ts';
import { admit, handleSpeechRequest } from './synthesize.ts';

const spokenBook = {
  description: 'The book, at 24 kHz in one channel; the index of `m4b` comes last.',
  content: {
    ...Object.fromEntries(audioFormats.map((format) => [contentTypes[format], { schema: binary }])),
    'text/event-stream': { schema: bookEvents },
  },
};

/** POST /v1/audio/book and POST /dev/captioned_book. */
export function bookRoutes(app: FastifyInstance, context: SayContext): void {
  const body = bookFields(context.config);
  const preValidation = [readLoosely, readChapters];
  const bodyLimit = bookBodyBytes(context.config.maxBookCharacters);
  route(app, {
    method: 'POST',
    url: '/v1/audio/book',
    operationId: 'createBook',
    tag: 'audio',
    summary: 'Speak a book with chapters',
    description:
      'Turns chapters into one recording, by default an audiobook with a list of chapters, tags and a cover. Errors, events and headers are those of `/v1/audio/speech`; an error names the chapter, as in `chapters[3].input`. A chapter without anything to speak is left out.',
    body,
    bodyLimit,
    response: { 200: spokenBook },
    preValidation,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const speech = await createBook(context, request.body, { captions: false });
      await slot();
      const texts = request.body.chapters.map(({ input }) => input);
      const response = await audioResponse(context, reply, request.body, { param: 'chapters', texts });
      return handleSpeechRequest(context, request, reply, speech, response, signal);
    },
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
    preValidation,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const speech = await createBook(context, request.body, { captions: true });
      await slot();
      const { format } = speech.job;
      const { stream, input_type } = request.body;
      const response = stream
        ? new StreamedCaptions(reply, format, input_type)
        : new BufferedCaptions(reply, await createAnswerFile(context, format, 'chapters'), input_type);
      return handleSpeechRequest(context, request, reply, speech, response, signal);
    },
  });
}
