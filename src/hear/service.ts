import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { version } from '../config/version.ts';
import type { Certificate } from '../http/certificate.ts';
import { consoleRoutes } from '../http/console.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics, metricsRoute } from '../http/metrics.ts';
import { modelRoutes } from '../http/models.ts';
import { createServer } from '../http/server.ts';
import type { Gpu } from '../machine/gpu-schema.ts';
import type { HearConfig } from './config.ts';
import type { HearContext } from './context.ts';
import { hearMetrics } from './metrics.ts';
import { ClientSecrets } from './realtime/client-secrets.ts';
import { RealtimeSessions } from './realtime/sessions.ts';
import { asrRoutes } from './routes/asr.ts';
import { jobRoutes } from './routes/jobs.ts';
import { type ModelActivateOptions, modelActivateRoute } from './routes/model-activate.ts';
import { modelCancelRoute } from './routes/model-cancel.ts';
import { isKnownModel } from './routes/model-names.ts';
import { createPresets, modelPresetsRoute, type PresetsOptions } from './routes/model-presets.ts';
import { type ModelRemoveOptions, modelRemoveRoute } from './routes/model-remove.ts';
import { opensSession, realtimeRoutes } from './routes/realtime.ts';
import { hearSystemRoute } from './routes/system.ts';
import { transcriptionRoute } from './routes/transcriptions.ts';
import { translationRoute } from './routes/translations.ts';

export interface HearServiceOptions
  extends Pick<HearContext, 'models' | 'gate' | 'uploads' | 'drain' | 'uploadDir' | 'speakers' | 'jobs'>,
    Pick<ModelActivateOptions, 'persistActiveModel'>,
    Pick<ModelRemoveOptions, 'removeModel'>,
    Pick<PresetsOptions, 'storedModel' | 'loading'> {
  readGpu: () => Promise<Gpu | null>;
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
  /** Called with the context of the routes, for other protocols. */
  onAssembled?: (context: HearContext) => void;
  /** Makes it an HTTPS service. */
  certificate?: Certificate;
  log: FastifyBaseLogger;
}

/** Assembles `hear` without listening. */
export async function createHearService(options: HearServiceOptions): Promise<FastifyInstance> {
  const { config, models, gate, uploads, drain, uploadDir, speakers, jobs, log } = options;
  const { maxRealtimeSessions } = config;
  const { persistActiveModel, removeModel, storedModel, loading, readGpu } = options;
  const metrics = createMetrics({ model: models, queue: gate, readGpu });
  const { audioSeconds, onTranscribed, onAnswered, showSessions } = hearMetrics(metrics, { uploads, jobs, speakers });
  const sessions = new RealtimeSessions({
    models,
    drain,
    maxSessions: maxRealtimeSessions,
    defaultLanguage: config.defaultLanguage,
    onAnswered,
  });
  showSessions(sessions, maxRealtimeSessions);
  const secrets = await ClientSecrets.signedBy(config.apiKey);
  const context: HearContext = { models, gate, uploads, drain, uploadDir, config, speakers, jobs, onTranscribed };
  options.onAssembled?.(context);
  const presets = createPresets({ models, configuredSize: config.modelSize, storedModel, loading });

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
  hearSystemRoute(app, { models, gate, speakers, maxRealtimeSessions, audioSeconds });
  modelRoutes(app, () => ['asr-1', ...(models.loaded === '' ? [] : [models.loaded])], isKnownModel);
  modelPresetsRoute(app, presets);
  modelActivateRoute(app, { models, drain, presets, persistActiveModel });
  modelCancelRoute(app, { models, presets });
  modelRemoveRoute(app, { models, drain, presets, removeModel });
  await app.register(transcriptionRoute, context);
  await app.register(translationRoute, context);
  jobRoutes(app, jobs);
  realtimeRoutes(app, sessions, secrets);
  await app.register(asrRoutes, context);
  if (config.enableWebPlayer) consoleRoutes(app, 'hear');
  return app;
}
