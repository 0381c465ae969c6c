import { join } from 'node:path';
import type { SynthesisEvent, SynthesisJob, SynthesizerInfo } from '../contracts/synthesis.ts';
import { EngineProcess } from '../engine/process.ts';
import type { Hub, HubFetchOptions } from '../hub/hub.ts';
import type { SayConfig } from './config.ts';
import type { SynthesisEngineSettings } from './engine-settings.ts';
import { modelFiles } from './model-files.ts';

export type SayEngine = EngineProcess<SynthesisJob, SynthesisEvent, SynthesizerInfo>;

type EngineConfig = Pick<
  SayConfig,
  | 'threads'
  | 'workers'
  | 'device'
  | 'computeType'
  | 'modelsDir'
  | 'dataDir'
  | 'engineTimeoutSeconds'
  | 'allowLocalVoiceSaving'
>;

interface LaunchOptions extends HubFetchOptions {
  signal: AbortSignal;
  /** Receives what the engine prints, line by line. */
  onLog: (line: string) => void;
  /** The directory of misaki's lexicons, if they exist. */
  lexicons: () => Promise<string | undefined>;
}

/**
 * Downloads a model if necessary and launches an engine with it.
 * @throws HearsayError `model_load_failed`; the reason of `signal`
 */
export async function launchSayEngine(
  name: string,
  config: EngineConfig,
  hub: Hub,
  { signal, onProgress, onLog, lexicons }: LaunchOptions,
): Promise<SayEngine> {
  const { threads, workers, device, computeType, modelsDir } = config;
  const timeoutMs = config.engineTimeoutSeconds * 1000;
  const files = await modelFiles(name, hub, { signal, onProgress });
  const settings: SynthesisEngineSettings = {
    ...files,
    threads,
    workers,
    device,
    computeType,
    modelsDir,
    timeoutMs,
    lexicons: await lexicons(),
    lexiconFile: join(config.dataDir, 'lexicon.json'),
    ...(config.allowLocalVoiceSaving && { savedVoices: join(config.dataDir, 'voices') }),
  };
  return EngineProcess.launch({
    entry: new URL('./engine.js', import.meta.url),
    args: [JSON.stringify(settings)],
    timeoutMs,
    signal,
    onLog,
  });
}
