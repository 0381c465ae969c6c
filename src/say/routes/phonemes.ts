import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { errorResponses } from '../../http/errors.ts';
import { admit, capabilities, refuseUnlessSpoken, type SynthesisContext, synthesize } from '../context.ts';
import { notPhonemes } from '../pipeline/phoneme-segments.ts';
import { answerSpeech, audioAnswer, WholeAudio } from './speech.ts';
import { chooseVoice, dropNulls, languageField, lexiconField, refuseLongPauses, textField } from './speech-request.ts';

const phonemized = z.object({
  phonemes: z.string().describe('The phonemes in the alphabet of Kokoro, one line for each sentence and each pause'),
  tokens: z.array(z.never()).describe('Always empty'),
});

/** POST /dev/phonemize and POST /dev/generate_from_phonemes. */
export function phonemeRoutes(app: FastifyInstance, context: SynthesisContext): void {
  const { maxInputCharacters } = context;
  const text = z.object({
    text: textField(maxInputCharacters),
    language: languageField.default('a'),
    lexicon: lexiconField.optional(),
  });
  app.post<{ Body: z.output<typeof text> }>(
    '/dev/phonemize',
    {
      schema: {
        tags: ['dev'],
        summary: 'Text to phonemes',
        description:
          'What Kokoro is given for a text, one line for each sentence and each pause. `/dev/generate_from_phonemes` speaks it as the text is spoken.',
        security: [{ key: [] }],
        body: text,
        response: { 200: phonemized, ...errorResponses },
      },
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const signal = admit(context, reply);
      const { text, language, lexicon } = request.body;
      refuseUnlessSpoken(capabilities(context), { kind: 'phonemize', language });
      refuseLongPauses(text, 'text');
      let phonemes: string[] = [];
      await synthesize(context, {
        job: { kind: 'phonemize', text, language, ...(lexicon && { lexicon }) },
        signal,
        mayRetry: () => true,
        onStart: async () => {
          phonemes = [];
        },
        onEvent: async (event) => {
          if (event.type === 'phonemes') phonemes.push(event.phonemes);
        },
      });
      return reply.send({ phonemes: phonemes.join(''), tokens: [] } satisfies z.infer<typeof phonemized>);
    },
  );

  const spoken = z.object({
    phonemes: textField(maxInputCharacters),
    voice: z.string().default(context.defaultVoice),
  });
  app.post<{ Body: z.output<typeof spoken> }>(
    '/dev/generate_from_phonemes',
    {
      schema: {
        tags: ['dev'],
        summary: 'Speak phonemes',
        description:
          'Each line of the phonemes is a sentence; `[pause:1.5s]` is understood in them. The answer is always a wav file.',
        security: [{ key: [] }],
        body: spoken,
        response: {
          200: { ...audioAnswer, content: { 'audio/wav': audioAnswer.content['audio/wav']! } },
          ...errorResponses,
        },
      },
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const signal = admit(context, reply);
      const { phonemes } = request.body;
      refuseLongPauses(phonemes, 'phonemes');
      const unknown = notPhonemes(phonemes);
      if (unknown.length > 0) {
        const message = `These are no phonemes: ${unknown.slice(0, 20).join(' ')}`;
        throw new HearsayError('invalid_request', message, { param: 'phonemes' });
      }
      const choice = await chooseVoice(context, request.body.voice);
      const job = {
        kind: 'speech',
        input: { phonemes },
        ...choice,
        speed: 1,
        volume: 1,
        format: 'wav',
        captions: false,
      } as const;
      const answer = await WholeAudio.create(context, reply, 'wav');
      return answerSpeech(context, { job, download: undefined }, answer, request, reply, signal);
    },
  );
}
