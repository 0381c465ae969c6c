/** Starts `say`: listens first, then loads the model. */

import '../config/working-directory.ts';
import { join } from 'node:path';
import { admissionOptions, hubOptions } from '../config/service-variables.ts';
import { ConfigError } from '../config/variables.ts';
import type { SynthesisEvent, SynthesisJob, SynthesizerInfo, VoiceWeight } from '../contracts/synthesis.ts';
import { EngineSupervisor } from '../engine/supervisor.ts';
import { HearsayError } from '../errors.ts';
import { whyNotWritable } from '../files/writable.ts';
import { createLog } from '../http/log.ts';
import { readConfigOrExit, ServiceProcess } from '../http/service-process.ts';
import { Hub } from '../hub/hub.ts';
import { progressLines } from '../hub/progress.ts';
import { gpuMemory, readGpu } from '../machine/gpu.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import { startTracing } from '../tracing/tracing.ts';
import { startWyoming } from '../wyoming/server.ts';
import { assertSpoken } from './capabilities.ts';
import { readConfig } from './config.ts';
import type { SayContext } from './context.ts';
import { createDownloadDirectory, Downloads } from './downloads/downloads.ts';
import { launchSayEngine, type SayEngine } from './launch.ts';
import { cachedLexicons, findLexicons } from './lexicon-files.ts';
import { bestCachedModel, builtInModel, officialModel } from './model-files.ts';
import { createSayService } from './service.ts';
import { SavedVoices } from './voices/saved-voices.ts';
import { blendVoices, languageOf, officialVoices, parseVoice, type Voice, VoiceNames } from './voices/voices.ts';
import { WyomingSpeech } from './wyoming.ts';

const SUMMARY_TITLE = 'text to speech';

const config = readConfigOrExit(readConfig);
const log = createLog({ level: config.apiLogLevel, format: config.logFormat });
const savedVoices = new SavedVoices({
  directory: join(config.dataDir, 'voices'),
  warn: (message) => log.warn(message),
});
const voicesAtStart = await listVoices();
const defaultVoice = readConfigOrExit(parseDefaultVoice);
const service = await ServiceProcess.create({ service: 'say', config, log });
const obstacle = config.allowLocalVoiceSaving ? await whyNotWritable(config.dataDir) : undefined;
if (obstacle !== undefined) {
  log.warn(`DATA_DIR (${config.dataDir}) is not writable (${obstacle}): no voice can be saved`);
}
const downloadDir = await downloadDirectory();
const hub = new Hub(hubOptions(config));
const modelName = config.ttsModel ?? (await bestCachedModel(hub));
const models = new EngineSupervisor<SynthesisJob, SynthesisEvent, SynthesizerInfo>({
  launch,
  failureWindowMs: config.failureWindowSeconds * 1000,
  onFailedForGood: () => void service.exit(1),
  log,
});
service.beforeExit(() => models.close());
let context: SayContext | undefined;
const endTracing = await startTracing('hearsay-say', log);
const app = await createSayService({
  config,
  models,
  expected: {
    model: officialModel(modelName)?.name ?? modelName,
    languages: [...(officialModel(modelName) ?? builtInModel).capabilities.languages],
  },
  gate: new AdmissionGate(admissionOptions(config)),
  drain: service.drain,
  onAssembled: (assembled) => {
    context = assembled;
  },
  ...(service.certificate && { certificate: { cert: service.certificate.cert, key: service.certificate.key } }),
  downloads: new Downloads({
    folder: downloadDir ?? service.temporaryDir,
    ttlSeconds: config.downloadTtlSeconds,
    maxBytes: config.downloadMaxBytes,
  }),
  answerDir: service.temporaryDir,
  voices: listVoices,
  combine: async (weights, name) =>
    savedVoices.save(weights, await blendVoices(weights, (saved) => savedVoices.read(saved)), name),
  readGpu,
  log,
});
let lexiconsFailed = false;
await service.listen(app);
service.beforeExit(endTracing);
// No await in between: a request must not find a service without a selected model.
models.start(modelName, { warm: config.warmupOnStart });
await service.serveWyoming((options) =>
  startWyoming({ ...options, handler: (connection) => new WyomingSpeech(context!, log, connection) }),
);
const reason = config.ttsModel
  ? 'TTS_MODEL'
  : modelName === builtInModel.name
    ? 'built in'
    : 'the best one on this machine';
log.info(`Model: ${modelName} (${reason})${config.warmupOnStart ? '' : ', loaded by the first request'}`);
if (!config.warmupOnStart) {
  await service.showSummary(SUMMARY_TITLE, async () => [['Model', `${modelName}, loaded by the first request`]]);
}

async function downloadDirectory(): Promise<string | undefined> {
  if (config.downloadDir === undefined) return undefined;
  try {
    return await createDownloadDirectory(config.downloadDir);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return service.exit(1);
  }
}

async function launch(name: string, signal: AbortSignal): Promise<SayEngine> {
  const engine = await launchSayEngine(name, config, hub, {
    signal,
    onProgress: progressLines(name, (line) => log.info(line)),
    onLog: (line) => log.warn(`engine: ${line}`),
    lexicons: () => lexicons(signal),
  });
  try {
    assertDefaultVoiceIsSpoken(engine.info);
  } catch (error) {
    engine.kill();
    await engine.exited;
    throw error;
  }
  await service.showSummary(SUMMARY_TITLE, () => modelRows(engine.info));
  return engine;
}

async function lexicons(signal: AbortSignal): Promise<string | undefined> {
  // A restarting engine does not wait for an unreachable host again.
  if (lexiconsFailed) return cachedLexicons(config.modelsDir);
  const onProgress = progressLines('lexicons', (line) => log.info(line));
  const onFailure = (reason: string) => {
    lexiconsFailed = true;
    log.warn(reason);
  };
  return findLexicons(config, { signal, onProgress, onFailure });
}

async function listVoices(): Promise<readonly Voice[]> {
  return config.allowLocalVoiceSaving ? [...officialVoices, ...(await savedVoices.list())] : officialVoices;
}

function parseDefaultVoice(): VoiceWeight[] {
  try {
    return parseVoice(config.defaultVoice, new VoiceNames(voicesAtStart));
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    throw new ConfigError(`DEFAULT_VOICE: ${error.message}`);
  }
}

/** Checks DEFAULT_VOICE: otherwise every request without a voice would fail. */
function assertDefaultVoiceIsSpoken(info: SynthesizerInfo): void {
  try {
    assertSpoken(info, { voice: defaultVoice, language: languageOf(defaultVoice[0]!.name) });
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    throw new HearsayError('model_load_failed', `${error.message} Choose another DEFAULT_VOICE.`);
  }
}

async function modelRows({ model, backend, device, languages }: SynthesizerInfo): Promise<[string, string][]> {
  const gpu = await readGpu();
  const voices = (await listVoices()).filter(({ id }) => languages.includes(languageOf(id)));
  return [
    ['Model', `${model} (${backend})`],
    ['Device', device],
    ['GPU', gpu ? gpuMemory(gpu) : 'none'],
    ['Voice packs', String(voices.length)],
  ];
}
