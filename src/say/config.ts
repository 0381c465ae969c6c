import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { port, seconds, serviceDeclarations } from '../config/service-variables.ts';
import {
  boolean,
  type Configuration,
  declare,
  folder,
  httpUrl,
  integer,
  readConfiguration,
  text,
} from '../config/variables.ts';

/** Every environment variable of the synthesis service. */
export const synthesisDeclarations = {
  PORT: declare(port(), {
    default: '8880',
    description: 'Port to listen on; 0 takes any free one. With `npm start`, `SAY_PORT` instead.',
  }),
  TTS_MODEL: declare(text('flite, kokoro, or the folder of a checkpoint'), {
    description: 'Model that speaks; without it, the best one already on this machine.',
  }),
  DEFAULT_VOICE: declare(text('a voice or a blend of voices'), {
    default: 'af_heart',
    description: 'Voice of the speech where a request names none.',
  }),
  WORKERS: declare(integer({ min: 1, max: 64 }), {
    default: '1',
    description:
      'Parts of speech that Kokoro computes at the same time, no more than `THREADS`, each with its share of them: more speech in all, for more memory and a later first sound.',
  }),
  MAX_INPUT_CHARACTERS: declare(integer({ min: 1, max: 10_000_000 }), {
    default: '1000000',
    description: 'Length limit of a text, in characters; a longer one is answered with 400.',
  }),
  ALLOW_LOCAL_VOICE_SAVING: declare(boolean(), {
    default: 'false',
    description:
      'Whether voices may be combined and saved in `<DATA_DIR>/voices`, whose voices can be named then; otherwise combining is answered with 403.',
  }),
  MISAKI_ENDPOINT: declare(httpUrl(), {
    default: 'https://raw.githubusercontent.com',
    description:
      "Address that misaki's lexicons are downloaded from, together with Kokoro; `HF_HUB_OFFLINE` holds for it too.",
  }),
  DOWNLOAD_TTL_SECONDS: declare(seconds(1), {
    default: '3600',
    description: 'Seconds that a file made by `return_download_link` is kept.',
  }),
  DOWNLOAD_MAX_BYTES: declare(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    default: '2147483648',
    description: 'Bytes that all files for download may take together; the oldest ones make room.',
  }),
  TEMP_DIR: declare(folder(), {
    default: tmpdir(),
    defaultText: "the system's temporary folder",
    description: 'Folder for files for download, and for speech that is sent as a whole until it is complete.',
  }),
  ...serviceDeclarations,
};

/** The settings of the synthesis service; folders are absolute paths. */
export interface SynthesisConfig extends Configuration<typeof synthesisDeclarations> {
  modelsDir: string;
}

/**
 * Reads the settings of the synthesis service.
 *
 * @throws ConfigError where a variable has a value that is not allowed.
 */
export function readConfig(env: NodeJS.ProcessEnv): SynthesisConfig {
  const configuration = readConfiguration(synthesisDeclarations, env);
  return { ...configuration, modelsDir: configuration.modelsDir ?? join(configuration.dataDir, 'models') };
}
