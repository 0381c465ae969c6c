import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  boolean,
  ConfigError,
  directory,
  file,
  headerText,
  host,
  hostNames,
  httpUrl,
  integer,
  oneOf,
  origins,
  variable,
} from './variables.ts';

/** Seconds from `min`. Node's timers hold at most 2^31 - 1 ms, a little more than 24 days. */
export const seconds = (min: number) => integer({ min, max: 2_000_000 });

/** A port to listen on. */
export const port = () => integer({ min: 0, max: 65535 });

const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** Environment variables that both services share. */
export const serviceVariables = {
  API_KEY: variable(headerText(), {
    description: 'Key that clients send as `Authorization: Bearer <key>`; by default none is required.',
    secret: true,
  }),
  MAX_CONNECTIONS: variable(integer({ min: 1, max: 1_000_000 }), {
    default: '1000',
    description:
      'Maximum number of open connections. One more closes the connection that has been idle for longest, else that of the slowest client.',
  }),
  MAX_CONCURRENCY: variable(integer({ min: 1, max: 1024 }), {
    default: '16',
    description: 'Maximum number of requests that use the model at the same time.',
  }),
  QUEUE_SIZE: variable(integer({ min: 0, max: 1_000_000 }), {
    default: '32',
    description: 'Maximum number of requests that wait for the model; one more gets 503 `queue_full`.',
  }),
  QUEUE_TIMEOUT_SECONDS: variable(seconds(0), {
    default: '60',
    description: 'Seconds that a request waits for the model before it gets 503 `queue_timeout`.',
  }),
  WARMUP_ON_START: variable(boolean(), {
    default: 'true',
    description:
      'Whether to load the model at start; otherwise the first request loads it, and `/ready` is 503 until then.',
  }),
  DATA_DIR: variable(directory(), {
    default: './data',
    defaultText: '`./data`; with the `hearsay` command `~/.local/share/hearsay`',
    description: 'Directory for data kept across restarts.',
  }),
  MODELS_DIR: variable(directory(), {
    defaultText: '`<DATA_DIR>/models`',
    description: 'Directory for downloaded and compiled models.',
  }),
  ENABLE_WEB_PLAYER: variable(boolean(), {
    default: 'true',
    description: 'Whether to serve the browser console at `/web`.',
  }),
  HOST: variable(host(), {
    default: '0.0.0.0',
    description: 'Address to listen on.',
  }),
  ALLOWED_HOSTS: variable(hostNames(), {
    description:
      'Host names of the service, in addition to addresses, names without a dot, and those below `.localhost`, `.local`, `.internal` and `.home.arpa`; a request with another `Host` gets 403. `*` allows all, and with it DNS rebinding by web pages.',
  }),
  TLS_CERT: variable(file(), {
    description:
      'Certificate in PEM, with its chain: the service then speaks HTTPS only. It is reloaded when it changes, without a restart. Requires `TLS_KEY`.',
  }),
  TLS_KEY: variable(file(), {
    description: 'Key of the certificate, in PEM, without a passphrase.',
  }),
  WYOMING_PORT: variable(port(), {
    description:
      "Port for Home Assistant's Wyoming protocol, which has no authentication; by default it is off. `npm start` uses `HEAR_WYOMING_PORT` and `SAY_WYOMING_PORT` instead.",
  }),
  DEVICE: variable(oneOf(['auto', 'cpu', 'webgpu', 'cuda']), {
    default: 'auto',
    description:
      'Device that runs the model. `auto` is a GPU if one runs the model and is much faster than the CPU, else the CPU. `webgpu` is a GPU through Vulkan, for Whisper and Kokoro; other models are not loaded. `cuda` is not supported so far.',
  }),
  COMPUTE_TYPE: variable(oneOf(['auto', 'float32', 'float16', 'int8']), {
    default: 'auto',
    description:
      'Number format of the computation; `auto` chooses by model and device. `float16` is for Whisper on a GPU only.',
  }),
  THREADS: variable(integer({ min: 1, max: 1024 }), {
    default: String(availableParallelism()),
    defaultText: 'the available cores',
    description: 'Threads for the model.',
  }),
  CORS_ORIGINS: variable(origins(), {
    default: '*',
    description: 'Origins whose pages may call the `/v1` routes from a browser.',
  }),
  ENGINE_TIMEOUT_SECONDS: variable(seconds(2), {
    default: '60',
    description: 'Seconds without a heartbeat before an engine process is killed and restarted.',
  }),
  FAILURE_WINDOW_SECONDS: variable(seconds(3), {
    default: '5',
    description:
      'Seconds for which `/health` reports why the model could not be loaded, before the process exits. A model that was loaded before is first reloaded for the same time.',
  }),
  SHUTDOWN_DELAY_SECONDS: variable(seconds(0), {
    default: '0',
    description:
      'Seconds for which requests are still served after SIGTERM while `/ready` is already 503, so that a load balancer stops sending them. Choose more than its check takes to notice.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: variable(seconds(0), {
    default: '30',
    description:
      'Seconds that running requests have to finish after SIGTERM and `SHUTDOWN_DELAY_SECONDS`; the log lists those that are then cut.',
  }),
  API_LOG_LEVEL: variable(logLevel, {
    default: 'info',
    description: "Minimum level of the service's own log lines.",
  }),
  SERVER_LOG_LEVEL: variable(logLevel, {
    default: 'info',
    description:
      "Minimum level of the HTTP server's log lines, one per request. Probes, `/metrics`, `/system` and files of pages are at `debug`.",
  }),
  LOG_FORMAT: variable(oneOf(['pretty', 'json']), {
    default: 'pretty',
    description: '`pretty` for people, `json` for machines: one JSON object per line.',
  }),
  HF_ENDPOINT: variable(httpUrl(), {
    default: 'https://huggingface.co',
    description: 'Hub to download models from.',
  }),
  HF_TOKEN: variable(headerText(), {
    description: 'Access token for the hub.',
    secret: true,
  }),
  HF_HUB_OFFLINE: variable(boolean(), {
    default: 'false',
    description: 'Whether to forbid downloads and use only files on this machine.',
  }),
};

/** The directory of the models, from the settings of a service or a command. */
export function modelsDirOf({ modelsDir, dataDir }: { modelsDir?: string; dataDir: string }): string {
  return modelsDir ?? join(dataDir, 'models');
}

/** Options of the admission gate, from the settings of a service. */
export function admissionOptions(config: { maxConcurrency: number; queueSize: number; queueTimeoutSeconds: number }) {
  const { maxConcurrency: concurrency, queueSize, queueTimeoutSeconds } = config;
  return { concurrency, queueSize, queueTimeoutMs: queueTimeoutSeconds * 1000 };
}

/**
 * Paths of the certificate and its key, from the settings of a service; undefined without TLS.
 * @throws ConfigError if only one is set
 */
export function certificateFiles({ tlsCert: cert, tlsKey: key }: { tlsCert?: string; tlsKey?: string }) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError('TLS_KEY needs TLS_CERT');
  if (key === undefined) throw new ConfigError('TLS_CERT needs TLS_KEY');
  return { cert, key };
}

/** Options of the model hub, from the settings of a service. */
export function hubOptions(config: {
  hfEndpoint: string;
  hfToken?: string | undefined;
  hfHubOffline: boolean;
  modelsDir: string;
}) {
  const { hfEndpoint: endpoint, hfToken: token, hfHubOffline: offline, modelsDir } = config;
  return { endpoint, token, offline, modelsDir };
}
