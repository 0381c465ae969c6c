import { rm } from 'node:fs/promises';
import { type AddressInfo, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { certificateFiles } from '../config/service-variables.ts';
import { ConfigError } from '../config/variables.ts';
import { createDirectory } from '../files/create-directory.ts';
import { createTemporaryDirectory } from '../files/temporary-directory.ts';
import { Drain } from '../scheduling/drain.ts';
import { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts';
import { type OpenRequest, watchOpenRequests } from './open-requests.ts';
import { type AccessFacts, accessRows, isStartedTogether, showSummary } from './start-up-summary.ts';

/** Milliseconds for responses to reach their clients before the process exits. */
const CLOSE_TIMEOUT_MS = 2000;

/** Reads the configuration of a service; an invalid value ends the process with one line. */
export function readConfigOrExit<Config>(read: (env: NodeJS.ProcessEnv) => Config): Config {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitWithLine(error.message);
  }
}

/** Ends a process that cannot do its work, with one line for the user. */
export function exitWithLine(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** The URL of a service; `host` may be an IPv6 address. */
export function serviceUrl(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Whether an address is reached from this machine only. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1';
}

export interface ServiceProcessOptions {
  service: 'hear' | 'say';
  config: {
    host: string;
    port: number;
    /** Directory for a temporary directory of the process. */
    tempDir: string;
    dataDir: string;
    modelsDir: string;
    /** Seconds to keep serving after SIGTERM, until load balancers notice that the service is not ready. */
    shutdownDelaySeconds: number;
    /** Seconds for requests in flight to finish. */
    shutdownTimeoutSeconds: number;
    apiKey?: string | undefined;
    tlsCert?: string;
    tlsKey?: string;
    /** Port of the Wyoming protocol, which is off without one. */
    wyomingPort?: number | undefined;
    maxConnections: number;
    enableWebPlayer: boolean;
    logFormat: 'pretty' | 'json';
  };
  log: FastifyBaseLogger;
}

interface WyomingListening {
  host: string;
  port: number;
  maxConnections: number;
  log: FastifyBaseLogger;
}

interface WyomingListener {
  port: number;
  close(): Promise<void>;
}

/** The lifecycle of a service's process: temporary files, listening, shutdown. Create one per process. */
export class ServiceProcess {
  readonly drain = new Drain();
  /** Removed when the process ends. */
  readonly temporaryDir: string;
  /** The certificate of TLS_CERT and TLS_KEY at start. */
  readonly certificate: (Certificate & { files: CertificateFiles }) | undefined;
  readonly #options: ServiceProcessOptions;
  readonly #steps: (() => Promise<unknown>)[] = [];
  #openRequests: () => OpenRequest[] = () => [];
  #access: AccessFacts | undefined;
  #isSummaryShown = false;

  /**
   * Reads the certificate and creates the directories of the settings, or ends the process with one line. Handles SIGTERM,
   * SIGINT and SIGHUP from now on.
   */
  static async create(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const { service, config } = options;
    const certificate = await certificateOrExit(config);
    await directoryOrExit('DATA_DIR', config.dataDir);
    await directoryOrExit('MODELS_DIR', config.modelsDir);
    return new ServiceProcess(options, await temporaryDirOrExit(config.tempDir, service), certificate);
  }

  private constructor(
    options: ServiceProcessOptions,
    temporaryDir: string,
    certificate: (Certificate & { files: CertificateFiles }) | undefined,
  ) {
    this.#options = options;
    this.temporaryDir = temporaryDir;
    this.certificate = certificate;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.#shutdown(signal));
    // A terminal that closes sends it twice: by the shell and by the system.
    process.on('SIGHUP', () => {
      if (!this.drain.isAnnounced) void this.#shutdown('SIGHUP');
    });
    // Emitted only under `npm start`, whose process would otherwise leave this one behind.
    process.once('disconnect', () => void this.#shutdown('npm start has ended'));
    // The parent exited before the listener was added.
    if (process.connected === false) void this.#shutdown('npm start has ended');
  }

  /** Adds a step of the shutdown; steps run in order, and failed ones are skipped. */
  beforeExit(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Starts listening; exits if it cannot. The app is closed at shutdown. */
  async listen(app: FastifyInstance): Promise<void> {
    const { config, log } = this.#options;
    const { host, port } = config;
    this.beforeExit(() => close(app));
    this.#openRequests = watchOpenRequests(app.server);
    try {
      await app.listen({ host, port });
    } catch (error) {
      log.fatal(
        `Cannot listen on HOST (${host}), ${this.#portVariable('PORT')} (${port}): ${(error as Error).message}`,
      );
      await this.exit(1);
    }
    const { address, port: boundPort } = app.server.address() as AddressInfo;
    const { certificate } = this;
    if (certificate) {
      const stop = watchCertificate(app.server as unknown as TlsServer, certificate.files, log);
      this.beforeExit(async () => stop());
    }
    const url = serviceUrl(host, boundPort, certificate ? 'https' : 'http');
    log.info(`Listening on ${url}, API description at /docs`);
    const keyRequired = config.apiKey !== undefined;
    const isLocal = isLoopback(address);
    this.#access = { endpoint: url, keyRequired, isLocal, webPage: config.enableWebPlayer };
    if (!keyRequired && !isLocal) {
      log.warn(
        'No API_KEY is set: anyone who can reach this machine can use the service. HOST=127.0.0.1 keeps it local',
      );
    }
  }

  /** Serves the Wyoming protocol if it has a port; exits if it cannot listen. The server is closed at shutdown. */
  async serveWyoming(start: (options: WyomingListening) => Promise<WyomingListener>): Promise<void> {
    const { config, log } = this.#options;
    const { host, wyomingPort: port, maxConnections } = config;
    if (port === undefined) return;
    try {
      const server = await start({ host, port, maxConnections, log });
      this.beforeExit(() => server.close());
      log.info(`Listening for Wyoming on ${host}, port ${server.port}`);
      if (config.apiKey !== undefined) log.warn('Wyoming takes no key: anyone who can reach its port can use it');
    } catch (error) {
      const name = this.#portVariable('WYOMING_PORT');
      log.fatal(`Cannot listen on HOST (${host}), ${name} (${port}): ${(error as Error).message}`);
      await this.exit(1);
    }
  }

  /** Shows how to reach the service, with `rows` about its model; only once, after it listens. */
  async showSummary(title: string, rows: () => Promise<[string, string][]>): Promise<void> {
    if (this.#isSummaryShown || !this.#access) return;
    this.#isSummaryShown = true;
    const { config, log } = this.#options;
    showSummary({ title, rows: [...accessRows(this.#access), ...(await rows())] }, log, config.logFormat);
  }

  /** The variable that the user has set: `npm start` gives each service its ports under other names. */
  #portVariable(name: 'PORT' | 'WYOMING_PORT'): string {
    return isStartedTogether() ? `${this.#options.service.toUpperCase()}_${name}` : name;
  }

  /** Ends the process without waiting for requests in flight. */
  async exit(code: number): Promise<never> {
    this.drain.start();
    for (const step of this.#steps) await step().catch(() => {});
    await rm(this.temporaryDir, { recursive: true, force: true }).catch(() => {});
    process.exit(code);
  }

  /**
   * Keeps serving for the delay while `/ready` fails; then rejects new requests, waits for those in flight and exits
   * with 0. A second signal exits at once.
   */
  async #shutdown(reason: string): Promise<void> {
    const { config, log } = this.#options;
    if (this.drain.isAnnounced) process.exit(1);
    this.drain.announce();
    if (config.shutdownDelaySeconds > 0) {
      log.info(`${reason}: serving for another ${config.shutdownDelaySeconds} s while /ready is 503`);
      await sleep(config.shutdownDelaySeconds * 1000);
    }
    log.info(`${reason}: waiting up to ${config.shutdownTimeoutSeconds} s for running requests`);
    this.drain.start();
    const isTimedOut = sleep(config.shutdownTimeoutSeconds * 1000, true);
    if (await Promise.race([this.drain.idle(), isTimedOut])) {
      const requests = this.#openRequests();
      const limit = `SHUTDOWN_TIMEOUT_SECONDS (${config.shutdownTimeoutSeconds})`;
      log.warn({ requests }, `${limit} has passed: cutting unfinished requests (${requests.length})`);
    }
    await this.exit(0);
  }
}

async function certificateOrExit(config: ServiceProcessOptions['config']) {
  try {
    const files = certificateFiles(config);
    return files && { ...(await readCertificate(files)), files };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitWithLine(error.message);
  }
}

/** Errors of a path that can be no directory, such as that of a file, rather than of one that cannot be written. */
const notDirectory = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG']);

/** Creates a directory, or ends the process with one line if there can be none. The service works without writing there. */
async function directoryOrExit(name: string, path: string): Promise<void> {
  await createDirectory(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (notDirectory.has(code ?? ''))
      exitWithLine(`${name} must be a directory, not ${JSON.stringify(path)}: ${message}`);
  });
}

/** Creates the directory for the temporary files of this process, or ends it with one line that names TEMP_DIR. */
export async function temporaryDirOrExit(tempDir: string, service: string): Promise<string> {
  try {
    return await createTemporaryDirectory(tempDir, service);
  } catch (error) {
    const reason = (error as Error).message;
    return exitWithLine(`TEMP_DIR must be a writable directory, not ${JSON.stringify(tempDir)}: ${reason}`);
  }
}

/** Closes an app after its responses have been sent; cuts clients that do not read theirs. */
async function close(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await app.close().finally(() => clearTimeout(timer));
}
