/**
 * The transcription service from outside: time to ready, real-time factor over HTTP, throughput at 1, 4 and 8 requests,
 * latency of /health meanwhile, and memory after an hour of audio.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median, percentile, readWav, recording, round, save, wavFile } from './measure.mjs';

const entry = fileURLToPath(new URL('../dist/speech-to-text/main.js', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function start() {
  const started = performance.now();
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const base = await new Promise((resolve) => {
    lines.on('line', (line) => {
      const port = /Listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  while ((await fetch(`${base}/ready`)).status !== 200) await sleep(20);
  return { child, base, ready: performance.now() - started };
}

async function transcribe(base, file) {
  const form = new FormData();
  form.set('file', new Blob([file]), 'audio.wav');
  form.set('response_format', 'verbose_json');
  const started = performance.now();
  const response = await fetch(`${base}/v1/audio/transcriptions`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { duration } = await response.json();
  return { seconds: (performance.now() - started) / 1000, duration };
}

const memory = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

function engineOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    });
}

const rows = [];
const first = await start();
first.child.kill('SIGKILL');
const starts = [];
for (let index = 0; index < 5; index++) {
  await sleep(500);
  const { child, ready } = await start();
  starts.push(ready);
  child.kill('SIGKILL');
}
rows.push(['time to ready, first start on a machine', `${round(first.ready / 1000, 2)} s`]);
rows.push(['time to ready after that, median of 5', `${round(median(starts) / 1000, 2)} s`]);

await sleep(500);
const { child, base } = await start();
const reading = readWav(recording('two_cities.wav'));
const repeat = (times) => {
  const samples = new Float32Array(reading.length * times);
  for (let index = 0; index < times; index++) samples.set(reading, index * reading.length);
  return wavFile(samples);
};
const short = wavFile(reading.slice(16_000, 5 * 16_000));
const whole = wavFile(reading);
await transcribe(base, whole);

const factor = async (file, rounds) => {
  const runs = [];
  for (let index = 0; index < rounds; index++) runs.push(await transcribe(base, file));
  return { seconds: median(runs.map((run) => run.seconds)), duration: runs[0].duration };
};
for (const [label, file, rounds] of [
  ['4 s', short, 9],
  ['44 s', whole, 7],
  ['10 minutes', repeat(14), 3],
]) {
  const { seconds, duration } = await factor(file, rounds);
  rows.push([
    `${label} of speech, one request, median of ${rounds}`,
    `${round(seconds)} s, real-time factor ${round(seconds / duration)}`,
  ]);
}

for (const clients of [1, 4, 8]) {
  const latencies = [];
  let done = false;
  const probe = (async () => {
    while (!done) {
      const asked = performance.now();
      await (await fetch(`${base}/health`)).arrayBuffer();
      latencies.push(performance.now() - asked);
      await sleep(10);
    }
  })();
  const started = performance.now();
  const results = await Promise.all(
    Array.from({ length: clients }, async () => {
      let audio = 0;
      for (let index = 0; index < 24 / clients; index++) audio += (await transcribe(base, whole)).duration;
      return audio;
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  done = true;
  await probe;
  const audio = results.reduce((sum, value) => sum + value, 0);
  rows.push([
    `${clients} at once, 24 recordings of 44 s in all`,
    `${round(audio / seconds, 3)} seconds of audio a second; /health p99 ${round(percentile(latencies, 0.99), 2)} ms of ${latencies.length}`,
  ]);
}

const { seconds, duration } = await transcribe(base, repeat(82));
rows.push(['an hour of speech in one file', `${round(seconds)} s, real-time factor ${round(seconds / duration)}`]);
await sleep(1000);
const engine = engineOf(child.pid);
for (const [label, pid] of [
  ['HTTP process', child.pid],
  ['engine process', engine],
]) {
  rows.push([
    `memory of the ${label} after that`,
    `${Math.round(memory(pid, 'VmRSS'))} MB, at most ${Math.round(memory(pid, 'VmHWM'))} MB`,
  ]);
}
child.kill('SIGTERM');
rmSync(dataDir, { recursive: true, force: true });
save(import.meta.url, rows);
