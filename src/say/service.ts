import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { version } from '../config/version.ts';
import type { Certificate } from '../http/certificate.ts';
import { consoleRoutes } from '../http/console.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics, metricsRoute } from '../http/metrics.ts';
import { modelRoutes } from '../http/models.ts';
import { createServer } from '../http/server.ts';
import type { Gpu } from '../machine/gpu-schema.ts';
import type { SayConfig } from './config.ts';
import type { SayContext } from './context.ts';
import { bookRoutes } from './routes/book.ts';
import { bookBodyBytes } from './routes/book-request.ts';
import { captionedSpeechRoute } from './routes/captioned-speech.ts';
import { type CombineVoicesOptions, combineVoicesRoute } from './routes/combine-voices.ts';
import { debugStorageRoute } from './routes/debug-storage.ts';
import { debugSystemRoute } from './routes/debug-system.ts';
import { debugThreadsRoute } from './routes/debug-threads.ts';
import { dialogueRoutes } from './routes/dialogue.ts';
import { downloadRoute } from './routes/download.ts';
import { generateFromPhonemesRoute } from './routes/generate-from-phonemes.ts';
import { phonemizeRoute } from './routes/phonemize.ts';
import { speechRoute } from './routes/speech.ts';
import { isKnownModel, modelIds } from './routes/speech-models.ts';
import { jsonBodyBytes } from './routes/speech-request.ts';
import { saySystemRoute } from './routes/system.ts';
import { unloadRoute } from './routes/unload.ts';
import { voicesRoute } from './routes/voices.ts';

export interface SayServiceOptions
  extends Pick<SayContext, 'models' | 'expected' | 'gate' | 'drain' | 'downloads' | 'answerDir' | 'voices'>,
    Pick<CombineVoicesOptions, 'combine'> {
  config: SayContext['config'] &
    Pick<
      SayConfig,
      | 'allowLocalVoiceSaving'
      | 'allowedHosts'
      | 'apiKey'
      | 'corsOrigins'
      | 'enableWebPlayer'
      | 'maxConnections'
      | 'serverLogLevel'
    >;
  readGpu: () => Promise<Gpu | null>;
  /** Called with the context of the routes, for other protocols. */
  onAssembled?: (context: SayContext) => void;
  /** Makes it an HTTPS service. */
  certificate?: Certificate;
  log: FastifyBaseLogger;
}

/** Assembles `say` without listening. */
export async function createSayService(options: SayServiceOptions): Promise<FastifyInstance> {
  const { config, models, expected, gate, drain, downloads, answerDir, voices, combine, readGpu, log } = options;
  const metrics = createMetrics({ model: models, queue: gate, readGpu });
  const audioSeconds = new Counter({
    name: 'hearsay_audio_seconds_total',
    help: 'Seconds of audio spoken.',
    registers: [metrics.registry],
  });
  const onSpoken: SayContext['onSpoken'] = ({ seconds, inference }) => {
    audioSeconds.inc(seconds);
    metrics.inferred(inference, seconds);
  };
  const context: SayContext = {
    models,
    expected,
    gate,
    drain,
    downloads,
    answerDir,
    voices,
    onSpoken,
    config,
  };
  options.onAssembled?.(context);

  const app = await createServer({
    log,
    requestLogLevel: config.serverLogLevel,
    apiKey: config.apiKey,
    corsOrigins: config.corsOrigins,
    maxConnections: config.maxConnections,
    certificate: options.certificate,
    ...(config.allowedHosts && { allowedHosts: config.allowedHosts }),
    jsonBodyBytes: jsonBodyBytes(config.maxInputCharacters),
    largestBodyBytes: bookBodyBytes(config.maxBookCharacters),
    description: {
      title: 'Hearsay: synthesis',
      description: 'Text to speech: speech in six formats, captions, voices and their blends, phonemes and health.',
      version,
    },
    onRequestEnd: metrics.count,
  });
  app.addHook('onClose', async () => downloads.close());
  healthRoutes(app, models, drain);
  metricsRoute(app, metrics);
  saySystemRoute(app, context, readGpu);
  modelRoutes(app, () => modelIds, isKnownModel);
  speechRoute(app, context);
  voicesRoute(app, context);
  combineVoicesRoute(app, { voices, combine, isAllowed: config.allowLocalVoiceSaving });
  downloadRoute(app, downloads);
  captionedSpeechRoute(app, context);
  dialogueRoutes(app, context);
  bookRoutes(app, context);
  phonemizeRoute(app, context);
  generateFromPhonemesRoute(app, context);
  await app.register(unloadRoute, { models });
  debugThreadsRoute(app);
  debugStorageRoute(app, downloads.folder);
  debugSystemRoute(app, readGpu);
  if (config.enableWebPlayer) consoleRoutes(app, 'say');
  return app;
}
