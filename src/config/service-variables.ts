import { availableParallelism } from 'node:os';
import { boolean, declare, folder, httpUrl, integer, oneOf, origins, text } from './variables.ts';

/** Seconds from `min` up. Node's timers hold at most 2^31 - 1 ms, which is a little more than 24 days. */
export const seconds = (min: number) => integer({ min, max: 2_000_000 });

/** A port to listen on. */
export const port = () => integer({ min: 0, max: 65535 });

const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** The environment variables that mean the same to every service. */
export const serviceDeclarations = {
  API_KEY: declare(text(), {
    description: 'Key that clients must send as `Authorization: Bearer <key>`; without one, no key is asked for.',
    secret: true,
  }),
  WARMUP_ON_START: declare(boolean(), {
    default: 'true',
    description: 'Whether the model is loaded at start; otherwise the first request loads it.',
  }),
  DATA_DIR: declare(folder(), {
    default: './data',
    description: 'Folder for what is kept across restarts.',
  }),
  MODELS_DIR: declare(folder(), {
    defaultText: '`<DATA_DIR>/models`',
    description: 'Folder for downloaded and compiled models.',
  }),
  ENABLE_WEB_PLAYER: declare(boolean(), {
    default: 'true',
    description: 'Whether the console for browsers is at `/web`.',
  }),
  HOST: declare(text('an address or a host name'), {
    default: '0.0.0.0',
    description: 'Address to listen on.',
  }),
  DEVICE: declare(oneOf(['auto', 'cpu', 'cuda']), {
    default: 'auto',
    description:
      'Where the model runs. So far every model runs on the CPU: `auto` means that, and with `cuda` none loads.',
  }),
  COMPUTE_TYPE: declare(oneOf(['auto', 'float32', 'int8']), {
    default: 'auto',
    description: 'Number format the model computes in; `auto` takes what suits the model and the device.',
  }),
  THREADS: declare(integer({ min: 1, max: 1024 }), {
    default: String(availableParallelism()),
    defaultText: 'the available cores',
    description: 'Threads that the model computes with.',
  }),
  CORS_ORIGINS: declare(origins(), {
    default: '*',
    description: 'Origins whose pages may call the `/v1` routes from a browser.',
  }),
  ENGINE_TIMEOUT_SECONDS: declare(seconds(1), {
    default: '60',
    description: 'Seconds without a sign of life after which a working engine process is ended and started again.',
  }),
  FAILURE_WINDOW_SECONDS: declare(seconds(3), {
    default: '5',
    description: 'Seconds that `/health` says why the model could not be loaded, before the process exits.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: declare(seconds(0), {
    default: '30',
    description: 'Seconds that running requests are given to finish after SIGTERM.',
  }),
  API_LOG_LEVEL: declare(logLevel, {
    default: 'info',
    description: 'Least level of the log lines of the service itself.',
  }),
  SERVER_LOG_LEVEL: declare(logLevel, {
    default: 'info',
    description: 'Least level of the log lines of the HTTP server: one for each request.',
  }),
  LOG_FORMAT: declare(oneOf(['pretty', 'json']), {
    default: 'pretty',
    description: 'Log lines for people, or one JSON object a line for machines.',
  }),
  HF_ENDPOINT: declare(httpUrl(), {
    default: 'https://huggingface.co',
    description: 'Hub that models are downloaded from.',
  }),
  HF_TOKEN: declare(text(), {
    description: 'Access token for the hub.',
    secret: true,
  }),
  HF_HUB_OFFLINE: declare(boolean(), {
    default: 'false',
    description: 'Whether downloads are forbidden, so that only what is on this machine is used.',
  }),
};

/** How the model hub is to be used, from a service's settings. */
export function hubOptions(config: {
  hfEndpoint: string;
  hfToken?: string | undefined;
  hfHubOffline: boolean;
  modelsDir: string;
}) {
  const { hfEndpoint: endpoint, hfToken: token, hfHubOffline: offline, modelsDir } = config;
  return { endpoint, token, offline, modelsDir };
}
