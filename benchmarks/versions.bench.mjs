/**
 * Is this build of hear as fast as another one? In turns, in alternating order: with Moonshine a clip alone and
 * alongside eight hours; with a Whisper checkpoint one window, eight at once, and a clip alongside three hours.
 *
 * `OTHER` is the main.js of the other build, `WHISPER` the checkpoint. `ROUNDS` (4) is the number of turns.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, readWav, recording, round, save, wavFile } from './measure.mjs';
import { postAudio, sleep, startService } from './service.mjs';

const { OTHER, WHISPER, ROUNDS = '4' } = process.env;
const scratch = mkdtempSync(join(tmpdir(), 'hearsay-versions-'));
const builds = { other: { main: OTHER }, this: {} };
for (const [name, build] of Object.entries(builds)) build.dataDir = join(scratch, name);

const reading = readWav(recording('two_cities.wav'));
const cut = (seconds) => reading.subarray(0, seconds * 16_000);
const hour = new Float32Array(3600 * 16_000);
for (let at = 0; at < hour.length; at += reading.length) hour.set(reading.subarray(0, hour.length - at), at);
const files = { clip: cut(4), window: cut(26), hour };
for (const [name, samples] of Object.entries(files)) {
  files[name] = join(scratch, `${name}.wav`);
  writeFileSync(files[name], wavFile(samples));
}

async function seconds(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

const ask = async (base, path) => (await postAudio(base, path, {})).text();

/** Median seconds of nine clips, with pauses so that they meet different moments of the other work. */
async function clips(base) {
  const times = [];
  for (let index = 0; index < 9; index++) {
    await sleep(200 + 40 * (index % 5));
    times.push(await seconds(() => ask(base, files.clip)));
  }
  return median(times);
}

async function clipsBeside(base, hours) {
  const hangUp = new AbortController();
  const stream = () => postAudio(base, files.hour, { stream: 'true' }, hangUp.signal);
  for (const { body } of await Promise.all(Array.from({ length: hours }, stream))) {
    body.pipeTo(new WritableStream()).catch(() => {});
  }
  const time = await clips(base);
  hangUp.abort();
  return time;
}

const results = new Map();
function note(what, name, value) {
  const times = results.get(what) ?? { other: [], this: [] };
  times[name].push(value);
  results.set(what, times);
}

async function measure(name) {
  const moonshine = await startService('hear', builds[name]);
  await clips(moonshine.base);
  note('Moonshine: a clip of 4 s alone', name, await clips(moonshine.base));
  note('Moonshine: a clip of 4 s alongside eight hour-long files', name, await clipsBeside(moonshine.base, 8));
  await moonshine.stop();

  const whisper = await startService('hear', { ...builds[name], env: { MODEL_SIZE: WHISPER } });
  const { base } = whisper;
  const eight = () => Promise.all(Array.from({ length: 8 }, () => ask(base, files.window)));
  await ask(base, files.window);
  const windows = [];
  for (let index = 0; index < 5; index++) windows.push(await seconds(() => ask(base, files.window)));
  note('Whisper: one window of 26 s', name, median(windows));
  await eight();
  note('Whisper: eight windows at once', name, await seconds(eight));
  note('Whisper: a clip of 4 s alone', name, await clips(base));
  note('Whisper: a clip of 4 s alongside three hour-long files', name, await clipsBeside(base, 3));
  await whisper.stop();
}

for (let index = 0; index < Number(ROUNDS); index++) {
  for (const name of index % 2 === 0 ? ['other', 'this'] : ['this', 'other']) await measure(name);
}
rmSync(scratch, { recursive: true, force: true });
const rows = [...results].map(([what, times]) => {
  const [before, after] = [median(times.other), median(times.this)];
  return [what, `${round(after)} s, other build ${round(before)} s: ${round(after / before)} times as long`];
});
save(import.meta.url, rows);
