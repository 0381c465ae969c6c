import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ConfigError } from '../config/variables.ts';
import { createTemporaryDirectory } from '../files/temporary-directory.ts';
import { Drain } from './drain.ts';

/** Milliseconds that answers already made are given to reach their clients, once the process ends. */
const CLOSING_MS = 2000;

/** Reads the settings of a service; a value that is not allowed ends the process with its one line. */
export function readConfigOrExit<Config>(read: (env: NodeJS.ProcessEnv) => Config): Config {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitWithLine(error.message);
  }
}

/** A folder for the temporary files of a service, in its TEMP_DIR; where there can be none, the process ends with one line. */
export async function temporaryFolderOrExit(tempDir: string, service: string): Promise<string> {
  try {
    return await createTemporaryDirectory(tempDir, service);
  } catch (error) {
    const why = (error as Error).message;
    return exitWithLine(`TEMP_DIR must be a folder that can be written to, not ${JSON.stringify(tempDir)}: ${why}`);
  }
}

function exitWithLine(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** The URL of a service on a host, which may be an IPv6 address. */
export function serviceUrl(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Closes a server once its answers have left; a client that does not read its own is cut off after a while. */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSING_MS);
  await app.close().finally(() => clearTimeout(timer));
}

export interface ServiceProcessOptions {
  /** Seconds that running requests are given to finish. */
  shutdownTimeoutSeconds: number;
  log: FastifyBaseLogger;
}

/** The life of a service's process, from listening to its last exit code. There is one in a process. */
export class ServiceProcess {
  /** What the routes enter; begun when the process is on its way out. */
  readonly drain = new Drain();
  readonly #options: ServiceProcessOptions;
  readonly #steps: (() => Promise<unknown>)[] = [];

  /** From now on SIGTERM and SIGINT end the process in order, and so does the end of `npm start`. */
  constructor(options: ServiceProcessOptions) {
    this.#options = options;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.#shutDown(signal));
    // Only where `npm start` runs it: without that process nobody would see this one any more.
    process.once('disconnect', () => void this.#shutDown('npm start has ended'));
  }

  /** Adds what is to be done before the process ends; in order, and what fails is passed over. */
  beforeExit(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Listens; returns the address, and ends the process where it cannot. */
  async listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
    const { log } = this.#options;
    try {
      await app.listen({ host, port });
    } catch (error) {
      log.fatal(`Cannot listen on ${host}, port ${port}: ${(error as Error).message}`);
      await this.exit(1);
    }
    const address = serviceUrl(host, (app.server.address() as AddressInfo).port);
    log.info(`Listening on ${address}, API description at /docs`);
    return address;
  }

  /** Ends the process, without waiting for what runs. */
  async exit(code: number): Promise<never> {
    this.drain.begin();
    for (const step of this.#steps) await step().catch(() => {});
    process.exit(code);
  }

  /** Lets running requests finish, refuses new ones, and exits with 0. A second signal ends it at once. */
  async #shutDown(reason: string): Promise<void> {
    const { log, shutdownTimeoutSeconds } = this.#options;
    if (this.drain.begun) process.exit(1);
    log.info(`${reason}: finishing what runs, for up to ${shutdownTimeoutSeconds} s`);
    this.drain.begin();
    const timeout = AbortSignal.timeout(shutdownTimeoutSeconds * 1000);
    await Promise.race([this.drain.empty(), new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
    await this.exit(0);
  }
}
