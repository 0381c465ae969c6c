import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS } from '../../contracts/transcription.ts';
import type { Form } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { DETECT } from '../transcript/languages.ts';
import { audioFields, audioRoute, disableBodyParsing, isFieldOf, parseFields } from './audio-form.ts';
import { handleAudioRequest } from './audio-request.ts';
import { chunkingStrategy } from './chunking-strategy.ts';
import { languageField } from './language-field.ts';

/** More languages than there are. */
const MAX_LANGUAGES = 200;
/** Of lists that have one or two values to choose from. */
const MAX_CHOICES = 100;

const formFields = z.object({
  ...audioFields,
  language: languageField({ orDetect: true })
    .optional()
    .describe(
      'Language of the speech, e.g. `en`, `en-US` or `English`; `auto` detects it. Default: `DEFAULT_LANGUAGE`, else `auto`.',
    ),
  'languages[]': z
    .array(languageField())
    .max(MAX_LANGUAGES, { error: `languages[] may have at most ${MAX_LANGUAGES} items` })
    .optional()
    .describe('Languages that may be spoken: only these are detected. `language` takes precedence.'),
  'keywords[]': z
    .array(
      z
        .string()
        .trim()
        .max(MAX_KEYWORD_CHARACTERS, {
          error: `keywords[] may have at most ${MAX_KEYWORD_CHARACTERS} characters each`,
        }),
    )
    .max(MAX_KEYWORDS, { error: `keywords[] may have at most ${MAX_KEYWORDS} items` })
    .optional()
    .describe('Words and phrases that may occur, spelled as they should appear: names, products, terms.'),
  'timestamp_granularities[]': z
    .array(z.enum(['word', 'segment'], { error: 'timestamp_granularities[] must be word or segment' }))
    .max(MAX_CHOICES, { error: `timestamp_granularities[] may have at most ${MAX_CHOICES} items` })
    .default([])
    .describe('`word` together with `verbose_json` adds word times.'),
  'include[]': z
    .array(z.enum(['logprobs'], { error: 'include[] must be logprobs' }))
    .max(MAX_CHOICES, { error: `include[] may have at most ${MAX_CHOICES} items` })
    .optional()
    .describe('`logprobs` adds the log probability of each token to JSON and to events.'),
  chunking_strategy: chunkingStrategy,
});

/** POST /v1/audio/transcriptions. Needs its own scope: it disables body parsing. */
export async function transcriptionRoute(app: FastifyInstance, context: HearContext): Promise<void> {
  disableBodyParsing(app);
  const isField = isFieldOf(formFields);
  const readOptions = (fields: Form['fields']) => {
    const options = parseFields(formFields, fields);
    const { 'languages[]': languages, 'keywords[]': keywords, 'include[]': include, chunking_strategy } = options;
    const isNamed = options.language !== undefined || languages !== undefined;
    const language = isNamed ? options.language : context.config.defaultLanguage;
    return {
      ...options,
      language: language === DETECT ? undefined : language,
      languages,
      keywords: keywords?.filter((keyword) => keyword !== ''),
      words: options['timestamp_granularities[]'].includes('word'),
      logprobs: include?.includes('logprobs') ?? false,
      isExtended: [languages, keywords, include].some((list) => list !== undefined) || 'chunking_strategy' in options,
      voiceActivity: chunking_strategy,
    };
  };
  route(app, {
    ...audioRoute(formFields),
    url: '/v1/audio/transcriptions',
    operationId: 'createTranscription',
    summary: 'Transcribe',
    description:
      'Transcribes speech in its own language. The body may also be JSON, with the recording in Base64 in `input_audio.data` and the other fields as members.',
    handler: (request, reply) =>
      handleAudioRequest(context, request, reply, 'transcribe', readOptions, {
        isBackground: request.query.background,
        isField,
      }),
  });
}
