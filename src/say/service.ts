import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { version } from '../config/version.ts';
import { consoleRoutes } from '../http/console.ts';
import { Drain } from '../http/drain.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics, metricsRoute } from '../http/metrics.ts';
import { modelCatalog } from '../http/model-catalog.ts';
import { createServer } from '../http/server.ts';
import type { SayConfig } from './config.ts';
import type { SynthesisContext } from './context.ts';
import { downloadRoute } from './downloads/downloads.ts';
import { captionedSpeechRoute } from './routes/captioned-speech.ts';
import { debugRoutes } from './routes/debug.ts';
import type { Gpu } from './routes/gpu.ts';
import { phonemeRoutes } from './routes/phonemes.ts';
import { speechRoute } from './routes/speech.ts';
import { jsonBodyBytes, modelAliases, modelIds } from './routes/speech-request.ts';
import { systemRoute } from './routes/system.ts';
import { unloadRoute } from './routes/unload.ts';
import { type VoiceCatalogOptions, voiceRoutes } from './voices/voice-catalog.ts';

export interface AppDependencies extends Pick<SynthesisContext, 'models' | 'expected' | 'downloads' | 'voices'> {
  config: Pick<
    SayConfig,
    | 'allowLocalVoiceSaving'
    | 'apiKey'
    | 'corsOrigins'
    | 'defaultVoice'
    | 'enableWebPlayer'
    | 'maxInputCharacters'
    | 'serverLogLevel'
  >;
  combine: VoiceCatalogOptions['combine'];
  readGpu: () => Promise<Gpu | null>;
  /** Begun by whoever ends the process. */
  drain?: Drain;
  log: FastifyBaseLogger;
}

/** Assembles the synthesis service without listening. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, combine, readGpu, log, drain = new Drain(), ...given } = dependencies;
  const context: SynthesisContext = {
    ...given,
    drain,
    activity: { active: 0, waiting: 0 },
    defaultVoice: config.defaultVoice,
    maxInputCharacters: config.maxInputCharacters,
  };
  const { models, downloads, activity } = context;
  const metrics = createMetrics({ model: models, queue: activity });
  const app = await createServer({
    log,
    requestLogLevel: config.serverLogLevel,
    apiKey: config.apiKey,
    corsOrigins: config.corsOrigins,
    jsonBodyBytes: jsonBodyBytes(config.maxInputCharacters),
    description: {
      title: 'Hearsay: synthesis',
      description: 'Text to speech: speech in six formats, captions, voices and their blends, phonemes and health.',
      version,
    },
    onAnswered: metrics.count,
  });
  app.addHook('onClose', async () => downloads.close());
  healthRoutes(app, models, () => drain.begun);
  metricsRoute(app, metrics);
  systemRoute(app, context, readGpu);
  modelCatalog(app, () => modelIds, modelAliases);
  speechRoute(app, context);
  voiceRoutes(app, context, { mayCombine: config.allowLocalVoiceSaving, combine });
  downloadRoute(app, downloads);
  captionedSpeechRoute(app, context);
  phonemeRoutes(app, context);
  await app.register(async (scope) => unloadRoute(scope, models));
  debugRoutes(app, { folder: downloads.folder, readGpu });
  if (config.enableWebPlayer) consoleRoutes(app, 'say');
  return app;
}
