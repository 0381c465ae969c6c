import type { HearEvent, HearJob, SpeechModelInfo } from '../contracts/transcription.ts';
import { EngineProcess } from '../engine/process.ts';
import { HearsayError } from '../errors.ts';
import type { Hub, HubFetchOptions } from '../hub/hub.ts';
import { removeScratch } from '../ort/compiled-models.ts';
import type { HearConfig } from './config.ts';
import type { EngineSettings } from './engine.ts';
import { modelFiles } from './model-files.ts';
import { sizesKnowing } from './presets.ts';

export type HearEngine = EngineProcess<HearJob, HearEvent, SpeechModelInfo>;

type EngineConfig = Pick<
  HearConfig,
  'threads' | 'device' | 'computeType' | 'beamSize' | 'modelsDir' | 'defaultLanguage' | 'engineTimeoutSeconds'
>;

interface LaunchOptions extends HubFetchOptions {
  signal: AbortSignal;
  /** Awaited once the files are there. */
  beforeLoad?: () => Promise<void>;
  /** Receives what the engine prints, line by line. */
  onLog: (line: string) => void;
}

/**
 * Downloads a model if necessary and launches an engine with it.
 * @throws HearsayError `model_load_failed`, also if the model does not know the default language; the reason of `signal`
 */
export async function launchHearEngine(
  name: string,
  config: EngineConfig,
  hub: Hub,
  { signal, onProgress, beforeLoad, onLog }: LaunchOptions,
): Promise<HearEngine> {
  const { threads, device, computeType, beamSize, modelsDir, defaultLanguage } = config;
  const timeoutMs = config.engineTimeoutSeconds * 1000;
  const files = await modelFiles(name, hub, { signal, onProgress });
  await beforeLoad?.();
  const settings: EngineSettings = { name, ...files, threads, device, computeType, beamSize, modelsDir, timeoutMs };
  const engine: HearEngine = await EngineProcess.launch({
    entry: new URL('./engine.js', import.meta.url),
    args: [JSON.stringify(settings)],
    timeoutMs,
    signal,
    // It starts decoders.
    leadsGroup: true,
    // Part of a large model takes gigabytes.
    afterFailure: (pid) => removeScratch(modelsDir, pid),
    onLog,
  });
  if (defaultLanguage === undefined || engine.info.languages.includes(defaultLanguage)) return engine;
  // Otherwise every request without a language would fail.
  engine.kill();
  await engine.exited;
  throw new HearsayError(
    'model_load_failed',
    `The model ${name} does not know the DEFAULT_LANGUAGE ${defaultLanguage}; ${sizesKnowing(defaultLanguage)} does.`,
  );
}
