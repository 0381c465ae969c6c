import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { engineEnvironment } from '../../dist/engine/process.js';
import { sleep, startService } from '../service.mjs';
import { plainWords } from '../word-errors.mjs';

/** Command prefix that pins a process and its children to the first `threads` cores. */
const onCores = (threads) => ['taskset', '-c', `0-${threads - 1}`];

function start(threads, command, options = {}) {
  const [program, ...parameters] = [...onCores(threads), ...command];
  return spawn(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Hearsay without HTTP and voice activity: `window()` returns the seconds from samples to text, and those of CPU time. */
export async function startOurs({ folder, threads, clip }) {
  const parameters = [join(folder, 'checkpoint'), join(folder, 'hearsay/models'), String(threads), clip];
  const program = fileURLToPath(new URL('./window.mjs', import.meta.url));
  const child = start(threads, [process.execPath, program, ...parameters], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: engineEnvironment(),
  });
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (typeof message === 'number' || message === null) throw new Error(`${program} ended with ${message}`);
    return message;
  };
  await answer();
  return {
    async window() {
      child.send('window');
      return answer();
    },
    stop: () => stop(child),
  };
}

/**
 * One build of whisper.cpp with one form of the weights. `window` sums the times that whisper-cli prints between samples
 * and text, as a mean of two windows.
 */
export function whisperCpp({ folder, build, weights, threads, clip }) {
  const model = join(folder, 'whisper.cpp', `${weights}.bin`);
  const WINDOWS = 2;
  /** Transcribes the clip several times; returns the text and whisper-cli's log, which ends with its CPU time. */
  const transcribe = async (times) => {
    const files = Array.from({ length: times }, () => ['-f', clip]).flat();
    const options = ['-t', String(threads), '-bs', '1', '-bo', '1', '-l', 'en'];
    const command = [join(build, 'whisper-cli'), '-m', model, ...options, ...files];
    const child = start(threads, ['bash', '-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [text, log, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`whisper-cli ended with ${code ?? 'a crash'}`);
    const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(log);
    return { text, log, cpu: Number(user) + Number(system) };
  };
  return {
    name: `${basename(dirname(build))} ${weights}`,
    async window() {
      const { text, log } = await transcribe(WINDOWS);
      const times = [...log.matchAll(/(?:mel|sample|encode|decode|batchd|prompt) time =\s*([\d.]+) ms/g)];
      const seconds = times.reduce((sum, [, ms]) => sum + Number(ms), 0) / 1000 / WINDOWS;
      return { seconds, text: lines(text), said: WINDOWS };
    },
    /** CPU time without loading the model: half the difference between a run over three clips and one over one. */
    async cpu() {
      const [one, three] = [await transcribe(1), await transcribe(3)];
      return { cpu: (three.cpu - one.cpu) / 2, text: lines(one.text) };
    },
    /** Its server, which handles one request at a time. */
    async serve() {
      const port = await freePort();
      const options = ['-t', String(threads), '-l', 'en', '--host', '127.0.0.1', '--port', String(port)];
      const child = start(threads, [join(build, 'whisper-server'), '-m', model, ...options], { stdio: 'ignore' });
      const base = `http://127.0.0.1:${port}`;
      while ((await fetch(base).catch(() => undefined)) === undefined) {
        if (child.exitCode !== null) throw new Error(`whisper-server ended with ${child.exitCode}`);
        await sleep(50);
      }
      return { ask: (wav) => askForm(`${base}/inference`, wav), stop: () => stop(child) };
    },
  };
}

/** Each segment is a line that begins with its time. */
const lines = (text) => text.replace(/\[[\d:.]+ --> [\d:.]+\]/g, ' ');

/** faster-whisper in int8 behind a minimal server; `ask` returns its time for transcribing, without HTTP. */
export async function startFasterWhisper({ folder, python, workers, threads }) {
  const program = fileURLToPath(new URL('./faster_whisper_server.py', import.meta.url));
  const parameters = [join(folder, 'faster-whisper'), String(workers), String(threads)];
  const child = start(workers * threads, [python, program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`faster-whisper ended with ${code}`))),
  ]);
  return {
    ask: (wav) => post(`http://127.0.0.1:${port}`, wav, 'audio/wav'),
    stop: () => stop(child),
  };
}

/** hear, started as users start it. */
export async function startHear({ folder, threads }) {
  const service = await startService('hear', {
    dataDir: join(folder, 'hearsay'),
    prefix: onCores(threads),
    env: { MODEL_SIZE: join(folder, 'checkpoint'), COMPUTE_TYPE: 'int8', THREADS: String(threads) },
  });
  return { ask: (wav) => askForm(`${service.base}/v1/audio/transcriptions`, wav), stop: () => service.stop() };
}

async function askForm(url, wav) {
  const form = new FormData();
  form.set('file', new Blob([wav]), 'audio.wav');
  form.set('language', 'en');
  form.set('response_format', 'json');
  const encoded = new Response(form);
  return post(url, Buffer.from(await encoded.arrayBuffer()), encoded.headers.get('content-type'));
}

/** Not `fetch`, which times out after five minutes: the last of eight requests may wait longer. */
async function post(url, body, type) {
  const sent = request(url, { method: 'POST', headers: { 'content-type': type, 'content-length': body.length } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const text = await textOf(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The words expected of every contestant, and the share of them that may be wrong. */
export function expectedText(folder) {
  const script = join(folder, 'checkpoint/text.txt');
  return existsSync(script) ? { words: plainWords(readFileSync(script, 'utf8')), tolerance: 0 } : { tolerance: 0.1 };
}

/** Directories with the programs of the builds of whisper.cpp that `WHISPER_CPP` lists: `build/bin`, or the build's own. */
export function whisperCppBuilds() {
  const builds = (process.env.WHISPER_CPP ?? '').split(',').filter((build) => build !== '');
  if (builds.length === 0) console.log('Skipped: whisper.cpp, because WHISPER_CPP names none of its builds.');
  const programs = builds.map((build) =>
    [resolve(build, 'bin'), resolve(build)].find((path) => existsSync(join(path, 'whisper-cli'))),
  );
  for (const [index, found] of programs.entries())
    if (!found) console.log(`Skipped: no whisper-cli in ${builds[index]}.`);
  return programs.filter((found) => found !== undefined);
}
