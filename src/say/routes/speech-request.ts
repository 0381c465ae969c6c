import { z } from 'zod';
import { type AudioFormat, speechFormats } from '../../audio/formats.ts';
import type { SpeechJob } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { runInSlices } from '../../scheduling/slices.ts';
import { controlTokenSteps, maxPauseSeconds } from '../../text/control-tokens.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import type { SayContext } from '../context.ts';
import { languageLetter } from '../voices/language-codes.ts';
import { MAX_SPEED, MAX_VOLUME, MIN_SPEED } from './pace.ts';
import { isKnownModel, modelIds } from './speech-models.ts';
import { ssmlPassages } from './ssml-passages.ts';
import { voiceChoice } from './voice-choice.ts';

export const normalization = z.object({
  normalize: z.boolean().default(true).describe('false: speaks the text as written.'),
  markdown_normalization: z.boolean().default(true).describe('Skips the marks of Markdown; table rows are sentences.'),
  unit_normalization: z.boolean().default(false).describe('Says `10 km` as ten kilometers.'),
  url_normalization: z.boolean().default(true).describe('Says the dots and slashes of web addresses and file names.'),
  email_normalization: z.boolean().default(true).describe('Says the `@` and the dots of mail addresses.'),
  optional_pluralization_normalization: z.boolean().default(true).describe('Says `file(s)` as files.'),
  phone_normalization: z.boolean().default(true).describe('Says telephone numbers digit by digit.'),
  replace_remaining_symbols: z.boolean().default(true).describe('Says `&` as and.'),
});

