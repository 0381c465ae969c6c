/** `npm start`: runs every service in a process of its own, with one log whose lines begin with the service's name. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface Service {
  name: string;
  entry: string;
  /** The variable that holds this service's port when both run together. */
  portVariable: string;
}

const services: Service[] = [
  { name: 'hear', entry: '../hear/main.js', portVariable: 'HEAR_PORT' },
  { name: 'say', entry: '../say/main.js', portVariable: 'SAY_PORT' },
];

let exitCode = 0;
let stopping = false;
const running = new Map<Service, ChildProcess>(services.map((service) => [service, run(service)]));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopAll(signal));
// On a full disk, or with its reader gone, the log is lost: no reason to end the services.
for (const out of [process.stdout, process.stderr]) out.on('error', () => {});

function run(service: Service): ChildProcess {
  const { PORT, ...env } = process.env;
  const port = process.env[service.portVariable];
  const child = spawn(process.execPath, [fileURLToPath(new URL(service.entry, import.meta.url))], {
    env: { ...env, ...(port !== undefined && { PORT: port }) },
    // Over the channel nothing is said: its end tells a service that this process is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A Ctrl-C reaches a whole process group: in their own, the services hear of it once, from here.
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
    // One service without the other is not what was asked for.
    exitCode ||= code ?? 1;
    if (signal || code !== 0) process.stderr.write(`${service.name} | ended (${signal ?? `exit code ${code}`})\n`);
    // Once is enough: a second signal would cut short what the others are finishing.
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
