import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { wavHeader } from '../../audio/wav.ts';
import { allButBody, binary, route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { usableKeywords } from '../keywords.ts';
import { DETECT } from '../transcript/languages.ts';
import { disableBodyParsing, emptyAsAbsent } from './audio-form.ts';
import { handleAudioRequest, type UploadOptions } from './audio-request.ts';
import { languageField } from './language-field.ts';
import { MAX_SPEAKERS, speakerCount } from './speaker-fields.ts';

/** Sampling rate of raw audio, in Hz. */
const SAMPLE_RATE = 16_000;

/** Response formats by the name of the output in whisper-asr-webservice. */
const formats = { txt: 'text', vtt: 'vtt', srt: 'srt', tsv: 'tsv', json: 'verbose_json' } as const;

const optional = <Schema extends z.ZodType>(schema: Schema) => emptyAsAbsent(schema.optional());

const flag = z.stringbool({ error: 'must be true or false' });

const encode = optional(flag)
  .meta({ type: 'boolean', default: true })
  .describe('false: `audio_file` is raw audio, signed 16-bit little-endian samples in one channel at 16 kHz.');

const speakerLimit = optional(speakerCount()).meta({ type: 'integer', minimum: 1, maximum: MAX_SPEAKERS });

const asrQuery = z.object({
  encode,
  task: optional(z.enum(['transcribe', 'translate'])).meta({ type: 'string', enum: ['transcribe', 'translate'] }),
  language: optional(languageField({ orDetect: true })).meta({ type: 'string' }),
  initial_prompt: optional(z.string()).meta({ type: 'string' }),
  hotwords: optional(z.string().transform((words) => usableKeywords(words.split(/[,\n]/))))
    .meta({ type: 'string' })
    .describe('Words and phrases that may occur, separated by commas, as `keywords[]` of transcriptions.'),
  word_timestamps: optional(flag).meta({ type: 'boolean' }).describe('Adds word times to `json`.'),
  diarize: optional(flag)
    .meta({ type: 'boolean' })
    .describe('Adds speakers, as `speakers` of transcriptions, if there is a speaker model.'),
  enable_diarization: optional(flag).meta({ type: 'boolean' }).describe('The same as `diarize`.'),
  min_speakers: speakerLimit,
  max_speakers: speakerLimit.describe('If equal to `min_speakers`: the number of speakers.'),
  output: optional(z.enum(['txt', 'vtt', 'srt', 'tsv', 'json']))
    .meta({ type: 'string', enum: Object.keys(formats) })
    .describe('Default: `txt`.'),
});

const form = z.object({ audio_file: binary });
const uploadOf = (encode: boolean | undefined): UploadOptions => ({
  fileField: 'audio_file',
  ...(encode === false && { filePrefix: wavHeader(SAMPLE_RATE) }),
});

const detectedLanguage = z.object({
  detected_language: z.string().describe('Its English name, in lower case.'),
  language_code: z.string(),
  confidence: z.number().describe('Probability, 0 to 1; 0 without speech.'),
});

/**
 * POST /asr and POST /detect-language, as clients of whisper-asr-webservice call them. Needs its own scope: it
 * disables body parsing.
 */
export async function asrRoutes(app: FastifyInstance, context: HearContext): Promise<void> {
  disableBodyParsing(app);
  route(app, {
    method: 'POST',
    url: '/asr',
    operationId: 'asr',
    tag: 'audio',
    summary: 'Transcribe, for clients of whisper-asr-webservice',
    description: 'The body may also be JSON, with the recording in Base64.',
    consumes: 'multipart/form-data',
    querystring: asrQuery,
    body: form,
    response: {
      200: {
        description: 'The transcript in the requested `output`',
        content: { 'text/plain': { schema: z.string() }, 'application/json': { schema: z.unknown() } },
      },
    },
    validatorCompiler: allButBody,
    handler: async (request, reply) => {
      const { encode, task = 'transcribe', language, initial_prompt, word_timestamps, output } = request.query;
      const { hotwords, diarize, enable_diarization, min_speakers, max_speakers } = request.query;
      const usual = task === 'transcribe' ? context.config.defaultLanguage : undefined;
      const options = {
        language: language === DETECT ? undefined : (language ?? usual),
        prompt: initial_prompt,
        keywords: hotwords,
        response_format: formats[output ?? 'txt'],
        stream: false,
        words: word_timestamps ?? false,
        // Clients ask for speakers by default, whether or not the service knows any.
        speakers: (diarize ?? enable_diarization ?? false) && (await context.speakers.name()) !== undefined,
        ...(min_speakers === max_speakers && { speaker_count: max_speakers }),
      };
      return handleAudioRequest(context, request, reply, task, () => options, uploadOf(encode));
    },
  });
  route(app, {
    method: 'POST',
    url: '/detect-language',
    operationId: 'detectLanguage',
    tag: 'audio',
    summary: 'Detect the language, for clients of whisper-asr-webservice',
    description: 'Looks at the first speech, up to 30 s of it. The body may also be JSON, as for `/asr`.',
    consumes: 'multipart/form-data',
    querystring: z.object({ encode }),
    body: form,
    response: { 200: detectedLanguage },
    validatorCompiler: allButBody,
    handler: (request, reply) => {
      const options = { response_format: 'json', stream: false, words: false, detectOnly: true } as const;
      return handleAudioRequest(context, request, reply, 'transcribe', () => options, uploadOf(request.query.encode));
    },
  });
}
