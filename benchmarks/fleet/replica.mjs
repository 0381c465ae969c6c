import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childrenOf, sleep } from '../service.mjs';

export const ports = { hear: 8000, say: 8880 };

/** One replica of a service on its own host. */
export class Replica {
  #child;
  #exited;

  /**
   * @param service `hear` or `say`
   * @param host from `createHost`
   * @param folder for its temporary files
   * @param env its settings
   */
  constructor(service, host, folder, env) {
    this.service = service;
    this.host = host;
    this.folder = folder;
    this.env = env;
    this.address = `${host.address}:${ports[service]}`;
    this.base = `http://${this.address}`;
    /** Requests answered with 200, by id; a WebSocket with 101. */
    this.served = [];
    /** Lines of the log above the level info. */
    this.warnings = [];
  }

  start() {
    mkdirSync(this.folder, { recursive: true });
    const main = fileURLToPath(new URL(`../../dist/${this.service}/main.js`, import.meta.url));
    const [program, ...parameters] = [...this.host.inside, process.execPath, main];
    const env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      ...this.env,
      TEMP_DIR: join(this.folder, 'temp'),
      LOG_FORMAT: 'json',
      HF_HUB_OFFLINE: 'true',
    };
    // In its own process group, so that Ctrl-C reaches only the benchmark.
    this.#child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    this.#exited = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve(code ?? signal)));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(line));
  }

  #read(line) {
    const { level, msg, reqId, status, path, method } = JSON.parse(line);
    if (msg === 'request' && method !== 'OPTIONS' && status < 300) this.served.push(`${reqId} ${path}`);
    if (level >= 40) this.warnings.push(line);
  }

  async ready() {
    for (;;) {
      const response = await fetch(`${this.base}/ready`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.status === 200) return;
      await sleep(100);
    }
  }

  /** @returns its exit code */
  stop() {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  /** Sends a signal to all of its processes at once, as to a container. */
  signal(name) {
    for (const pid of treeOf(this.#child.pid)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended by itself.
      }
    }
  }

  async kill() {
    this.signal('SIGKILL');
    await this.#exited;
  }
}

function treeOf(pid) {
  return [pid, ...childrenOf(pid).flatMap((child) => treeOf(Number(child)))];
}
