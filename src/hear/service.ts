import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import { version } from '../config/version.ts';
import type { Certificate } from '../http/certificate.ts';
import { consoleRoutes } from '../http/console.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics, metricsRoute } from '../http/metrics.ts';
import { modelRoutes } from '../http/models.ts';
import { createServer } from '../http/server.ts';
import type { HearConfig } from './config.ts';
import type { HearContext } from './context.ts';
import { jobMetrics } from './jobs/metrics.ts';
import { ClientSecrets } from './realtime/client-secrets.ts';
import { RealtimeSessions } from './realtime/sessions.ts';
import { asrRoutes } from './routes/asr.ts';
import { jobRoutes } from './routes/jobs.ts';
import { type ModelActivateOptions, modelActivateRoute } from './routes/model-activate.ts';
import { createPresets, type ModelLoading, modelPresetsRoute } from './routes/model-presets.ts';
import { opensSession, realtimeRoutes } from './routes/realtime.ts';
import { transcriptionRoute } from './routes/transcriptions.ts';
import { translationRoute } from './routes/translations.ts';

export interface HearServiceOptions
  extends Pick<HearContext, 'models' | 'gate' | 'uploads' | 'drain' | 'uploadDir' | 'jobs'>,
    Pick<ModelActivateOptions, 'persistActiveModel'> {
  config: HearContext['config'] &
    Pick<
      HearConfig,
      | 'allowedHosts'
      | 'apiKey'
      | 'corsOrigins'
      | 'enableWebPlayer'
      | 'maxConnections'
      | 'maxRealtimeSessions'
      | 'modelSize'
      | 'serverLogLevel'
    >;
  /** The model being downloaded or loaded. */
  loading?: () => ModelLoading | undefined;
  /** Called with what the routes work with, for other protocols. */
  onAssembled?: (context: HearContext) => void;
  /** Makes it an HTTPS service. */
  certificate?: Certificate;
  log: FastifyBaseLogger;
}

/** Assembles `hear` without listening. */
export async function createHearService(options: HearServiceOptions): Promise<FastifyInstance> {
  const { config, models, gate, uploads, drain, uploadDir, jobs, loading, persistActiveModel, log } = options;
  const metrics = createMetrics({ model: models, queue: gate });
  const audioSeconds = new Counter({
    name: 'hearsay_audio_seconds_total',
    help: 'Seconds of audio transcribed.',
    registers: [metrics.registry],
  });
  const missedSeconds = new Counter({
    name: 'hearsay_missed_speech_seconds_total',
    help: 'Seconds of speech found that gave no text.',
    registers: [metrics.registry],
  });
  const foreignRecordings = new Counter({
    name: 'hearsay_foreign_recordings_total',
    help: 'Recordings that do not sound like the only language of the model.',
    registers: [metrics.registry],
  });
  const decoderSteps = new Counter({
    name: 'hearsay_decoder_steps_total',
    help: 'Decoder steps of windows, with Whisper; by runs, it is the mean size of a batch.',
    registers: [metrics.registry],
  });
  const decoderRuns = new Counter({
    name: 'hearsay_decoder_runs_total',
    help: 'Runs of the decoder, each for a step of one window or several, with Whisper.',
    registers: [metrics.registry],
  });
  new Gauge({
    name: 'hearsay_uploads',
    help: 'Uploads being received.',
    registers: [metrics.registry],
    collect() {
      this.set(uploads.count);
    },
  });
  new Gauge({
    name: 'hearsay_upload_disk_bytes',
    help: 'Bytes of uploads on disk.',
    registers: [metrics.registry],
    collect() {
      this.set(uploads.bytes);
    },
  });
  const onTranscribed: HearContext['onTranscribed'] = ({ duration, inference, batching, missed, isForeign }) => {
    metrics.inferred(inference, duration);
    audioSeconds.inc(duration);
    missedSeconds.inc(missed);
    foreignRecordings.inc(isForeign ? 1 : 0);
    decoderSteps.inc(batching?.steps ?? 0);
    decoderRuns.inc(batching?.runs ?? 0);
  };
  const sessions = new RealtimeSessions({
    models,
    drain,
    maxSessions: config.maxRealtimeSessions,
    defaultLanguage: config.defaultLanguage,
    onAnswered: ({ seconds, missed, lagSeconds }) => {
      audioSeconds.inc(seconds);
      missedSeconds.inc(missed);
      realtimeLag.observe(lagSeconds);
    },
  });
  const realtimeLag = new Histogram({
    name: 'hearsay_realtime_lag_seconds',
    help: 'Time from the end of a turn to its whole text.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5],
    registers: [metrics.registry],
  });
  new Gauge({
    name: 'hearsay_realtime_sessions',
    help: 'Live transcriptions.',
    registers: [metrics.registry],
    collect() {
      this.set(sessions.count);
    },
  });
  new Gauge({
    name: 'hearsay_realtime_sessions_max',
    help: 'Maximum number of live transcriptions.',
    registers: [metrics.registry],
  }).set(config.maxRealtimeSessions);
  jobMetrics(metrics.registry, jobs);
  const secrets = await ClientSecrets.signedBy(config.apiKey);
  const context: HearContext = { models, gate, uploads, drain, uploadDir, config, jobs, onTranscribed };
  options.onAssembled?.(context);
  const presets = createPresets(models, config.modelSize, loading);

  const app = await createServer({
    log,
    requestLogLevel: config.serverLogLevel,
    apiKey: config.apiKey,
    isTemporaryKey: (key, request) => opensSession(request) && secrets.find(key) !== undefined,
    corsOrigins: config.corsOrigins,
    maxConnections: config.maxConnections,
    certificate: options.certificate,
    ...(config.allowedHosts && { allowedHosts: config.allowedHosts }),
    bodyTimeoutMs: config.uploadTimeoutSeconds * 1000,
    description: {
      title: 'Hearsay: transcription',
      description: 'Speech to text: transcription, translation into English, model administration and health.',
      version,
    },
    onRequestEnd: metrics.count,
  });
  healthRoutes(app, models, drain);
  metricsRoute(app, metrics);
  modelRoutes(app, () => ['asr-1', ...(models.loaded === '' ? [] : [models.loaded])]);
  modelPresetsRoute(app, presets);
  modelActivateRoute(app, { models, drain, presets, persistActiveModel });
  await app.register(transcriptionRoute, context);
  await app.register(translationRoute, context);
  jobRoutes(app, jobs);
  realtimeRoutes(app, sessions, secrets);
  await app.register(asrRoutes, context);
  if (config.enableWebPlayer) await consoleRoutes(app, 'hear');
  return app;
}
