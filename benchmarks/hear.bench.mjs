/**
 * hear over HTTP: time to ready, real-time factor, throughput at 1, 4 and 8 requests, latency of /health and /ready
 * under load, and memory after an hour of audio.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probe } from './load.mjs';
import { median, percentile, readWav, recording, round, save, wavFile } from './measure.mjs';
import { memory, sleep, startService } from './service.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const start = () => startService('hear', { dataDir });

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

const rows = [];
const first = await start();
await first.stop();
const starts = [];
for (let index = 0; index < 5; index++) {
  const service = await start();
  starts.push(service.readyMs);
  await service.stop();
}
rows.push(['time to ready, first start on a machine', `${round(first.readyMs / 1000, 2)} s`]);
rows.push(['time to ready, later starts, median of 5', `${round(median(starts) / 1000, 2)} s`]);

const service = await start();
const { base } = service;
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
  const endProbe = probe(base, 10);
  const started = performance.now();
  const results = await Promise.all(
    Array.from({ length: clients }, async () => {
      let audio = 0;
      for (let index = 0; index < 24 / clients; index++) audio += (await transcribe(base, whole)).duration;
      return audio;
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { latencies } = await endProbe();
  const audio = results.reduce((sum, value) => sum + value, 0);
  rows.push([
    `${clients} request${clients === 1 ? '' : 's'} at a time, 24 recordings of 44 s`,
    `${round(audio / seconds, 3)} seconds of audio per second; /health and /ready p99 ${round(percentile(latencies, 0.99), 2)} ms of ${latencies.length} probes`,
  ]);
}

const { seconds, duration } = await transcribe(base, repeat(82));
rows.push(['an hour of speech in one file', `${round(seconds)} s, real-time factor ${round(seconds / duration)}`]);
await sleep(1000);
rows.push(['memory of the HTTP process afterwards', memory(service.pid)]);
rows.push(['memory of the engine process afterwards', memory(service.enginePid())]);
await service.stop();
rmSync(dataDir, { recursive: true, force: true });
save(import.meta.url, rows);
