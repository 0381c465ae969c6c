/** Starts `hear`: listens first, then loads the model. */

import '../config/working-directory.ts';
import { admissionOptions, hubOptions } from '../config/service-variables.ts';
import type { HearEvent, HearJob, SpeechModelInfo } from '../contracts/transcription.ts';
import { EngineSupervisor } from '../engine/supervisor.ts';
import { whyNotWritable } from '../files/writable.ts';
import { IncomingBodies } from '../http/incoming-bodies.ts';
import { createLog } from '../http/log.ts';
import { readConfigOrExit, ServiceProcess } from '../http/service-process.ts';
import { Hub, type HubProgress } from '../hub/hub.ts';
import { progressLines } from '../hub/progress.ts';
import { gpuMemory, readGpu } from '../machine/gpu.ts';
import { isGpu } from '../ort/device.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import { startTracing } from '../tracing/tracing.ts';
import { startWyoming } from '../wyoming/server.ts';
import { persistActiveModel, readActiveModel } from './active-model.ts';
import { watchActiveModel } from './active-model-watch.ts';
import { readConfig } from './config.ts';
import type { HearContext } from './context.ts';
import { createJobs } from './jobs/create.ts';
import { type HearEngine, launchHearEngine } from './launch.ts';
import { bestCachedSize, removeModel, storedModel } from './model-files.ts';
import { builtInPreset } from './presets.ts';
import type { ModelLoading } from './routes/schemas.ts';
import { createHearService } from './service.ts';
import { speakerSource } from './speaker-source.ts';
import { WyomingTranscription } from './wyoming.ts';

const BUILT_IN = 'built in, no other model was configured';

const config = readConfigOrExit(readConfig);
const log = createLog({ level: config.apiLogLevel, format: config.logFormat });
const service = await ServiceProcess.create({ service: 'hear', config, log });
const hub = new Hub(hubOptions(config));
const speakers = speakerSource(config.speakerModel, hub);
const speakerModel = await speakers.name();
const loads = new Set<ModelLoading>();
const models = new EngineSupervisor<HearJob, HearEvent, SpeechModelInfo>({
  launch,
  oneModelAtATime: (info) => isGpu(info?.device ?? config.device),
  failureWindowMs: config.failureWindowSeconds * 1000,
  onFailedForGood: () => void service.exit(1),
  log,
});
const jobs = createJobs(config, service.temporaryDir, log);
// Jobs go back to their queue before the engine ends.
service.beforeExit(() => jobs.close());
service.beforeExit(() => models.close());
let context: HearContext | undefined;
const endTracing = await startTracing('hearsay-hear', log);
const app = await createHearService({
  config,
  models,
  gate: new AdmissionGate(admissionOptions(config)),
  uploads: new IncomingBodies({ maxCount: config.maxUploads, maxBytes: config.uploadDiskBytes }),
  drain: service.drain,
  speakers,
  jobs,
  onAssembled: (assembled) => {
    context = assembled;
  },
  ...(service.certificate && { certificate: { cert: service.certificate.cert, key: service.certificate.key } }),
  uploadDir: service.temporaryDir,
  // Show an activation rather than a restart of the selected model.
  loading: () => [...loads].find(({ size }) => size !== models.active) ?? [...loads][0],
  readGpu,
  storedModel: (size) => storedModel(size, hub),
  removeModel: (size) => removeModel(size, hub, config.modelsDir),
  persistActiveModel: (size) => persistActiveModel(config.dataDir, size),
  log,
});
const obstacle = await whyNotWritable(config.dataDir);
if (obstacle !== undefined) {
  log.warn(`DATA_DIR (${config.dataDir}) is not writable (${obstacle}): no other model can be activated`);
}
const choice = await chooseModel();
await jobs.start(context!);
await service.listen(app);
service.beforeExit(endTracing);
// No await in between: a request must not find a service without a selected model.
models.start(choice.name, { warm: config.warmupOnStart, fallback: choice.fallback });
const stopWatching = watchActiveModel(config.dataDir, models, log);
service.beforeExit(async () => stopWatching());
await service.serveWyoming((options) =>
  startWyoming({ ...options, handler: (connection) => new WyomingTranscription(context!, log, connection) }),
);
log.info(`Model: ${choice.name} (${choice.reason})${config.warmupOnStart ? '' : ', loaded by the first request'}`);
if (choice.reason === BUILT_IN)
  log.info('For a hundred languages and translation, run hearsay fetch small (npm run fetch -- small) and restart');

if (config.warmupOnStart) void prepareSpeakers();
else await showModel(`${choice.name}, loaded by the first request`);

/** @param device of the model, once loaded */
async function showModel(model: string, device = 'cpu'): Promise<void> {
  await service.showSummary('speech to text', async () => {
    const gpu = device === 'cpu' ? null : await readGpu();
    const rows: [string, string][] = [['Model', model]];
    if (speakerModel !== undefined) rows.push(['Speakers', speakerModel]);
    if (gpu) rows.push(['GPU', gpuMemory(gpu)]);
    return rows;
  });
}

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

/** Downloads the configured model, so that the first request for speakers neither waits for it nor is the first to fail. */
async function prepareSpeakers(): Promise<void> {
  const onProgress = progressLines(speakerModel ?? '', (line) => log.info(line));
  await speakers.files({ onProgress }).catch((error) => {
    log.warn(`Speakers cannot be told apart for now: ${error.message}`);
  });
}

async function launch(name: string, signal: AbortSignal, beforeLoad: () => Promise<void>): Promise<HearEngine> {
  const progress: ModelLoading = { size: name, received_bytes: 0, total_bytes: 0 };
  loads.add(progress);
  try {
    const engine = await launchEngine(progress, { signal, beforeLoad });
    const { model, device, compute_type: computeType } = engine.info;
    await showModel(`${model} (${device}, ${computeType})`, device);
    return engine;
  } finally {
    loads.delete(progress);
  }
}

/** Downloads the model if necessary, updating `progress`, and launches an engine with it. */
async function launchEngine(
  progress: ModelLoading,
  load: { signal: AbortSignal; beforeLoad: () => Promise<void> },
): Promise<HearEngine> {
  const name = progress.size;
  const logProgress = progressLines(name, (line) => log.info(line));
  const onProgress = (download: HubProgress) => {
    progress.received_bytes = download.receivedBytes;
    progress.total_bytes = download.totalBytes;
    logProgress(download);
  };
  return launchHearEngine(name, config, hub, { ...load, onProgress, onLog: (line) => log.warn(`engine: ${line}`) });
}
