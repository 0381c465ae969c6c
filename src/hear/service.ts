import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { version } from '../config/version.ts';
import { consoleRoutes } from '../http/console.ts';
import { Drain } from '../http/drain.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics, metricsRoute } from '../http/metrics.ts';
import { createServer } from '../http/server.ts';
import type { HearConfig } from './config.ts';
import type { AudioRequestContext, Gate, SpeechModels } from './routes/audio-request.ts';
import { type ModelLoading, modelRoutes } from './routes/models.ts';
import { transcriptionRoute } from './routes/transcriptions.ts';
import { translationRoute } from './routes/translations.ts';

export interface AppDependencies {
  config: Pick<
    HearConfig,
    | 'apiKey'
    | 'corsOrigins'
    | 'defaultLanguage'
    | 'enableWebPlayer'
    | 'maxAudioSeconds'
    | 'maxUploadBytes'
    | 'modelSize'
    | 'serverLogLevel'
    | 'uploadMinBytesPerSecond'
    | 'uploadTimeoutSeconds'
  >;
  models: SpeechModels;
  gate: Gate;
  /** Begun by whoever ends the process. */
  drain?: Drain;
  /** An existing folder for uploads under way. */
  uploadFolder: string;
  /** The model that is being downloaded or loaded. */
  loading?: () => ModelLoading | undefined;
  /** Remembers the selected model across restarts. */
  persistActiveModel: (size: string) => Promise<void>;
  log: FastifyBaseLogger;
}

/** Assembles the transcription service without listening. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, models, gate, uploadFolder, loading, persistActiveModel, log, drain = new Drain() } = dependencies;
  const metrics = createMetrics({ model: models, queue: gate });
  const audioSeconds = new Counter({
    name: 'hearsay_audio_seconds_total',
    help: 'Seconds of audio transcribed.',
    registers: [metrics.registry],
  });
  const app = await createServer({
    log,
    requestLogLevel: config.serverLogLevel,
    apiKey: config.apiKey,
    corsOrigins: config.corsOrigins,
    bodyTimeoutMs: config.uploadTimeoutSeconds * 1000,
    description: {
      title: 'Hearsay: transcription',
      description: 'Speech to text: transcription, translation into English, model administration and health.',
      version,
    },
    onAnswered: metrics.count,
  });
  healthRoutes(app, models, () => drain.begun);
  metricsRoute(app, metrics);
  modelRoutes(app, { models, drain, configuredSize: config.modelSize, loading, persistActiveModel, log });

  const context: AudioRequestContext = {
    models,
    gate,
    drain,
    uploadFolder,
    maxUploadBytes: config.maxUploadBytes,
    maxAudioSeconds: config.maxAudioSeconds,
    uploadTimeoutSeconds: config.uploadTimeoutSeconds,
    uploadMinBytesPerSecond: config.uploadMinBytesPerSecond,
    onTranscribed: (seconds) => audioSeconds.inc(seconds),
  };
  await app.register(async (scope) => transcriptionRoute(scope, context, config.defaultLanguage));
  await app.register(async (scope) => translationRoute(scope, context));
  if (config.enableWebPlayer) consoleRoutes(app, 'hear');
  return app;
}
