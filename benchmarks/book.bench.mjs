/**
 * Speaks a book of two hours with the built-in voice, as m4b with word times. Measures how far the times of words and
 * chapters are from the sound that FFmpeg decodes, and what the processes take.
 *
 * A sentence recurs every two minutes. It is found in the sound, to the sample, by correlation with the same sentence
 * spoken alone. `HOURS` (2) is the length of the book; `FFPROBE=ffprobe` also checks the chapters that it shows.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { decodeAudio } from '../dist/audio/decode.js';
import { median, save } from './measure.mjs';
import { cpuSeconds, megabytes, startService } from './service.mjs';

const HOURS = Number(process.env.HOURS ?? 2);
const RATE = 24_000;
const CHAPTER_SECONDS = 600;
const PROBE_EVERY_SECONDS = 120;
const PROBE = 'The lighthouse keeper waved.';
/** Of every other chapter: a changed tempo takes another path through the pipeline. */
const SPEEDS = [1, 1.25];
/** How far around its expected place to look for a sentence. */
const REACH = 0.15 * RATE;

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const path = join(folder, 'book.m4b');
const service = await startService('say', { env: { TTS_MODEL: 'flite' } });

async function post(path, body) {
  const response = await fetch(service.base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** The probe spoken alone: its samples, and the time of its first word. */
async function probeAt(speed) {
  const body = { input: PROBE, speed, response_format: 'wav', stream: false };
  const { audio, timestamps } = await (await post('/dev/captioned_speech', body)).json();
  const bytes = Buffer.from(audio, 'base64').subarray(44);
  const samples = Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index) / 32_768);
  return { samples, start: timestamps[0].start_time };
}

async function secondsOf(input) {
  const bytes = await (await post('/v1/audio/speech', { input, response_format: 'pcm', stream: false })).arrayBuffer();
  return bytes.byteLength / 2 / RATE;
}

const probes = await Promise.all(SPEEDS.map(probeAt));
const secondsPerSentence = (await secondsOf(sentences.join(' '))) / sentences.length;

let next = 0;
const take = (count) => Array.from({ length: count }, () => sentences[next++ % sentences.length]);
const chapters = Array.from({ length: Math.ceil((HOURS * 3600) / CHAPTER_SECONDS) }, (_, index) => {
  const speed = SPEEDS[index % SPEEDS.length];
  const perProbe = Math.ceil((PROBE_EVERY_SECONDS * speed) / secondsPerSentence);
  const parts = Array.from({ length: CHAPTER_SECONDS / PROBE_EVERY_SECONDS }, () =>
    [PROBE, ...take(perProbe)].join(' '),
  );
  return { title: `Chapter ${index + 1}`, input: parts.join(' [pause:1s] '), speed, pause_after: 1 };
});

const idle = megabytes(service.enginePid(), 'VmRSS');
const cpuBefore = cpuSeconds(service.pid);
const started = performance.now();
const file = createWriteStream(path);
const found = [];
const along = [];
let words = 0;
const response = await post('/dev/captioned_book', { title: 'Two hours', author: 'Nobody', chapters });
for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
  const { audio, timestamps } = JSON.parse(line);
  if (!file.write(Buffer.from(audio, 'base64'))) await new Promise((resolve) => file.once('drain', resolve));
  for (const word of timestamps) {
    words++;
    if (word.word === 'lighthouse') found.push({ ...word, start_time: found.the });
    if (word.word === 'The') found.the = word.start_time;
    if (word.end_time >= (along.length + 1) * 3600 * (HOURS / 4)) along.push(megabytes(service.enginePid(), 'VmRSS'));
  }
}
await new Promise((resolve) => file.end(resolve));
const wall = (performance.now() - started) / 1000;
const cpu = cpuSeconds(service.pid) - cpuBefore;
const peak = megabytes(service.enginePid(), 'VmHWM');
const http = megabytes(service.pid, 'VmHWM');
await service.stop();

const windows = found.map(({ start_time, chapter }) => {
  const { samples, start } = probes[chapter % SPEEDS.length];
  const from = Math.round((start_time - start) * RATE) - REACH;
  return { chapter, from, reference: samples, sound: new Float32Array(samples.length + 2 * REACH) };
});
let length = 0;
for await (const chunk of decodeAudio(path, { maxSeconds: 200_000, sampleRate: RATE })) {
  for (const { from, sound } of windows) {
    const begin = Math.max(from, length);
    const end = Math.min(from + sound.length, length + chunk.length);
    if (begin < end) sound.set(chunk.subarray(begin - length, end - length), begin - from);
  }
  length += chunk.length;
}

/** Samples by which the reference is later in the sound than expected. */
function lag({ reference, sound }) {
  let [best, at] = [-1, 0];
  for (let shift = 0; shift <= 2 * REACH; shift++) {
    let [product, energy] = [0, 1e-9];
    for (let i = 0; i < reference.length; i += 3) {
      product += reference[i] * sound[i + shift];
      energy += sound[i + shift] ** 2;
    }
    const likeness = product / Math.sqrt(energy);
    if (likeness > best) [best, at] = [likeness, shift];
  }
  return at - REACH;
}

const milliseconds = (samples) => `${((1000 * samples) / RATE).toFixed(2)} ms`;
const lags = windows.map((window) => lag(window));
const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const inLastQuarter = lags.slice(-Math.ceil(lags.length / 4));
const rows = [
  [
    'book',
    `${chapters.length} chapters, ${words.toLocaleString('en')} words, ${(length / RATE / 3600).toFixed(2)} hours, ${(statSync(path).size / 1e6).toFixed(1)} MB`,
  ],
  [`word times against the audio, ${lags.length} places: largest error`, milliseconds(largest(lags))],
  [
    'word times in the last quarter: largest error, median error',
    `${milliseconds(largest(inLastQuarter))}, ${milliseconds(median(inLastQuarter.map(Math.abs)))}`,
  ],
  ['memory of the engine process before, and after each quarter', `${idle} MB, ${along.join(', ')} MB`],
  ['peak memory of the engine process, of the HTTP process', `${peak} MB, ${http} MB`],
  ['CPU time, wall time', `${cpu.toFixed(0)} s, ${wall.toFixed(0)} s`],
];
if (process.env.FFPROBE) {
  const { stdout } = spawnSync(process.env.FFPROBE, ['-v', 'error', '-show_chapters', '-of', 'json', path], {
    encoding: 'utf8',
  });
  const shown = JSON.parse(stdout).chapters;
  const firsts = chapters.map((_, index) => windows.findIndex(({ chapter }) => chapter === index));
  const errors = shown.map(({ start, time_base }, index) => {
    const { from } = windows[firsts[index]];
    return start * (RATE / Number(time_base.split('/')[1])) - (from + REACH + lags[firsts[index]]);
  });
  rows.splice(3, 0, [
    'chapters that ffprobe lists, largest error of a chapter start',
    `${shown.length}, ${largest(errors)} samples`,
  ]);
}
save(import.meta.url, rows);
rmSync(folder, { recursive: true });
