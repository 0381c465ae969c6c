import { tmpdir } from 'node:os';
import { modelsDirOf, port, seconds, serviceVariables } from '../config/service-variables.ts';
import {
  boolean,
  type Configuration,
  directory,
  httpUrl,
  integer,
  model,
  readConfiguration,
  text,
  variable,
} from '../config/variables.ts';

/** Every environment variable of `say`. */
export const sayVariables = {
  PORT: variable(port(), {
    default: '8880',
    description: 'Port to listen on; 0 takes any free port. `npm start` uses `SAY_PORT` instead.',
  }),
  TTS_MODEL: variable(model('flite, kokoro, or the directory of a checkpoint'), {
    description: 'Model to load; by default the best one already on this machine.',
  }),
  DEFAULT_VOICE: variable(text('a voice or a blend of voices'), {
    default: 'af_heart',
    description: 'Voice of requests that name none. A model that does not speak it is not loaded.',
  }),
  WORKERS: variable(integer({ min: 1, max: 64 }), {
    default: '1',
    description:
      'Chunks that Kokoro synthesizes at the same time, at most `THREADS`, which they share. More give more throughput, but take more memory and delay the first audio.',
  }),
  MAX_INPUT_CHARACTERS: variable(integer({ min: 1, max: 10_000_000 }), {
    default: '1000000',
    description: 'Maximum length of a text, in characters; a longer one gets 400.',
  }),
  MAX_BOOK_CHARACTERS: variable(integer({ min: 1, max: 50_000_000 }), {
    default: '5000000',
    description: 'Maximum length of a book with its titles, in characters; a longer one gets 400.',
  }),
  MAX_ANSWER_BYTES: variable(integer({ min: 1, max: 4_000_000_000 }), {
    default: '2000000000',
    description:
      'Maximum size of speech that is not streamed, in bytes: it is kept on disk until it is complete; more gets 400. A wav file cannot be larger than 4 GB.',
  }),
  ALLOW_LOCAL_VOICE_SAVING: variable(boolean(), {
    default: 'false',
    description:
      'Whether requests may combine voices, save them in `<DATA_DIR>/voices`, and use saved ones; otherwise combining gets 403.',
  }),
  MISAKI_ENDPOINT: variable(httpUrl(), {
    default: 'https://raw.githubusercontent.com',
    description: "Address to download misaki's lexicons from, together with Kokoro; `HF_HUB_OFFLINE` applies too.",
  }),
  DOWNLOAD_DIR: variable(directory(), {
    defaultText: 'a directory of the process in `TEMP_DIR`',
    description:
      'Directory for files created by `return_download_link`. Replicas that share it serve the files of all, also after a restart.',
  }),
  DOWNLOAD_TTL_SECONDS: variable(seconds(1), {
    default: '3600',
    description: 'Lifetime of a file made by `return_download_link`, in seconds.',
  }),
  DOWNLOAD_MAX_BYTES: variable(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    default: '2147483648',
    description:
      'Maximum total size of files for download, in bytes, of all replicas that share `DOWNLOAD_DIR`; the oldest are deleted first.',
  }),
  TEMP_DIR: variable(directory(), {
    default: tmpdir(),
    defaultText: "the system's temporary directory",
    description: 'Directory for files for download, and for speech that is not streamed until it is complete.',
  }),
  ...serviceVariables,
};

/** The settings of `say`; directories are absolute paths. */
export interface SayConfig extends Configuration<typeof sayVariables> {
  modelsDir: string;
}

/**
 * Reads the settings of `say`.
 *
 * @throws ConfigError if a variable has an invalid value
 */
export function readConfig(env: NodeJS.ProcessEnv): SayConfig {
  const configuration = readConfiguration(sayVariables, env);
  return { ...configuration, modelsDir: modelsDirOf(configuration) };
}
