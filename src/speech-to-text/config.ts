import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  boolean,
  type Configuration,
  declare,
  folder,
  httpUrl,
  integer,
  type Kind,
  oneOf,
  origins,
  readConfiguration,
  text,
} from '../configuration.ts';
import { languageCode } from './languages.ts';

const language: Kind<string> = {
  schema: z.string().transform((value, context) => {
    const code = languageCode(value);
    if (code === undefined) context.addIssue({ code: 'custom', message: 'not a language' });
    return code ?? '';
  }),
  allowed: 'a language code, tag or English name such as de, de-AT or German',
};

const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

// Node's timers hold at most 2^31 - 1 ms, which is a little more than 24 days.
const seconds = (min: number) => integer({ min, max: 2_000_000 });

/** Every environment variable of the transcription service. */
export const transcriptionDeclarations = {
  API_KEY: declare(text(), {
    description: 'Key that clients must send as `Authorization: Bearer <key>`; without one, no key is asked for.',
    secret: true,
  }),
  MODEL_SIZE: declare(text('the name of a preset, a folder, or a hub id such as org/name'), {
    description:
      'Model to load, selectable even where it is none of the presets; without it, the best one already on this machine.',
  }),
  DEFAULT_LANGUAGE: declare(language, {
    description: 'Language of the speech where a request names none; without it, the language is detected.',
  }),
  MAX_UPLOAD_BYTES: declare(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    default: '536870912',
    description: 'Size limit of an upload, in bytes; a larger one is answered with 413.',
  }),
  MAX_AUDIO_SECONDS: declare(integer({ min: 1, max: 31_536_000 }), {
    default: '14400',
    description: 'Length limit of a recording, in seconds; a longer one is answered with 400.',
  }),
  WARMUP_ON_START: declare(boolean(), {
    default: 'true',
    description: 'Whether the model is loaded at start; otherwise the first request loads it.',
  }),
  DATA_DIR: declare(folder(), {
    default: './data',
    description: 'Folder for what is kept across restarts, such as the `active_model` file.',
  }),
  MODELS_DIR: declare(folder(), {
    defaultText: '`<DATA_DIR>/models`',
    description: 'Folder for downloaded and compiled models.',
  }),
  TEMP_DIR: declare(folder(), {
    default: tmpdir(),
    defaultText: "the system's temporary folder",
    description: 'Folder that holds an upload while its request is worked on.',
  }),
  HOST: declare(text('an address or a host name'), {
    default: '0.0.0.0',
    description: 'Address to listen on.',
  }),
  PORT: declare(integer({ min: 0, max: 65535 }), {
    default: '8000',
    description: 'Port to listen on; 0 takes any free one.',
  }),
  DEVICE: declare(oneOf(['auto', 'cpu', 'cuda']), {
    default: 'auto',
    description: 'Where the model runs; `auto` takes a GPU where one can be used.',
  }),
  COMPUTE_TYPE: declare(oneOf(['auto', 'float32', 'int8']), {
    default: 'auto',
    description: 'Number format the model computes in; `auto` takes what suits the model and the device.',
  }),
  THREADS: declare(integer({ min: 1, max: 1024 }), {
    default: String(availableParallelism()),
    defaultText: 'the available cores',
    description: 'Threads that the model computes with.',
  }),
  CORS_ORIGINS: declare(origins(), {
    default: '*',
    description: 'Origins whose pages may call the `/v1` routes from a browser.',
  }),
  MAX_CONCURRENCY: declare(integer({ min: 1, max: 1024 }), {
    default: '8',
    description: 'Requests that are worked on together.',
  }),
  QUEUE_SIZE: declare(integer({ min: 0, max: 1_000_000 }), {
    default: '32',
    description: 'Requests that may wait for their turn; one more is answered with 503 `queue_full`.',
  }),
  QUEUE_TIMEOUT_SECONDS: declare(seconds(0), {
    default: '60',
    description: 'Seconds that a request waits for its turn before it is answered with 503 `queue_timeout`.',
  }),
  UPLOAD_TIMEOUT_SECONDS: declare(seconds(1), {
    default: '30',
    description: 'Seconds that an upload may stand still before its request is given up.',
  }),
  ENGINE_TIMEOUT_SECONDS: declare(seconds(1), {
    default: '60',
    description: 'Seconds without a sign of life after which a working engine process is ended and started again.',
  }),
  FAILURE_WINDOW_SECONDS: declare(seconds(3), {
    default: '5',
    description: 'Seconds that `/health` says why the model could not be loaded, before the process exits.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: declare(seconds(0), {
    default: '30',
    description: 'Seconds that running requests are given to finish after SIGTERM.',
  }),
  API_LOG_LEVEL: declare(logLevel, {
    default: 'info',
    description: 'Least level of the log lines of the service itself.',
  }),
  SERVER_LOG_LEVEL: declare(logLevel, {
    default: 'info',
    description: 'Least level of the log lines of the HTTP server: one for each request.',
  }),
  LOG_FORMAT: declare(oneOf(['pretty', 'json']), {
    default: 'pretty',
    description: 'Log lines for people, or one JSON object a line for machines.',
  }),
  HF_ENDPOINT: declare(httpUrl(), {
    default: 'https://huggingface.co',
    description: 'Hub that models are downloaded from.',
  }),
  HF_TOKEN: declare(text(), {
    description: 'Access token for the hub.',
    secret: true,
  }),
  HF_HUB_OFFLINE: declare(boolean(), {
    default: 'false',
    description: 'Whether downloads are forbidden, so that only what is on this machine is used.',
  }),
};

/** The settings of the transcription service; folders are absolute paths. */
export interface TranscriptionConfig extends Configuration<typeof transcriptionDeclarations> {
  modelsDir: string;
}

/**
 * Reads the settings of the transcription service.
 *
 * @throws ConfigError where a variable has a value that is not allowed.
 */
export function readConfig(env: NodeJS.ProcessEnv): TranscriptionConfig {
  const configuration = readConfiguration(transcriptionDeclarations, env);
  return { ...configuration, modelsDir: configuration.modelsDir ?? join(configuration.dataDir, 'models') };
}
