import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../configuration.ts';
import { HearsayError } from '../errors.ts';
import { Drain } from '../http/drain.ts';
import { createLog } from '../http/log.ts';
import { createUploadFolder } from '../http/upload-folder.ts';
import { AdmissionGate } from '../inference/admission.ts';
import { EngineProcess } from '../inference/engine-process.ts';
import { Hub } from '../inference/hub.ts';
import { ResidentModel } from '../inference/resident-model.ts';
import type { SpeechModelInfo, TranscriptionEvent, TranscriptionJob } from '../transcript.ts';
import { persistActiveModel, readActiveModel } from './active-model.ts';
import { buildApp } from './app.ts';
import { readConfig, type TranscriptionConfig } from './config.ts';
import { type EngineSettings, MOONSHINE } from './engine-settings.ts';
import { modelFiles } from './model-files.ts';

/** Starts the transcription service: listens first, then loads the model. */
const config = readConfigOrExit();
const log = createLog({ level: config.apiLogLevel, format: config.logFormat });
const drain = new Drain();
const uploadFolder = await createUploadFolder(config.tempDir, 'hear');
const hub = new Hub({
  endpoint: config.hfEndpoint,
  token: config.hfToken,
  offline: config.hfHubOffline,
  modelsDir: config.modelsDir,
});
const models = new ResidentModel<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>({
  launch,
  failureWindowMs: config.failureWindowSeconds * 1000,
  onFailedForGood: () => void exit(1),
  log,
});
const app = await buildApp({
  config,
  models,
  gate: new AdmissionGate({
    concurrency: config.maxConcurrency,
    queueSize: config.queueSize,
    queueTimeoutMs: config.queueTimeoutSeconds * 1000,
  }),
  drain,
  uploadFolder,
  persistActiveModel: (size) => persistActiveModel(config.dataDir, size),
  log,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void shutDown(signal));
// Only where `npm start` runs it: without that process nobody would see this one any more.
process.once('disconnect', () => void shutDown('npm start has ended'));
try {
  await app.listen({ host: config.host, port: config.port });
} catch (error) {
  log.fatal(`Cannot listen on ${config.host}, port ${config.port}: ${(error as Error).message}`);
  await exit(1);
}
const { port } = app.server.address() as AddressInfo;
log.info(`Listening on http://${config.host}:${port}, API description at /docs`);
await startModel();

/** Selects the model that was activated last, else the configured one, else the one that ships with the package. */
async function startModel(): Promise<void> {
  const persisted = await readActiveModel(config.dataDir).catch((error) => {
    log.warn({ err: error }, 'The active_model file cannot be read: starting with the configured model');
    return undefined;
  });
  const configured = config.modelSize ?? MOONSHINE;
  const name = persisted ?? configured;
  const why = persisted ? 'activated last' : config.modelSize ? 'MODEL_SIZE' : 'built in, nothing else was named';
  log.info(`Model: ${name} (${why})${config.warmupOnStart ? '' : ', to be loaded by the first request'}`);
  models.start(name, { warm: config.warmupOnStart, fallback: configured });
}

async function launch(
  name: string,
  signal: AbortSignal,
): Promise<EngineProcess<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>> {
  const { threads, device, computeType, modelsDir } = config;
  const timeoutMs = config.engineTimeoutSeconds * 1000;
  const model = await modelFiles(name, hub, signal);
  const settings: EngineSettings = { model, threads, device, computeType, modelsDir, timeoutMs };
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
    `The model ${name} does not know the DEFAULT_LANGUAGE ${language}; a multilingual size such as small does.`,
  );
}

/** Lets running requests finish, refuses new ones, and exits with 0. A second signal ends it at once. */
async function shutDown(reason: string): Promise<void> {
  if (drain.begun) process.exit(1);
  log.info(`${reason}: finishing what runs, for up to ${config.shutdownTimeoutSeconds} s`);
  drain.begin();
  const timeout = AbortSignal.timeout(config.shutdownTimeoutSeconds * 1000);
  await Promise.race([drain.empty(), new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
  await exit(0);
}

async function exit(code: number): Promise<void> {
  drain.begin();
  await models.close(AbortSignal.abort());
  await app.close().catch(() => {});
  await rm(uploadFolder, { recursive: true, force: true }).catch(() => {});
  process.exit(code);
}

function readConfigOrExit(): TranscriptionConfig {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
