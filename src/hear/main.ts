/** Starts `hear`: listens first, then loads the model. */

import { admissionOptions, hubOptions } from '../config/service-variables.ts';
import type { SpeechModelInfo, TranscriptionEvent, TranscriptionJob } from '../contracts/transcription.ts';
import { EngineProcess } from '../engine/process.ts';
import { EngineSupervisor } from '../engine/supervisor.ts';
import { HearsayError } from '../errors.ts';
import { whyNotWritable } from '../files/writable.ts';
import { IncomingBodies } from '../http/incoming-bodies.ts';
import { createLog } from '../http/log.ts';
import { readConfigOrExit, ServiceProcess } from '../http/service-process.ts';
import { Hub, type HubProgress } from '../hub/hub.ts';
import { progressLines } from '../hub/progress.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import type { WyomingConnection } from '../wyoming/connection.ts';
import { startWyoming } from '../wyoming/server.ts';
import { persistActiveModel, readActiveModel } from './active-model.ts';
import { readConfig } from './config.ts';
import type { HearContext } from './context.ts';
import type { EngineSettings } from './engine.ts';
import { bestCachedSize, modelFiles } from './model-files.ts';
import { builtInPreset, sizesKnowing } from './presets.ts';
import type { ModelLoading } from './routes/model-presets.ts';
import { createHearService } from './service.ts';
import { WyomingTranscription } from './wyoming.ts';

type HearEngine = EngineProcess<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>;

const BUILT_IN = 'built in, no other model was configured';

const config = readConfigOrExit(readConfig);
const log = createLog({ level: config.apiLogLevel, format: config.logFormat });
const service = await ServiceProcess.create({ service: 'hear', config, log });
const hub = new Hub(hubOptions(config));
let loading: ModelLoading | undefined;
const models = new EngineSupervisor<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>({
  launch,
  failureWindowMs: config.failureWindowSeconds * 1000,
  onFailedForGood: () => void service.exit(1),
  log,
});
service.beforeExit(() => models.close());
let context: HearContext | undefined;
const app = await createHearService({
  config,
  models,
  gate: new AdmissionGate(admissionOptions(config)),
  uploads: new IncomingBodies({ maxCount: config.maxUploads, maxBytes: config.uploadDiskBytes }),
  drain: service.drain,
  onAssembled: (assembled) => {
    context = assembled;
  },
  ...(service.certificate && { certificate: { cert: service.certificate.cert, key: service.certificate.key } }),
  uploadDir: service.temporaryDir,
  loading: () => loading,
  persistActiveModel: (size) => persistActiveModel(config.dataDir, size),
  log,
});
const obstacle = await whyNotWritable(config.dataDir);
if (obstacle !== undefined) {
  log.warn(`DATA_DIR (${config.dataDir}) cannot be written (${obstacle}): no other model can be activated`);
}
const choice = await chooseModel();
await service.listen(app);
// No await in between: a request must not find a service without a selected model.
models.start(choice.name, { warm: config.warmupOnStart, fallback: choice.fallback });
await serveWyoming();
log.info(`Model: ${choice.name} (${choice.reason})${config.warmupOnStart ? '' : ', loaded by the first request'}`);
if (choice.reason === BUILT_IN)
  log.info('For a hundred languages and translation: npm run fetch -- small, then start again');

/** The model activated last, else the configured one, else the best on this machine. */
async function chooseModel(): Promise<{ name: string; fallback: string; reason: string }> {
  const persisted = await readActiveModel(config.dataDir).catch((error) => {
    log.warn({ err: error }, 'The active_model file cannot be read: starting with the configured model');
    return undefined;
  });
  const cached = config.modelSize === undefined ? await bestCachedSize(hub) : undefined;
  const fallback = config.modelSize ?? cached ?? builtInPreset.size;
  if (persisted !== undefined) return { name: persisted, fallback, reason: 'activated last' };
  const reason = config.modelSize ? 'MODEL_SIZE' : cached ? 'the best one on this machine' : BUILT_IN;
  return { name: fallback, fallback, reason };
}

async function serveWyoming(): Promise<void> {
  const { host, wyomingPort: port, maxConnections } = config;
  if (port === undefined) return;
  const handler = (connection: WyomingConnection) => new WyomingTranscription(context!, log, connection);
  await service.listenTo('Wyoming', () => startWyoming({ host, port, maxConnections, log, handler }));
}

async function launch(name: string, signal: AbortSignal): Promise<HearEngine> {
  const progress: ModelLoading = { size: name, received_bytes: 0, total_bytes: 0 };
  loading = progress;
  try {
    return await launchEngine(name, progress, signal);
  } finally {
    // A later launch may have replaced it.
    if (loading === progress) loading = undefined;
  }
}

/** Downloads the model if necessary, updating `progress`, and launches an engine with it. */
async function launchEngine(name: string, progress: ModelLoading, signal: AbortSignal): Promise<HearEngine> {
  const { threads, device, computeType, beamSize, modelsDir, defaultLanguage } = config;
  const timeoutMs = config.engineTimeoutSeconds * 1000;
  const logProgress = progressLines(name, (line) => log.info(line));
  const onProgress = (download: HubProgress) => {
    progress.received_bytes = download.receivedBytes;
    progress.total_bytes = download.totalBytes;
    logProgress(download);
  };
  const files = await modelFiles(name, hub, { signal, onProgress });
  const settings: EngineSettings = { name, ...files, threads, device, computeType, beamSize, modelsDir, timeoutMs };
  const engine: HearEngine = await EngineProcess.launch({
    entry: new URL('./engine.js', import.meta.url),
    args: [JSON.stringify(settings)],
    timeoutMs,
    signal,
    onLog: (line) => log.warn(`engine: ${line}`),
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
