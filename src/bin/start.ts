/** `hearsay`: runs each service in its own process, prefixes its log lines with its name, and shows one summary. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { port } from '../config/service-variables.ts';
import { readConfiguration, variable } from '../config/variables.ts';
import { readConfigOrExit } from '../http/service-process.ts';
import { type ServiceSummary, startUpSummary, summaryToParent } from '../http/start-up-summary.ts';

const MIN_BETWEEN_SIGNALS_MS = 500;

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

// Check it here, because services get their port under another name.
readConfigOrExit((env) => {
  const names = services.flatMap(({ portVariable, wyomingVariable }) => [portVariable, wyomingVariable]);
  const declared = variable(port(), { description: 'Port to listen on.' });
  return readConfiguration(Object.fromEntries(names.map((name) => [name, declared])), env);
});
/** Summaries of the services that are ready. */
const summaries = new Map<Service, ServiceSummary>();
let exitCode = 0;
/** The signal that the services were ended with. */
let stoppedBy: NodeJS.Signals | undefined;
const running = new Map<Service, ChildProcess>();
let stoppedAt = Number.NEGATIVE_INFINITY;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // On Ctrl-C, the terminal and npm both send a signal, and a service exits at once on a second one.
    if (performance.now() - stoppedAt < MIN_BETWEEN_SIGNALS_MS) return;
    stoppedAt = performance.now();
    stopAll(signal);
  });
}
// A full disk or a closed pipe loses log lines, and must not end the services.
for (const out of [process.stdout, process.stderr]) out.on('error', () => {});

for (const service of services) running.set(service, run(service));

function run(service: Service): ChildProcess {
  const { PORT, WYOMING_PORT, ...env } = process.env;
  const port = process.env[service.portVariable];
  const wyoming = process.env[service.wyomingVariable];
  const child = spawn(process.execPath, [fileURLToPath(new URL(service.entry, import.meta.url))], {
    env: {
      ...env,
      ...summaryToParent,
      ...(port !== undefined && { PORT: port }),
      ...(wyoming !== undefined && { WYOMING_PORT: wyoming }),
    },
    // The IPC channel carries the summary. A service exits when it closes, i.e. when this process is gone.
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
  child.once('message', (summary) => {
    summaries.set(service, summary as ServiceSummary);
    const all = services.flatMap((each) => summaries.get(each) ?? []);
    if (all.length === services.length) process.stdout.write(`${startUpSummary(all)}\n`);
  });
  child.once('exit', (code, signal) => {
    running.delete(service);
    // A service that ends before it handles signals has done nothing yet.
    if (code !== null || signal !== stoppedBy) exitCode ||= code ?? 1;
    if (signal || code !== 0) process.stderr.write(`${service.name} | ended (${signal ?? `exit code ${code}`})\n`);
    // If one service ends, the other one ends too. A second signal would cut off requests that are still finishing.
    if (stoppedBy === undefined) stopAll('SIGTERM');
  });
  return child;
}

function stopAll(signal: NodeJS.Signals): void {
  stoppedBy = signal;
  for (const child of running.values()) child.kill(signal);
}

process.once('exit', () => {
  for (const child of running.values()) child.kill('SIGKILL');
  process.exitCode = exitCode;
});
