import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { port, seconds, serviceDeclarations } from '../config/service-variables.ts';
import {
  type Configuration,
  declare,
  folder,
  integer,
  type Kind,
  readConfiguration,
  text,
} from '../config/variables.ts';
import { languageCode } from './transcript/languages.ts';

const language: Kind<string> = {
  schema: z.string().transform((value, context) => {
    const code = languageCode(value);
    if (code === undefined) context.addIssue({ code: 'custom', message: 'not a language' });
    return code ?? '';
  }),
  allowed: 'a language code, tag or English name such as de, de-AT or German',
};

/** Every environment variable of the transcription service. */
export const transcriptionDeclarations = {
  PORT: declare(port(), {
    default: '8000',
    description: 'Port to listen on; 0 takes any free one. With `npm start`, `HEAR_PORT` instead.',
  }),
  MODEL_SIZE: declare(text('the name of a preset, a folder, or a hub id such as org/name'), {
    description:
      'Model to load, selectable even where it is none of the presets; without it, the best one already on this machine.',
  }),
  DEFAULT_LANGUAGE: declare(language, {
    description: 'Language of the speech where a request names none; without it, the language is detected.',
  }),
  BEAM_SIZE: declare(integer({ min: 1, max: 32 }), {
    default: '1',
    description: 'Hypotheses that a Whisper model follows side by side; 1 is greedy decoding, 5 the most that helps.',
  }),
  MAX_UPLOAD_BYTES: declare(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    default: '536870912',
    description: 'Size limit of an upload, in bytes; a larger one is answered with 413.',
  }),
  MAX_AUDIO_SECONDS: declare(integer({ min: 1, max: 31_536_000 }), {
    default: '14400',
    description: 'Length limit of a recording, in seconds; a longer one is answered with 400.',
  }),
  MAX_CONCURRENCY: declare(integer({ min: 1, max: 1024 }), {
    default: '16',
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
  UPLOAD_MIN_BYTES_PER_SECOND: declare(integer({ min: 0, max: 1_000_000_000 }), {
    default: '1000',
    description:
      'Least rate of an upload, over any `UPLOAD_TIMEOUT_SECONDS`; a slower one is given up. 0 sets none; clients that upload while they record need less than their bit rate divided by 8.',
  }),
  TEMP_DIR: declare(folder(), {
    default: tmpdir(),
    defaultText: "the system's temporary folder",
    description: 'Folder that holds an upload while its request is worked on.',
  }),
  ...serviceDeclarations,
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
