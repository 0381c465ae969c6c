/**
 * Word times of hear at pauses, on speech whose times are known: Kokoro's sentences with silence put between two words.
 * Of each word next to such a pause, tells on which side of it the word was found; and how far word times are off. For
 * Whisper, for the built-in model, and with PYTHON for faster-whisper, which needs `ct2-base` in the folder.
 *
 * Usage: npm run benchmark -- word-pauses <weights>
 * The folder holds the official `kokoro` and `whisper-base`; PYTHON names a Python with faster-whisper and pocketsphinx.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from './accuracy/random.mjs';
import { LinePeer } from './line-peer.mjs';
import { median, percentile, save, wavFile } from './measure.mjs';
import { postAudio, startService } from './service.mjs';
import { plainWords, sameWords } from './word-errors.mjs';

/** Of Kokoro's sound, in Hz. */
const RATE = 24_000;
const VOICES = ['af_heart', 'am_michael', 'bf_emma'];
const KINDS = ['prose', 'questions'];
const RECORDINGS = 30;
const SENTENCES = 2;
/** Seconds of silence between two words. */
const PAUSES = [0.3, 0.5, 0.8, 1.2];
/** Level of the noise in the background, which is nowhere quite silent. */
const NOISE = 0.0005;
/** Seconds by which the middle of a word may lie outside the word. */
const TOLERANCE = 0.1;

const [weights] = process.argv.slice(2);
const { PYTHON } = process.env;
const random = seeded(1);
const pick = (values) => values[Math.floor(random() * values.length)];
const folder = mkdtempSync(join(tmpdir(), 'hearsay-pauses-'));

/** Words without punctuation; those that are several words are left out. */
const plain = (words) =>
  words.flatMap(({ word, start, end }) => {
    const [only, ...more] = plainWords(word);
    return only !== undefined && more.length === 0 ? [{ word: only, start, end }] : [];
  });

async function spoken(base, input, voice) {
  const body = JSON.stringify({ model: 'kokoro', input, voice, response_format: 'pcm', stream: false });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${base}/dev/captioned_speech`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { audio, timestamps } = await response.json();
  const pcm = Buffer.from(audio, 'base64');
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_, index) => pcm.readInt16LE(2 * index) / 32768);
  const words = timestamps.map(({ word, start_time: start, end_time: end }) => ({ word, start, end }));
  return { samples, words: plain(words) };
}

/** The quietest place between two words. */
function quietest(samples, { end }, { start }) {
  const [from, to] = [
    Math.floor((Math.min(end, start) - 0.02) * RATE),
    Math.ceil((Math.max(end, start) + 0.02) * RATE),
  ];
  const REACH = RATE / 200;
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let place = from; place <= to; place += REACH) {
    const level = samples.subarray(Math.max(0, place - REACH), place + REACH).reduce((sum, x) => sum + Math.abs(x), 0);
    if (level < least) [best, least] = [place, level];
  }
  return best;
}

/** Some sentences in a row, with a pause in each. @returns samples, and the words with their times */
async function recordingOf(base, texts, voice) {
  const parts = [];
  const words = [];
  let length = 0;
  const add = (part) => {
    parts.push(part);
    length += part.length;
  };
  for (const text of texts) {
    const sentence = await spoken(base, text, voice);
    const paused = 1 + Math.floor(random() * (sentence.words.length - 1));
    const place = quietest(sentence.samples, sentence.words[paused - 1], sentence.words[paused]);
    const before = length / RATE;
    add(sentence.samples.subarray(0, place));
    add(new Float32Array(Math.round(pick(PAUSES) * RATE)));
    const after = (length - place) / RATE;
    add(sentence.samples.subarray(place));
    for (const [index, { word, start, end }] of sentence.words.entries()) {
      const shift = index < paused ? before : after;
      words.push({ word, start: start + shift, end: end + shift, isAtPause: index === paused || index === paused - 1 });
    }
    add(new Float32Array(Math.round(0.3 * RATE)));
  }
  const samples = new Float32Array(length);
  let offset = 0;
  for (const part of parts) {
    samples.set(part, offset);
    offset += part.length;
  }
  return { samples: samples.map((sample) => sample + NOISE * (random() - 0.5)), words };
}

/** @param listen gives the words of the recording with this index, with times */
async function measured(recordings, listen) {
  const starts = [];
  const ends = [];
  let [atPause, misplaced] = [0, 0];
  for (const [index, { words }] of recordings.entries()) {
    for (const [meant, heard] of sameWords(words, plain(await listen(index)))) {
      starts.push(Math.abs(heard.start - meant.start));
      ends.push(Math.abs(heard.end - meant.end));
      if (!meant.isAtPause) continue;
      const middle = (heard.start + heard.end) / 2;
      atPause++;
      if (middle < meant.start - TOLERANCE || middle > meant.end + TOLERANCE) misplaced++;
    }
  }
  const ms = (seconds) => `${Math.round(1000 * seconds)} ms`;
  const off = (values) => `${ms(median(values))} (p95 ${ms(percentile(values, 0.95))})`;
  const wrong = `${misplaced} of ${atPause} words at a pause elsewhere`;
  return `${wrong}; of ${starts.length} words starts are off by ${off(starts)} in the median, ends by ${off(ends)}`;
}

async function main() {
  const lines = readFileSync(new URL('./voice-quality-sentences.txt', import.meta.url), 'utf8').split('\n');
  const sentences = lines.map((line) => line.split('\t')).filter(([kind]) => KINDS.includes(kind));
  const say = await startService('say', { env: { TTS_MODEL: join(weights, 'kokoro') } });
  const recordings = [];
  for (let index = 0; index < RECORDINGS; index++) {
    const texts = sentences.slice(SENTENCES * index, SENTENCES * (index + 1)).map(([, text]) => text);
    recordings.push(await recordingOf(say.base, texts, VOICES[index % VOICES.length]));
  }
  await say.stop();
  const rows = [];
  for (const [name, env] of [
    ['Whisper base', { MODEL_SIZE: join(weights, 'whisper-base') }],
    ['the built-in model', {}],
  ]) {
    const hear = await startService('hear', { env });
    const fields = { language: 'en', response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
    const listen = async (index) => {
      const file = join(folder, 'recording.wav');
      writeFileSync(file, wavFile(recordings[index].samples, RATE));
      return (await (await postAudio(hear.base, file, fields)).json()).words;
    };
    rows.push([name, await measured(recordings, listen)]);
    await hear.stop();
  }
  const peer = PYTHON && (await LinePeer.start(PYTHON, '../scripts/word-times.py', join(weights, 'ct2-base')));
  if (peer) {
    const listen = async (index) => {
      const file = join(folder, 'recording.pcm');
      const pcm = Int16Array.from(recordings[index].samples, (sample) => Math.round(sample * 32767));
      writeFileSync(file, Buffer.from(pcm.buffer));
      const { whisper } = await peer.ask({ path: file, words: [] });
      return whisper.map(([word, start, end]) => ({ word, start, end }));
    };
    rows.push(['faster-whisper with the same Whisper base, beam 5', await measured(recordings, listen)]);
    await peer.end();
  }
  save(import.meta.url, rows);
}

if (weights) {
  try {
    await main();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log('Skipped: name a folder with the official kokoro and whisper-base.');
}
