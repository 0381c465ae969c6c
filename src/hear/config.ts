import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { port, seconds, serviceVariables } from '../config/service-variables.ts';
import {
  ConfigError,
  type Configuration,
  directory,
  integer,
  integerOr,
  readConfiguration,
  text,
  type VariableType,
  variable,
} from '../config/variables.ts';
import { languageCode } from './transcript/languages.ts';

const language: VariableType<string> = {
  schema: z.string().transform((value, context) => {
    const code = languageCode(value);
    if (code === undefined) context.addIssue({ code: 'custom', message: 'not a language' });
    return code ?? '';
  }),
  allowed: 'a language code, tag or English name such as de, de-AT or German',
};

/** Every environment variable of `hear`. */
export const hearVariables = {
  PORT: variable(port(), {
    default: '8000',
    description: 'Port to listen on; 0 takes any free port. `npm start` uses `HEAR_PORT` instead.',
  }),
  MODEL_SIZE: variable(text('a preset, a directory, a .pt file, or a hub id such as org/name'), {
    description: 'Model to load, which need not be a preset; by default the best one already on this machine.',
  }),
  DEFAULT_LANGUAGE: variable(language, {
    description: 'Language of requests that name none; by default it is detected.',
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
      'Maximum number of uploads being received. One more cuts the slowest, which gets 503 `queue_full`; uploads take a place in the queue when they are complete.',
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
  const { maxUploadBytes, modelsDir = join(configuration.dataDir, 'models') } = configuration;
  const { uploadDiskBytes = Math.max(DEFAULT_UPLOAD_DISK_BYTES, maxUploadBytes) } = configuration;
  if (uploadDiskBytes < maxUploadBytes) {
    throw new ConfigError(
      `UPLOAD_DISK_BYTES must be at least MAX_UPLOAD_BYTES (${maxUploadBytes}), not "${uploadDiskBytes}"`,
    );
  }
  return { ...configuration, modelsDir, uploadDiskBytes };
}
