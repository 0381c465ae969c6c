import { z } from 'zod';
import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS, type SpeechModelInfo } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { withoutNulls } from '../../files/json.ts';
import { assertCapable } from '../transcribe.ts';
import { isDetect, languageCode } from '../transcript/languages.ts';
import { shortList } from './short-list.ts';
import { type ChosenTurnDetection, resolvedTurnDetection, turnDetection } from './turn-detection.ts';

const MAX_TEXT = 10_000;

const language = z
  .string()
  .max(100)
  .refine((name) => languageCode(name) !== undefined, { error: 'Unsupported language' });
/** As the field of a request: an empty one counts as absent. */
const languageOrDetect = z
  .string()
  .max(100)
  .refine((name) => name.trim() === '' || isDetect(name) || languageCode(name) !== undefined, {
    error: 'Unsupported language',
  });

const transcription = z.object({
  model: z
    .string()
    .max(200)
    .nullish()
    .describe('Any name: the loaded model transcribes. It only decides whether turn detection is on by default.'),
  language: languageOrDetect
    .nullish()
    .describe('Language of the speech. Default: DEFAULT_LANGUAGE, else detected; `auto` detects it in any case.'),
  languages: shortList(language, 100).nullish().describe('Only these are detected; a single one counts as `language`.'),
  keywords: shortList(z.string().max(MAX_KEYWORD_CHARACTERS), MAX_KEYWORDS)
    .nullish()
    .describe('Words and phrases that may occur, spelled as they should appear.'),
  prompt: z.string().max(MAX_TEXT).nullish().describe('Initial decoding context. Not every model can use one.'),
  delay: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).nullish().describe('Accepted, then ignored.'),
});

const formats = {
  'audio/pcm': z.object({ type: z.literal('audio/pcm'), rate: z.literal(24_000).default(24_000) }),
  'audio/pcmu': z.object({ type: z.literal('audio/pcmu') }),
  'audio/pcma': z.object({ type: z.literal('audio/pcma') }),
};
const format = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('type', [formats['audio/pcm'], formats['audio/pcmu'], formats['audio/pcma']]),
);

const noiseReduction = z
  .preprocess(
    withoutNulls,
    z.object({ type: z.enum(['near_field', 'far_field']), strength: z.number().min(0).max(1).optional() }),
  )
  .describe('Accepted, then ignored.');

const LOGPROBS = 'item.input_audio_transcription.logprobs';
/** Our extension: the reference has no word times. */
const WORDS = 'item.input_audio_transcription.words';
const include = shortList(z.enum([LOGPROBS, WORDS]), 10);

