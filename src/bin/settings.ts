/** The settings that the commands use. Those of the server may be invalid: they do not stop a command. */

import { modelsDirOf } from '../config/service-variables.ts';
import { type Configuration, pick, readConfiguration, type Variables } from '../config/variables.ts';
import { hearVariables } from '../hear/config.ts';
import { sayVariables } from '../say/config.ts';

const modelFiles = ['DATA_DIR', 'MODELS_DIR', 'HF_ENDPOINT', 'HF_TOKEN', 'HF_HUB_OFFLINE'] as const;
const engine = ['DEVICE', 'COMPUTE_TYPE', 'THREADS', 'ENGINE_TIMEOUT_SECONDS', 'TEMP_DIR'] as const;

const fetchVariables = pick(sayVariables, [...modelFiles, 'MISAKI_ENDPOINT']);

const transcribeVariables = pick(hearVariables, [
  ...modelFiles,
  ...engine,
  'MODEL_SIZE',
  'SPEAKER_MODEL',
  'DEFAULT_LANGUAGE',
  'BEAM_SIZE',
  'MAX_AUDIO_SECONDS',
]);

const speakVariables = pick(sayVariables, [
  ...modelFiles,
  ...engine,
  'TTS_MODEL',
  'DEFAULT_VOICE',
  'WORKERS',
  'ALLOW_LOCAL_VOICE_SAVING',
  'MISAKI_ENDPOINT',
]);

type Settings<V extends Variables> = Configuration<V> & { modelsDir: string };

export type TranscribeSettings = Settings<typeof transcribeVariables>;
export type SpeakSettings = Settings<typeof speakVariables>;

/** Settings of `hearsay fetch`. @throws ConfigError */
export function readFetchSettings(env: NodeJS.ProcessEnv): Settings<typeof fetchVariables> {
  const settings = readConfiguration(fetchVariables, env);
  return { ...settings, modelsDir: modelsDirOf(settings) };
}

/** Settings of `hearsay transcribe`. @throws ConfigError */
export function readTranscribeSettings(env: NodeJS.ProcessEnv): TranscribeSettings {
  const settings = readConfiguration(transcribeVariables, env);
  return { ...settings, modelsDir: modelsDirOf(settings) };
}

/** Settings of `hearsay speak`. @throws ConfigError */
export function readSpeakSettings(env: NodeJS.ProcessEnv): SpeakSettings {
  const settings = readConfiguration(speakVariables, env);
  return { ...settings, modelsDir: modelsDirOf(settings) };
}
