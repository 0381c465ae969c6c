/** Starts the transcription service: listens first, then loads the model. */

import { rm } from 'node:fs/promises';
import { hubOptions } from '../config/service-variables.ts';
import type { SpeechModelInfo, TranscriptionEvent, TranscriptionJob } from '../contracts/transcription.ts';
import { EngineProcess } from '../engine/process.ts';
import { EngineSupervisor } from '../engine/supervisor.ts';
import { HearsayError } from '../errors.ts';
import { createLog } from '../http/log.ts';
import { closeServer, readConfigOrExit, ServiceProcess, temporaryFolderOrExit } from '../http/service-process.ts';
import { Hub, type HubProgress } from '../hub/hub.ts';
import { progressLines } from '../hub/progress.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import { persistActiveModel, readActiveModel } from './active-model.ts';
import { readConfig } from './config.ts';
import type { EngineSettings } from './engine-settings.ts';
import { bestCachedSize, modelFiles } from './model-files.ts';
import { builtInPreset, sizesKnowing } from './presets.ts';
import type { ModelLoading } from './routes/models.ts';
import { buildApp } from './service.ts';

const BUILT_IN = 'built in, nothing else was named';

const config = readConfigOrExit(readConfig);
const log = createLog({ level: config.apiLogLevel, format: config.logFormat });
const service = new ServiceProcess({ shutdownTimeoutSeconds: config.shutdownTimeoutSeconds, log });
const uploadFolder = await temporaryFolderOrExit(config.tempDir, 'hear');
const hub = new Hub(hubOptions(config));
let loading: ModelLoading | undefined;
const models = new EngineSupervisor<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>({
  launch,
  failureWindowMs: config.failureWindowSeconds * 1000,
  onFailedForGood: () => void service.exit(1),
  log,
});
service.beforeExit(() => models.close(AbortSignal.abort()));
const app = await buildApp({
  config,
  models,
  gate: new AdmissionGate({
    concurrency: config.maxConcurrency,
    queueSize: config.queueSize,
    queueTimeoutMs: config.queueTimeoutSeconds * 1000,
  }),
  drain: service.drain,
  uploadFolder,
  loading: () => loading,
  persistActiveModel: (size) => persistActiveModel(config.dataDir, size),
  log,
});
service.beforeExit(() => closeServer(app));
service.beforeExit(() => rm(uploadFolder, { recursive: true, force: true }));
const choice = await chooseModel();
await service.listen(app, config);
// In the same turn: no request may come in between and find no model selected.
models.start(choice.name, { warm: config.warmupOnStart, fallback: choice.fallback });
log.info(`Model: ${choice.name} (${choice.why})${config.warmupOnStart ? '' : ', to be loaded by the first request'}`);
if (choice.why === BUILT_IN)
  log.info('For a hundred languages and translation: npm run fetch -- small, then start again');

/** The model that was activated last, else the configured one, else the best that is on this machine. */
async function chooseModel(): Promise<{ name: string; fallback: string; why: string }> {
  const persisted = await readActiveModel(config.dataDir).catch((error) => {
    log.warn({ err: error }, 'The active_model file cannot be read: starting with the configured model');
    return undefined;
  });
  const cached = config.modelSize === undefined ? await bestCachedSize(hub) : undefined;
  const fallback = config.modelSize ?? cached ?? builtInPreset.size;
  if (persisted !== undefined) return { name: persisted, fallback, why: 'activated last' };
  const why = config.modelSize ? 'MODEL_SIZE' : cached ? 'the best one on this machine' : BUILT_IN;
  return { name: fallback, fallback, why };
}

async function launch(
  name: string,
  signal: AbortSignal,
): Promise<EngineProcess<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>> {
  const progress = { size: name, received_bytes: 0, total_bytes: 0 };
  loading = progress;
  try {
    return await startEngine(name, progress, signal);
  } finally {
    if (loading === progress) loading = undefined;
  }
}

async function startEngine(
  name: string,
  progress: ModelLoading,
  signal: AbortSignal,
): Promise<EngineProcess<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>> {
  const { threads, device, computeType, beamSize, modelsDir } = config;
  const timeoutMs = config.engineTimeoutSeconds * 1000;
  const logProgress = progressLines(name, (line) => log.info(line));
  const onProgress = (downloaded: HubProgress) => {
    progress.received_bytes = downloaded.receivedBytes;
    progress.total_bytes = downloaded.totalBytes;
    logProgress(downloaded);
  };
  const files = await modelFiles(name, hub, { signal, onProgress });
  const settings: EngineSettings = { name, ...files, threads, device, computeType, beamSize, modelsDir, timeoutMs };
  const engine = await EngineProcess.launch<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>({
    entry: new URL('./engine.js', import.meta.url),
    args: [JSON.stringify(settings)],
    timeoutMs,
    signal,
    onLog: (line) => log.warn(`engine: ${line}`),
  });
  const language = config.defaultLanguage;
  if (language === undefined || engine.info.languages.includes(language)) return engine;
  // Every request that names no language would be refused.
  engine.kill();
  await engine.exited;
  throw new HearsayError(
    'model_load_failed',
    `The model ${name} does not know the DEFAULT_LANGUAGE ${language}; ${sizesKnowing(language)} does.`,
  );
}
