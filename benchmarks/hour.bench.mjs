/**
 * An hour of speech, synthesized and transcribed, with official weights: does Kokoro speak the same text in the last minutes as in the
 * first, and does Whisper recognize all of it? 200 sentences in 50 paragraphs are spoken over and over in one request;
 * each pass is then transcribed within the whole recording and alone.
 *
 * `npm run benchmark hour -- WEIGHTS`: a directory with the checkpoints `kokoro` and `whisper-base`. `PASSES` (5) of 13
 * minutes each, `VOICE` (af_heart).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { loudness } from '../dist/audio/loudness.js';
import { Resampler } from '../dist/audio/resampler.js';
import { align, count } from './accuracy/alignment.mjs';
import { median, round, save, wavFile } from './measure.mjs';
import { cpuSeconds, megabytes, postAudio, startService } from './service.mjs';
import { SAMPLE_RATE } from './speech-request.mjs';
import { plainWords } from './word-errors.mjs';

const weights = process.argv[2];
if (!weights) throw new Error('Name the directory of the weights.');
const PASSES = Number(process.env.PASSES ?? 5);
const VOICE = process.env.VOICE ?? 'af_heart';
const SENTENCES_OF_A_PARAGRAPH = 4;
/** What `hear` reads. */
const HEAR_RATE = 16_000;

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const paragraphs = [];
for (let at = 0; at < sentences.length; at += SENTENCES_OF_A_PARAGRAPH) {
  paragraphs.push(sentences.slice(at, at + SENTENCES_OF_A_PARAGRAPH));
}
const pass = paragraphs.map((each) => each.join(' ')).join('\n\n');
const wordsOf = (text) => text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word));
const wordsOfPass = wordsOf(pass).length;

const rows = [];
const row = (label, value) => {
  rows.push([label, value]);
  console.log(`${label}: ${value}`);
};

const { samples, words } = await speak(Array.from({ length: PASSES }, () => pass).join('\n\n'));
const starts = Array.from({ length: PASSES }, (_, index) => words[index * wordsOfPass].start_time);
const spans = starts.map((start, index) => [start, words[(index + 1) * wordsOfPass - 1].end_time]);
const cut = ([start, end]) =>
  samples.slice(Math.max(0, Math.round((start - 0.3) * SAMPLE_RATE)), Math.round((end + 0.3) * SAMPLE_RATE));
const passes = spans.map(cut);
describePasses();
await hear();
save(import.meta.url, rows);

