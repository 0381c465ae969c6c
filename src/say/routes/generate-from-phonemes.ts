import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SpeechJob } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { SayContext } from '../context.ts';
import { notPhonemes } from '../pipeline/phoneme-segments.ts';
import { BufferedAudio, createAnswerFile, speechAudio } from './audio-response.ts';
import { readLoosely } from './request-body.ts';
import { pausesOf, textField, wayFields } from './speech-request.ts';
import { serveSpeech } from './synthesize.ts';
import { voiceChoice } from './voice-choice.ts';

const FORMAT = 'wav';

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
    handler: (request, reply) =>
      serveSpeech(context, request, reply, {
        create: async () => ({ job: await createJob(context, request.body) }),
        respond: async () => new BufferedAudio(reply, await createAnswerFile(context, FORMAT, 'phonemes')),
      }),
  });
}

/** @throws HearsayError `invalid_request` */
async function createJob(
  context: SayContext,
  { phonemes, voice }: { phonemes: string; voice: string },
): Promise<SpeechJob> {
  await pausesOf(phonemes, 'phonemes');
  assertPhonemes(phonemes);
  const choose = await voiceChoice(context);
  return {
    kind: 'speech',
    input: { phonemes },
    ...choose(voice),
    speed: 1,
    volume: 1,
    format: FORMAT,
    captions: false,
  };
}

/** @throws HearsayError `invalid_request` for characters that are not phonemes */
function assertPhonemes(phonemes: string): void {
  const unknown = notPhonemes(phonemes);
  if (unknown.length === 0) return;
  const message = `Unknown phonemes: ${unknown.slice(0, 20).join(' ')}`;
  throw new HearsayError('invalid_request', message, { param: 'phonemes' });
}
