/**
 * hear with recordings of hours: time to the first text of a streamed hour; a clip alongside eight hours in flight, with
 * Moonshine and with a small Whisper; and how long responses of four hours block the HTTP process.
 *
 * `--rounds 5` sends fewer clips than 15. Needs ffmpeg.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { probe } from './load.mjs';
import { answersOfHours } from './long-answers.mjs';
import { median, percentile, readWav, recording, round, save, wavFile } from './measure.mjs';
import { memory, postAudio, sleep, startService } from './service.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const rows = [];

const reading = readWav(recording('two_cities.wav'));
const micro = fileURLToPath(new URL('../test/fixtures/whisper-micro/', import.meta.url));
const clipOfMicro = join(folder, 'micro-clip.wav');
const flac = join(micro, 'recordings', 'english-flite.flac');
execFileSync('ffmpeg', ['-v', 'error', '-i', flac, '-ar', '16000', '-bitexact', clipOfMicro]);
const spoken = readWav(clipOfMicro);

/** Writes a recording repeated for an hour; returns the path. */
function hourOf(samples, name) {
  const hour = new Float32Array(3600 * 16_000);
  for (let at = 0; at < hour.length; at += samples.length) hour.set(samples.subarray(0, hour.length - at), at);
  const path = join(folder, name);
  writeFileSync(path, wavFile(hour));
  return path;
}

const wav = hourOf(reading, 'hour.wav');
const encode = (name, codec) => {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-i', wav, '-c:a', codec, '-b:a', '64k', path]);
  return path;
};
const files = { wav, mp3: encode('hour.mp3', 'libmp3lame'), m4a: encode('hour.m4a', 'aac') };

/** Seconds to the first event; hangs up then. */
async function firstText(base, path) {
  const hangUp = new AbortController();
  const started = performance.now();
  const { body } = await postAudio(base, path, { stream: 'true' }, hangUp.signal);
  const { value } = await body.getReader().read();
  const seconds = (performance.now() - started) / 1000;
  if (!Buffer.from(value).toString().includes('transcript.text.delta')) throw new Error('No text came first.');
  hangUp.abort();
  await sleep(500);
  return seconds;
}

/** Seconds a clip takes, several times, with pauses so that clips meet different moments of the other work. */
async function clips(base, path) {
  const seconds = [];
  for (let index = 0; index < rounds; index++) {
    await sleep(200 + 40 * (index % 5));
    const started = performance.now();
    await (await postAudio(base, path, {})).text();
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds;
}

async function clipBesideHours(label, env, hour, clipSamples) {
  const clip = join(folder, 'clip.wav');
  writeFileSync(clip, wavFile(clipSamples));
  const service = await startService('hear', { env });
  await clips(service.base, clip);
  const alone = await clips(service.base, clip);
  const hangUp = new AbortController();
  const others = await Promise.all(
    Array.from({ length: 8 }, () => postAudio(service.base, hour, { stream: 'true' }, hangUp.signal)),
  );
  let ended = 0;
  for (const { body } of others) {
    body.pipeTo(new WritableStream()).then(
      () => ended++,
      () => {},
    );
  }
  const endProbe = probe(service.base);
  const beside = await clips(service.base, clip);
  const { latencies } = await endProbe();
  const used = `engine process ${memory(service.enginePid())}, HTTP process ${memory(service.pid)}`;
  if (ended > 0) throw new Error('An hour is over before the clips are: ask for fewer rounds.');
  hangUp.abort();
  await service.stop();
  rows.push([`${label}: memory under this load`, used]);
  const shown = (seconds) => `${round(median(seconds))} s (worst ${round(Math.max(...seconds))} s)`;
  rows.push([
    `${label}: a clip of ${round(clipSamples.length / 16_000, 2)} s alone; alongside eight hour-long files, median of ${rounds}`,
    `${shown(alone)}; ${shown(beside)}: ${round(median(beside) / median(alone), 2)} times as long, worst ${round(Math.max(...beside) / median(alone), 2)}; /health and /ready p99 ${round(percentile(latencies, 0.99), 2)} ms`,
  ]);
}

const service = await startService('hear');
await firstText(service.base, files.wav);
for (const [name, path] of Object.entries(files)) {
  const seconds = [];
  for (let index = 0; index < 5; index++) seconds.push(await firstText(service.base, path));
  const size = Math.round(readFileSync(path).length / 2 ** 20);
  rows.push([
    `first text of an hour of ${name} (${size} MiB), upload included, median of 5`,
    `${round(median(seconds))} s, worst ${round(Math.max(...seconds))} s`,
  ]);
}
await service.stop();

await clipBesideHours('Moonshine', {}, wav, reading.slice(16_000, 5 * 16_000));
await clipBesideHours(
  'Whisper (a checkpoint a tenth the size of tiny)',
  { MODEL_SIZE: micro },
  hourOf(spoken, 'micro.wav'),
  spoken,
);
rows.push(...(await answersOfHours(4)));
rmSync(folder, { recursive: true, force: true });
save(import.meta.url, rows);