/** A session as the API describes it; an update changes only the given fields. */
export const sessionUpdate = z.object({
  type: z.literal('transcription', { error: 'Only sessions of the type transcription are supported' }).nullish(),
  include: include.nullish(),
  audio: z
    .object({
      input: z
        .object({
          format: format.nullish(),
          noise_reduction: noiseReduction.nullish(),
          transcription: transcription.nullish(),
          turn_detection: turnDetection.nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** A session as it was described before the API was generally available. */
const olderSessionUpdate = z.object({
  include: include.nullish(),
  input_audio_format: z.enum(['pcm16', 'g711_ulaw', 'g711_alaw']).nullish(),
  input_audio_noise_reduction: noiseReduction.nullish(),
  input_audio_transcription: transcription.nullish(),
  turn_detection: turnDetection.nullish(),
});

/** Some clients mix both forms. */
const olderOrMixed = olderSessionUpdate.extend({ audio: sessionUpdate.shape.audio });

type Input = NonNullable<NonNullable<z.output<typeof sessionUpdate>['audio']>['input']>;
export type AudioFormat = z.output<typeof format>;

const olderFormats = { pcm16: 'audio/pcm', g711_ulaw: 'audio/pcmu', g711_alaw: 'audio/pcma' } as const;
const formatOf = (name: keyof typeof olderFormats) => format.parse({ type: olderFormats[name] });

/** The configuration of a session, as its events show it. */
export interface SessionConfig {
  include: z.output<typeof include> | null;
  format: AudioFormat;
  noise_reduction: z.output<typeof noiseReduction> | null;
  /** Null: audio is cut into items, and not transcribed. */
  transcription: z.output<typeof transcription> | null;
  /** Null: the client commits; undefined: the model decides. */
  turn_detection?: ChosenTurnDetection | null;
}

export const defaultSession: SessionConfig = {
  include: null,
  format: { type: 'audio/pcm', rate: 24_000 },
  noise_reduction: null,
  transcription: {},
};

/**
 * Applies an update, in either form.
 * @throws HearsayError `invalid_request` naming the field, below `session`
 */
export function updateSession(config: SessionConfig, update: unknown): SessionConfig {
  const isOlder = update !== null && typeof update === 'object' && isOlderUpdate(update);
  const result = (isOlder ? olderOrMixed.transform(inCurrentForm) : sessionUpdate).safeParse(update);
  if (!result.success) {
    const { path, message } = result.error.issues[0]!;
    const param = ['session', ...path].map(String).join('.');
    throw new HearsayError('invalid_request', `${param}: ${message}`, { param });
  }
  const { include = config.include, audio } = result.data;
  const input: Input = audio?.input ?? {};
  const { turn_detection = config.turn_detection } = input;
  return {
    include: include ?? null,
    format: input.format ?? config.format,
    noise_reduction: kept(input.noise_reduction, config.noise_reduction),
    transcription: input.transcription
      ? { ...config.transcription, ...input.transcription }
      : kept(input.transcription, config.transcription),
    ...(turn_detection !== undefined && { turn_detection }),
  };
}

function isOlderUpdate(update: object): boolean {
  return Object.keys(update).some((key) => key.startsWith('input_audio_') || key === 'turn_detection');
}

const kept = <T>(given: T | null | undefined, before: T | null): T | null => (given === undefined ? before : given);

function inCurrentForm({
  include,
  input_audio_format,
  input_audio_noise_reduction,
  input_audio_transcription,
  turn_detection,
  audio,
}: z.output<typeof olderOrMixed>): z.output<typeof sessionUpdate> {
  return {
    include,
    audio: {
      input: {
        ...(input_audio_format && { format: formatOf(input_audio_format) }),
        noise_reduction: input_audio_noise_reduction,
        transcription: input_audio_transcription,
        turn_detection,
        ...audio?.input,
      },
    },
  };
}

/** The session as `session.created` and `session.updated` show it. */
export function sessionView(id: string, config: SessionConfig, expiresAt: number) {
  const { include, ...input } = config;
  const turn_detection = resolvedTurnDetection(config);
  return {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id,
    expires_at: expiresAt,
    include,
    audio: { input: { ...input, turn_detection } },
  };
}

/** The session as `transcription_session.updated` shows it. */
export function olderSessionView(id: string, config: SessionConfig, expiresAt: number) {
  const names = Object.entries(olderFormats) as [keyof typeof olderFormats, AudioFormat['type']][];
  const [name] = names.find(([, type]) => type === config.format.type)!;
  return {
    object: 'realtime.transcription_session',
    id,
    expires_at: expiresAt,
    include: config.include,
    input_audio_format: name,
    input_audio_noise_reduction: config.noise_reduction,
    input_audio_transcription: config.transcription,
    turn_detection: resolvedTurnDetection(config),
  };
}

/** Whether events have the tokens of their text. */
export function includesLogprobs({ include }: SessionConfig): boolean {
  return include?.includes(LOGPROBS) === true;
}

/** Whether the end of a turn has the words of its text, with times. */
export function includesWords({ include }: SessionConfig): boolean {
  return include?.includes(WORDS) === true;
}

/**
 * @param info of the model, if one has been loaded
 * @throws HearsayError `unsupported_language` naming the field
 */
export function assertKnownLanguages(config: SessionConfig, info: SpeechModelInfo | undefined): void {
  if (!info) return;
  const below = 'session.audio.input.transcription';
  const languages = `${below}.languages`;
  // One of `languages` counts as `language`.
  const language = namedLanguage(config) === undefined ? languages : `${below}.language`;
  assertCapable(info, 'transcribe', jobOptionsOf(config, undefined), { language, languages });
}

/** The code of the one language that a session asks for. */
function namedLanguage({ transcription }: SessionConfig): string | undefined {
  const { language } = transcription ?? {};
  return language && !isDetect(language) ? languageCode(language) : undefined;
}

/** The fields of a transcription job that come from a session. */
export function jobOptionsOf(config: SessionConfig, defaultLanguage: string | undefined) {
  const { transcription } = config;
  const { language, languages, prompt, keywords } = transcription ?? {};
  const codes = [...new Set(languages?.map((name) => languageCode(name)!))];
  const detects = codes.length > 1 || isDetect(language ?? '');
  const unnamed = detects ? undefined : defaultLanguage;
  const code = namedLanguage(config) ?? (codes.length === 1 ? codes[0] : unnamed);
  const phrases = keywords?.map((keyword) => keyword.trim()).filter((keyword) => keyword !== '') ?? [];
  return {
    task: 'transcribe' as const,
    ...(code && { language: code }),
    ...(code === undefined && codes.length > 1 && { languages: codes }),
    ...(prompt && { prompt }),
    ...(phrases.length > 0 && { keywords: phrases }),
    ...(includesLogprobs(config) && { logprobs: true }),
  };
}
