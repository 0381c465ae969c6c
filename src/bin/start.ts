/** `npm start`: runs each service in a process of its own, and prefixes its log lines with its name. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface Service {
  name: string;
  entry: string;
  /** Environment variable of its port when both run together. */
  portVariable: string;
  wyomingVariable: string;
}

const services: Service[] = [
  { name: 'hear', entry: '../hear/main.js', portVariable: 'HEAR_PORT', wyomingVariable: 'HEAR_WYOMING_PORT' },
  { name: 'say', entry: '../say/main.js', portVariable: 'SAY_PORT', wyomingVariable: 'SAY_WYOMING_PORT' },
];

let exitCode = 0;
let stopping = false;
const running = new Map<Service, ChildProcess>(services.map((service) => [service, run(service)]));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopAll(signal));
// A full disk or a closed pipe loses log lines, and must not end the services.
for (const out of [process.stdout, process.stderr]) out.on('error', () => {});

function run(service: Service): ChildProcess {
  const { PORT, WYOMING_PORT, ...env } = process.env;
  const port = process.env[service.portVariable];
  const wyoming = process.env[service.wyomingVariable];
  const child = spawn(process.execPath, [fileURLToPath(new URL(service.entry, import.meta.url))], {
    env: { ...env, ...(port !== undefined && { PORT: port }), ...(wyoming !== undefined && { WYOMING_PORT: wyoming }) },
    // The IPC channel carries no messages. A service exits when it closes, i.e. when this process is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C signals the whole process group. In their own groups, services get it once, from here.
    detached: true,
  });
  for (const [stream, out] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    createInterface({ input: stream! }).on('line', (line) => out.write(`${service.name} | ${line}\n`));
  }
  child.once('exit', (code, signal) => {
    running.delete(service);
    // If one service ends, the other one ends too.
    exitCode ||= code ?? 1;
    if (signal || code !== 0) process.stderr.write(`${service.name} | ended (${signal ?? `exit code ${code}`})\n`);
    // A second signal would cut off requests that are still finishing.
    if (!stopping) stopAll('SIGTERM');
  });
  return child;
}

function stopAll(signal: NodeJS.Signals): void {
  stopping = true;
  for (const child of running.values()) child.kill(signal);
}

process.once('exit', () => {
  for (const child of running.values()) child.kill('SIGKILL');
  process.exitCode = exitCode;
});