/** A language letter or tag; becomes its letter. */
export const languageField = z.string().transform((code, context): LanguageLetter => {
  const letter = languageLetter(code);
  if (letter === undefined) {
    const message = 'must be one of a, b, e, f, h, i, j, p and z, or a language tag such as en-US';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  return letter;
});

/** Pronunciations of this request; they take precedence over all others. */
export const lexiconField = z
  .record(z.string(), z.unknown())
  .meta({ additionalProperties: { type: 'string' } })
  .transform((entries, context) => {
    try {
      UserLexicon.from(entries);
    } catch (error) {
      if (!(error instanceof HearsayError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
    return entries as Record<string, string>;
  })
  .describe(
    'Pronunciations for this request in Kokoro\'s alphabet, used before all others: `{"Hearsay": "hˈɪɹsˌA"}`. At most 10,000.',
  );

export const pauseAfterField = z.number().min(0).max(maxPauseSeconds).default(0);

/** A voice by its name or as an object. */
export const voiceField = z
  .union([z.string(), z.object({ id: z.string() })], { error: 'must be a voice, a blend or an object with an id' })
  .transform((voice) => (typeof voice === 'string' ? voice : voice.id));

/** How to speak a text. */
export function wayFields(defaultVoice: string) {
  return {
    voice: voiceField
      .optional()
      // With a default, generated Go clients do not compile.
      .transform((voice = defaultVoice) => voice)
      .describe(
        `A voice in any case, a blend such as \`af_heart(2)+af_bella(1)\`, or an object with its \`id\`; by default \`${defaultVoice}\`.`,
      ),
    speed: z.number().min(MIN_SPEED).max(MAX_SPEED).default(1).describe('Tempo; the pitch stays.'),
    lang_code: languageField
      .optional()
      .describe('Language of the text, as a letter or a tag such as `en-GB`; by default that of the voice.'),
    volume_multiplier: z.number().gt(0).max(MAX_VOLUME).default(1).describe('Loudness, relative to the usual one.'),
  };
}

/** The example in /docs: the one that the library would make has every field, most of them invalid. */
export const speechExample = { input: 'Good morning! The train leaves at nine.' };

/** The body of a speech request. */
export function speechFields({ defaultVoice, maxInputCharacters }: SayContext['config']) {
  return z.object({
    model: z
      .string()
      .refine(isKnownModel, 'Unknown model; GET /v1/models lists the available models.')
      .default('tts-native')
      .describe(
        `One of ${modelIds.join(', ')}, gpt-4o-mini-tts or kokoro, or a dated release of one; all use the loaded model.`,
      ),
    input: textField(maxInputCharacters).describe(
      'The text, which may contain `[pause:1.5s]`, two hours in total, and `[word](/ipa/)`; or an SSML document. Lone surrogates become U+FFFD.',
    ),
    input_type: z
      .enum(['text', 'ssml'])
      .default('text')
      .describe('`ssml`: the input is a document with the root `<speak>`; docs/ssml.md describes its elements.'),
    instructions: z.string().optional().describe('Accepted for compatibility, then ignored: no voice supports them.'),
    ...wayFields(defaultVoice),
    response_format: z.enum(speechFormats).default('mp3'),
    download_format: z
      .enum(speechFormats)
      .optional()
      .describe('Format of the file of `return_download_link`; by default `response_format`.'),
    stream: z
      .boolean()
      .default(true)
      .describe('false: one complete body with exact sizes, of `MAX_ANSWER_BYTES` at most.'),
    stream_format: z
      .enum(['audio', 'sse'])
      .default('audio')
      .describe(
        '`sse`: server-sent events `speech.audio.delta` and `speech.audio.done`, regardless of `stream`; `tts-1` and `tts-1-hd` still send audio.',
      ),
    return_download_link: z
      .boolean()
      .default(false)
      .describe('Also writes the speech to a file; the header `X-Download-Path` has its path.'),
    lexicon: lexiconField.optional(),
    // With a default, generated Go clients do not compile.
    normalization_options: normalization
      .optional()
      .transform((options) => options ?? normalization.parse({}))
      .describe('What to expand before speaking.'),
  });
}

type SpeechFields = z.output<ReturnType<typeof speechFields>>;

/** In which form the speech is sent. */
export type ResponseFields = Pick<SpeechFields, 'stream' | 'stream_format' | 'model'> & {
  response_format: AudioFormat;
};

/** The settings of a request for its speech as a whole. */
type AnswerFields = Pick<SpeechFields, 'return_download_link' | 'lexicon'> & {
  response_format: AudioFormat;
  download_format?: AudioFormat | undefined;
};

/** A text that is not blank. Lone surrogates become U+FFFD. */
export function textField(maxCharacters: number) {
  return z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be empty', abort: true })
    .refine((text) => !isLonger(text, maxCharacters), `must have no more than ${maxCharacters} characters`)
    .transform((text) => text.toWellFormed())
    .meta({ minLength: 1, pattern: '\\S' });
}

/** Whether a text has more characters (code points). */
export function isLonger(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
  // Characters outside the basic plane are two UTF-16 units.
  if (text.length > 2 * maxCharacters) return true;
  let characters = text.length;
  for (let index = 0; index < text.length; index++) {
    if (text.codePointAt(index)! <= 0xffff) continue;
    characters--;
    index++;
  }
  return characters > maxCharacters;
}

/** Room for all fields but the text, a lexicon of usual size included. */
const OTHER_FIELDS_BYTES = 1 << 20;

/** Size limit of a JSON body: room for the longest text with every character escaped. */
export function jsonBodyBytes(maxInputCharacters: number): number {
  return maxInputCharacters * '\\ud83d\\ude00'.length + OTHER_FIELDS_BYTES;
}

/**
 * Checks the control tokens of a text, in slices of time.
 * @returns seconds of its pauses
 * @throws HearsayError `invalid_request` if it has pauses over the limits or a pronunciation with unknown phonemes
 */
export async function pausesOf(text: string, param: string): Promise<number> {
  const { problem, pauseSeconds } = await runInSlices(controlTokenSteps(text));
  if (problem !== undefined) throw new HearsayError('invalid_request', problem, { param });
  return pauseSeconds;
}

/** What a valid request asks for. */
export interface Speech {
  job: SpeechJob;
  /** Format of the file to keep for download. */
  download?: AudioFormat | undefined;
}

/** Converts the fields of a request. @throws HearsayError `invalid_request` */
export async function createSpeech(
  context: SayContext,
  fields: SpeechFields,
  { captions }: { captions: boolean },
): Promise<Speech> {
  const { input, normalization_options: normalization } = fields;
  const isSsml = fields.input_type === 'ssml';
  if (!isSsml) await pausesOf(input, 'input');
  const choose = await voiceChoice(context);
  const chosen = choose(fields.voice, fields.lang_code);
  const way = { ...chosen, speed: fields.speed, volume: fields.volume_multiplier };
  const passages = isSsml ? await ssmlPassages(input, { ...way, voiceName: fields.voice }, choose) : undefined;
  return speechOf(fields, {
    input: passages ? { passages, normalization, param: 'input' } : { text: input, normalization },
    ...way,
    captions,
  });
}

/** The job of a request, and the download that it asks for. */
export function speechOf(
  { response_format: format, return_download_link, download_format, lexicon }: AnswerFields,
  spoken: Pick<SpeechJob, 'input' | 'voice' | 'language' | 'speed' | 'volume' | 'captions' | 'book'>,
): Speech {
  const download = return_download_link ? (download_format ?? format) : undefined;
  const hasSecondFormat = download !== undefined && download !== format;
  const job: SpeechJob = {
    kind: 'speech',
    ...spoken,
    format,
    ...(hasSecondFormat && { downloadFormat: download }),
    ...(lexicon && { lexicon }),
  };
  return { job, download };
}