/** One request for everything; samples at 24 kHz, and the words with letters or digits. */
async function speak(input) {
  const env = { TTS_MODEL: join(weights, 'kokoro'), MAX_INPUT_CHARACTERS: String(input.length) };
  const say = await startService('say', { env });
  const started = performance.now();
  const before = cpuSeconds(say.pid);
  const response = await fetch(`${say.base}/dev/captioned_speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, voice: VOICE, response_format: 'pcm', stream: true }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const chunks = [];
  const words = [];
  let firstPeak;
  let bytes = 0;
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    if (line === '') continue;
    const { audio, timestamps } = JSON.parse(line);
    chunks.push(Buffer.from(audio, 'base64'));
    bytes += chunks.at(-1).length;
    words.push(...(timestamps ?? []).filter(({ word }) => /\p{L}|\p{N}/u.test(word)));
    if (bytes > 2 * SAMPLE_RATE * 300) firstPeak ??= megabytes(say.enginePid(), 'VmHWM');
  }
  const seconds = (performance.now() - started) / 1000;
  const pcm = Buffer.concat(chunks);
  const length = pcm.length / 2 / SAMPLE_RATE;
  row(
    `Kokoro, float32: ${PASSES} passes of ${wordsOfPass} words in one request`,
    `${round(length / 60)} minutes of audio in ${round(seconds / 60)} minutes, real-time factor ${round(seconds / length)}, ${round((cpuSeconds(say.pid) - before) / length)} s of CPU time per second of audio`,
  );
  row(
    'peak memory of its engine, after five minutes and at the end',
    `${firstPeak} and ${megabytes(say.enginePid(), 'VmHWM')} MB`,
  );
  await say.stop();
  if (words.length !== PASSES * wordsOfPass) throw new Error(`${words.length} words for ${PASSES * wordsOfPass}`);
  const samples = Float32Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(2 * index) / 32768);
  return { samples, words };
}

/** Seconds between the words around the ends of sentences, or of paragraphs, of a pass. */
function pauses(index, unit) {
  const found = [];
  let at = index * wordsOfPass;
  for (const paragraph of paragraphs) {
    for (const [position, sentence] of paragraph.entries()) {
      at += wordsOf(sentence).length;
      const isLast = position === paragraph.length - 1;
      if (at === (index + 1) * wordsOfPass || (unit === 'paragraph') !== isLast) continue;
      found.push(words[at].start_time - words[at - 1].end_time);
    }
  }
  return median(found);
}

function describePasses() {
  const list = (values, digits) => values.map((value) => round(value, digits)).join(', ');
  row(
    'length of each pass, seconds',
    list(
      spans.map(([start, end]) => end - start),
      5,
    ),
  );
  row(
    'loudness of each pass, LUFS',
    list(
      passes.map((each) => loudness(each, SAMPLE_RATE)),
      4,
    ),
  );
  row('median pause between sentences, seconds', list(passes.map((_, index) => pauses(index, 'sentence'))));
  row('median pause between paragraphs, seconds', list(passes.map((_, index) => pauses(index, 'paragraph'))));
  row('median pitch, Hz', list(passes.map(medianPitch)));
}

/** By autocorrelation of 40 ms every 100 ms, of voiced frames. */
function medianPitch(sound) {
  const [size, step] = [0.04 * SAMPLE_RATE, 0.1 * SAMPLE_RATE];
  const [shortest, longest] = [Math.round(SAMPLE_RATE / 400), Math.round(SAMPLE_RATE / 70)];
  const pitches = [];
  for (let at = 0; at + size + longest < sound.length; at += step) {
    let [best, lag] = [0, 0];
    let energy = 0;
    for (let i = 0; i < size; i++) energy += sound[at + i] ** 2;
    if (energy / size < 1e-4) continue;
    for (let shift = shortest; shift <= longest; shift++) {
      let [product, shifted] = [0, 0];
      for (let i = 0; i < size; i += 2) {
        product += sound[at + i] * sound[at + i + shift];
        shifted += sound[at + i + shift] ** 2;
      }
      const correlation = (4 * product) / (energy + 2 * shifted);
      if (correlation > best) [best, lag] = [correlation, shift];
    }
    if (best > 0.8) pitches.push(SAMPLE_RATE / lag);
  }
  return median(pitches);
}

/** The recording as a whole, and each pass alone. */
async function hear() {
  const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
  const service = await startService('hear', { env: { MODEL_SIZE: join(weights, 'whisper-base') } });
  const meant = plainWords(pass);
  const transcribe = async (sound, name) => {
    const path = join(folder, name);
    writeFileSync(path, wavFile(new Resampler(SAMPLE_RATE, HEAR_RATE).push(sound)));
    const fields = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word', language: 'en' };
    return (await postAudio(service.base, path, fields)).json();
  };
  const score = (said) => {
    const { deletions, insertions, substitutions } = count(align(meant, said), meant, said);
    return { wrong: deletions + insertions + substitutions, deletions };
  };
  const show = (scores) => {
    const shares = scores.map(({ wrong }) => `${round((100 * wrong) / meant.length, 3)}`);
    return `${shares.join(', ')} %; words missing: ${scores.map(({ deletions }) => deletions).join(', ')} of ${meant.length} each`;
  };
  try {
    const alone = [];
    for (const [index, sound] of passes.entries()) {
      alone.push(score(plainWords((await transcribe(sound, `${index}.wav`)).text)));
    }
    row('Whisper base, int8: word error rate of each pass alone', show(alone));
    const peak = megabytes(service.enginePid(), 'VmHWM');
    const started = performance.now();
    const whole = await transcribe(samples, 'hour.wav');
    const seconds = (performance.now() - started) / 1000;
    const within = spans.map((_, index) =>
      whole.words.filter(({ start }) => start >= starts[index] - 0.3 && !(start >= starts[index + 1] - 0.3)),
    );
    row(
      'word error rate of each pass in the whole recording',
      show(within.map((each) => score(each.flatMap(({ word }) => plainWords(word))))),
    );
    row(
      'the whole recording',
      `${round(seconds)} s, real-time factor ${round((seconds * SAMPLE_RATE) / samples.length)}; peak memory of the engine ${peak} MB before, ${megabytes(service.enginePid(), 'VmHWM')} MB after`,
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
