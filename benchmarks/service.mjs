import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openAsBlob, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Of /proc on every common Linux. */
const TICKS_PER_SECOND = 100;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a built service on a free port and waits until it is ready.
 * @param name `hear` or `say`
 * @param dataDir kept after `stop`; a temporary one by default
 * @param env settings of the service
 * @param prefix a command to run it with, such as `taskset -c 0`
 * @param main path of another build's main.js
 */
export async function startService(name, { dataDir, env = {}, prefix = [], main = builtMain(name) } = {}) {
  const started = performance.now();
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
  const [program, ...parameters] = [...prefix, process.execPath, main];
  const child = spawn(program, parameters, {
    env: { ...process.env, ...env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const base = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} ended before it was listening`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /Listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  while ((await fetch(`${base}/ready`)).status !== 200) await sleep(20);
  return {
    base,
    pid: child.pid,
    /** Milliseconds from the start of the process. */
    readyMs: performance.now() - started,
    enginePid: () => Number(childrenOf(child.pid)[0]),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function builtMain(name) {
  return fileURLToPath(new URL(`../dist/${name}/main.js`, import.meta.url));
}

/** Process ids of the children of a process. */
export function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid)
      );
    } catch {
      return false;
    }
  });
}

/** Sends a recording to `hear`. @returns the response, if its status is 200 */
export async function postAudio(base, path, fields, signal) {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'audio');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await fetch(`${base}/v1/audio/transcriptions`, { method: 'POST', body: form, signal });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** Sends a form, and reads an answer in JSON however long it takes: `fetch` gives up after five minutes. */
export async function postForm(url, form) {
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const headers = { 'content-type': encoded.headers.get('content-type'), 'content-length': body.length };
  const sent = request(url, { method: 'POST', headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

/** Resident memory of a process in MB, current and peak. */
export function memory(pid) {
  return `${megabytes(pid, 'VmRSS')} MB, peak ${megabytes(pid, 'VmHWM')} MB`;
}

/** Seconds of CPU that a process and its descendants have used. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), own);
}

/** A size in MB from /proc/<pid>/status, e.g. VmRSS. */
export function megabytes(pid, field) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) / 1024);
}
