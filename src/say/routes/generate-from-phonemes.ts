import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { notPhonemes } from '../pipeline/phoneme-segments.ts';
import { readLoosely } from './request-body.ts';
import { BufferedAudio, createAnswerFile, speechAudio } from './speech.ts';
import { assertControlTokens, type SpeechJob, textField, wayFields } from './speech-request.ts';
import { admit, handleSpeechRequest } from './synthesize.ts';
import { voiceChoice } from './voice-choice.ts';

/** POST /dev/generate_from_phonemes. */
export function generateFromPhonemesRoute(app: FastifyInstance, context: SayContext): void {
  const { maxInputCharacters, defaultVoice } = context.config;
  route(app, {
    method: 'POST',
    url: '/dev/generate_from_phonemes',
    operationId: 'generateFromPhonemes',
    tag: 'dev',
    summary: 'Speak phonemes',
    description: 'Each line is a sentence; lines may contain `[pause:1.5s]`. The response is always a wav file.',
    body: z
      .object({ phonemes: textField(maxInputCharacters), voice: wayFields(defaultVoice).voice })
      .meta({ example: { phonemes: 'ɡˌʊd mˈɔɹnɪŋ.' } }),
    response: { 200: { ...speechAudio, content: { 'audio/wav': speechAudio.content['audio/wav']! } } },
    preValidation: readLoosely,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const { phonemes } = request.body;
      assertControlTokens(phonemes, 'phonemes');
      assertPhonemes(phonemes);
      const job: SpeechJob = {
        kind: 'speech',
        input: { phonemes },
        ...(await voiceChoice(context))(request.body.voice),
        speed: 1,
        volume: 1,
        format: 'wav',
        captions: false,
      };
      await slot();
      const response = new BufferedAudio(reply, await createAnswerFile(context, job.format, 'phonemes'));
      return handleSpeechRequest(context, request, reply, { job }, response, signal);
    },
  });
}

/** @throws HearsayError `invalid_request` for characters that are not phonemes */
function assertPhonemes(phonemes: string): void {
  const unknown = notPhonemes(phonemes);
  if (unknown.length === 0) return;
  const message = `Unknown phonemes: ${unknown.slice(0, 20).join(' ')}`;
  throw new HearsayError('invalid_request', message, { param: 'phonemes' });
}
