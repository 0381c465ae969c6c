import { tmpdir } from 'node:os';
import { z } from 'zod';
import { modelsDirOf, port, seconds, serviceVariables } from '../config/service-variables.ts';
import {
  boolean,
  ConfigError,
  type Configuration,
  directory,
  integer,
  integerOr,
  model,
  readConfiguration,
  type VariableType,
  variable,
} from '../config/variables.ts';
import { serverOptions } from './jobs/nats-store.ts';
import { webhookKey } from './jobs/webhook.ts';
import { languageCode } from './transcript/languages.ts';

const language: VariableType<string> = {
  schema: z.string().transform((value, context) => {
    const code = languageCode(value);
    if (code === undefined) context.addIssue({ code: 'custom', message: 'not a language' });
    return code ?? '';
  }),
  allowed: 'a language code, tag or English name such as de, de-AT or German',
};

const callbackSecret: VariableType<string> = {
  schema: z.string().refine((value) => webhookKey(value) !== undefined),
  allowed: 'whsec_ and 24 to 64 bytes in Base64',
};

const natsUrl: VariableType<string> = {
  schema: z.string().refine(isNatsUrl),
  allowed: 'a URL such as nats://host:4222 or tls://host:4222',
};

function isNatsUrl(value: string): boolean {
  if (!/^(nats|tls):\/\/[^\s/]+\/?$/.test(value)) return false;
  try {
    return serverOptions(value).servers.every((server) => server !== '');
  } catch {
    // A '%' in the password that is not encoded.
    return false;
  }
}

/** Every environment variable of `hear`. */
export const hearVariables = {
  PORT: variable(port(), {
    default: '8000',
    description: 'Port to listen on; 0 takes any free port. `npm start` uses `HEAR_PORT` instead.',
  }),
  MODEL_SIZE: variable(model('a preset, a directory, a .pt file, or a hub id such as org/name'), {
    description:
      'Model to load, which need not be a preset; by default the best one already on this machine. A model that was activated takes precedence, also at the next start.',
  }),
  SPEAKER_MODEL: variable(model('campplus, a directory, a .pt or .bin file, or a hub id such as org/name'), {
    description:
      'Model that tells speakers apart; by default `campplus` if it has been fetched, otherwise none. A first request for speakers loads it.',
  }),
  DEFAULT_LANGUAGE: variable(language, {
    description:
      'Language of requests that name none; by default it is detected. A model that does not know it is not loaded.',
  }),
  BEAM_SIZE: variable(integerOr('auto', { min: 1, max: 32 }), {
    default: 'auto',
    description:
      'Beam size: 1 is greedy decoding, and more than 5 does not help. `auto` is 5 where greedy text is unsure with Whisper models, and 1 with the built-in model.',
  }),
  MAX_UPLOAD_BYTES: variable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    default: '536870912',
    description: 'Maximum size of an upload, in bytes; a larger one gets 413.',
  }),
  MAX_AUDIO_SECONDS: variable(integer({ min: 1, max: 31_536_000 }), {
    default: '14400',
    description: 'Maximum length of a recording, in seconds; a longer one gets 400.',
  }),
  MAX_UPLOADS: variable(integer({ min: 1, max: 100_000 }), {
    default: '128',
    description:
      'Maximum number of uploads being received. One more cuts the slowest, which gets 503 `queue_full`. Uploads enter the queue when they are complete.',
  }),
  UPLOAD_DISK_BYTES: variable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    defaultText: '8 GiB, or `MAX_UPLOAD_BYTES` if that is more',
    description:
      'Maximum total size of uploads on disk, in bytes, at least `MAX_UPLOAD_BYTES`. Beyond it the slowest upload is cut with 503 `queue_full`.',
  }),
  UPLOAD_TIMEOUT_SECONDS: variable(seconds(1), {
    default: '30',
    description: 'Seconds without upload data before the request is aborted.',
  }),
  UPLOAD_MIN_BYTES_PER_SECOND: variable(integer({ min: 0, max: 1_000_000_000 }), {
    default: '1000',
    description:
      'Minimum rate of an upload, over any window of `UPLOAD_TIMEOUT_SECONDS`; a slower one is aborted, and 0 disables the limit. For clients that upload while they record, choose less than their bit rate divided by 8.',
  }),
  MAX_REALTIME_SESSIONS: variable(integer({ min: 0, max: 10_000 }), {
    default: '16',
    description: 'Maximum number of live transcriptions at the same time; one more gets 503 `queue_full`.',
  }),
  JOBS_URL: variable(natsUrl, {
    description:
      'Server that holds the background jobs of several replicas, NATS with JetStream; by default they are files in `<DATA_DIR>/jobs`, for one process alone.',
    secret: true,
  }),
  JOB_CONCURRENCY: variable(integer({ min: 0, max: 1024 }), {
    default: '2',
    description:
      'Background jobs that run at the same time, in addition to `MAX_CONCURRENCY` requests; with 0, jobs are accepted for other replicas to run.',
  }),
  MAX_JOBS: variable(integer({ min: 1, max: 1_000_000 }), {
    default: '1000',
    description:
      'Maximum number of background jobs that are kept. Beyond it, those that finished first are removed; if none has finished, one more gets 503 `queue_full`.',
  }),
  JOB_DISK_BYTES: variable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    default: '17179869184',
    description:
      'Maximum total size of recordings and transcripts of background jobs, in bytes. Beyond it the jobs that finished first are removed; if that is not enough, one more gets 507.',
  }),
  JOB_TTL_SECONDS: variable(seconds(1), {
    default: '86400',
    description: 'Seconds that a finished background job is kept.',
  }),
  CALLBACK_SECRET: variable(callbackSecret, {
    description: 'Key that signs callbacks, as in Standard Webhooks; without it `callback_url` is refused.',
    secret: true,
  }),
  CALLBACK_ALLOW_PRIVATE: variable(boolean(), {
    default: 'false',
    description:
      'Whether callbacks may go to private, loopback and link-local addresses, and over plain http. Anyone who may send requests can then reach those addresses through the service.',
  }),
  TEMP_DIR: variable(directory(), {
    default: tmpdir(),
    defaultText: "the system's temporary directory",
    description: 'Directory for uploads in progress.',
  }),
  ...serviceVariables,
};

/** The settings of `hear`; directories are absolute paths. */
export interface HearConfig extends Configuration<typeof hearVariables> {
  modelsDir: string;
  uploadDiskBytes: number;
}

const DEFAULT_UPLOAD_DISK_BYTES = 8 * 1024 ** 3;

/**
 * Reads the settings of `hear`.
 *
 * @throws ConfigError if a variable has an invalid value
 */
export function readConfig(env: NodeJS.ProcessEnv): HearConfig {
  const configuration = readConfiguration(hearVariables, env);
  const { maxUploadBytes } = configuration;
  const { uploadDiskBytes = Math.max(DEFAULT_UPLOAD_DISK_BYTES, maxUploadBytes) } = configuration;
  if (uploadDiskBytes < maxUploadBytes) {
    throw new ConfigError(
      `UPLOAD_DISK_BYTES must be at least MAX_UPLOAD_BYTES (${maxUploadBytes}), not "${uploadDiskBytes}"`,
    );
  }
  return { ...configuration, modelsDir: modelsDirOf(configuration), uploadDiskBytes };
}
