/**
 * How well does Kokoro speak with official weights? Whisper base listens to sentences of six kinds, to names from other
 * languages, all in the list of src/text/english/g2p/borrowed, and to answers of a few words in three voices, and to seven other
 * languages; English words that sound the same count as the same. Word times are compared with two aligners, and the
 * loudness of the voices is measured.
 *
 * `npm run benchmark voice-quality -- WEIGHTS`, or the environment variable WEIGHTS: a directory with the checkpoints
 * `kokoro` and `whisper-base`. PYTHON names a Python with kokoro-onnx, faster-whisper, pocketsphinx, speechmos and librosa,
 * `kokoro.onnx` in WEIGHTS is kokoro-onnx's export of the same weights, and `ct2-base` is what faster-whisper reads; what is
 * missing is left out. `misaki` in WEIGHTS holds the lexicons that `npm run fetch -- kokoro` downloads; say tries to download them
 * otherwise. SENTENCES limits the sentences of each kind, VOICES names other voices, INT8=1 compares say in floats with say in 8 bits,
 * and SHOW=1 prints what was heard. It takes four hours of CPU time. KEEP names a folder for what was heard in each speech: a run
 * that was interrupted goes on, and a later one with the same listeners and peer only listens to what say speaks otherwise.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loudness } from '../dist/audio/loudness.js';
import { spokenText } from '../dist/text/english/normalize.js';
import { defaultNormalization } from '../dist/text/normalization.js';
import { isUnspaced, tokens } from './accuracy/normalize.mjs';
import { KeptAnswers } from './kept-answers.mjs';
import { LinePeer } from './line-peer.mjs';
import { median, percentile, round, save } from './measure.mjs';
import { startService } from './service.mjs';
import { SAMPLE_RATE } from './speech-request.mjs';
import { errors } from './word-errors.mjs';

const weights = process.argv[2] ?? process.env.WEIGHTS;
if (!weights) throw new Error('Name the directory of the weights.');
const { PYTHON, SENTENCES = '1000', KEEP } = process.env;
const kept = new KeptAnswers(KEEP && join(KEEP, 'answers.jsonl'));
const voices = (process.env.VOICES ?? 'af_heart,am_michael,bf_emma').split(',');
const languages = {
  es: { name: 'Spanish', voices: ['ef_dora', 'em_alex'], peer: 'es' },
  pt: { name: 'Portuguese', voices: ['pf_dora', 'pm_alex'], peer: 'pt-br' },
  it: { name: 'Italian', voices: ['if_sara', 'im_nicola'], peer: 'it' },
  fr: { name: 'French', voices: ['ff_siwis'], peer: 'fr-fr' },
  ja: { name: 'Japanese', voices: ['jf_alpha', 'jm_kumo'], peer: 'ja' },
  zh: { name: 'Mandarin', voices: ['zf_xiaobei', 'zm_yunjian'], peer: 'cmn' },
  hi: { name: 'Hindi', voices: ['hf_alpha', 'hm_omega'], peer: 'hi' },
};
/** Whisper base writes Hindi in Arabic script unless a prompt shows it Devanagari. */
const prompts = { hi: 'यह हिन्दी में है।' };

/** Names from other languages, and what assistants say; neither is counted with the six kinds. */
const otherKinds = ['borrowed names', 'one word', 'a few words'];
const sentences = {};
for (const line of readFileSync(new URL('./voice-quality-sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')) {
  const [kind, text] = line.split('\t');
  sentences[kind] ??= [];
  if (sentences[kind].length < Number(SENTENCES)) sentences[kind].push(text);
}

const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const models = join(scratch, 'models');
mkdirSync(models);
const hasLexicons = existsSync(join(weights, 'misaki'));
if (hasLexicons) symlinkSync(resolve(weights, 'misaki'), join(models, 'misaki'));
const env = { TTS_MODEL: join(weights, 'kokoro'), MODELS_DIR: models };
const say = await startService('say', { env: { ...env, ...(process.env.INT8 && { COMPUTE_TYPE: 'float32' }) } });
const inBytes = process.env.INT8 && (await startService('say', { env: { ...env, COMPUTE_TYPE: 'int8' } }));
const hear = await startService('hear', { env: { MODEL_SIZE: join(weights, 'whisper-base') } });
const peer =
  PYTHON && (await LinePeer.start(PYTHON, '../scripts/kokoro-onnx-text.py', join(weights, 'kokoro.onnx'), '2'));
const aligner = PYTHON && (await LinePeer.start(PYTHON, '../scripts/word-times.py', join(weights, 'ct2-base')));
const listener = PYTHON && (await LinePeer.start(PYTHON, '../scripts/speech-mos.py'));
const file = join(scratch, 'speech.raw');

/** 16-bit samples at 24 kHz, and captions. */
async function ours(text, voice, { base } = say) {
  const response = await fetch(`${base}/dev/captioned_speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: text, voice, response_format: 'pcm', stream: false }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { audio, timestamps } = await response.json();
  return { pcm: Buffer.from(audio, 'base64'), timestamps };
}

async function theirs(text, voice, lang) {
  await peer.ask({ text, voice, lang, path: file });
  return readFileSync(file);
}

async function heard(pcm, language) {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, SAMPLE_RATE],
    [28, 2 * SAMPLE_RATE],
    [40, pcm.length],
  ])
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ])
    head.writeUInt16LE(value, at);
  head.write('data', 36);
  const form = new FormData();
  form.set('file', new Blob([head, pcm]), 'speech.wav');
  form.set('language', language);
  if (prompts[language]) form.set('prompt', prompts[language]);
  const response = await fetch(`${hear.base}/v1/audio/transcriptions`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).text;
}

class Score {
  wrong = 0;
  total = 0;
  add(wrong, total) {
    this.wrong += wrong;
    this.total += total;
  }
  toString() {
    return `${round((100 * this.wrong) / this.total, 3)} %`;
  }
}

/**
 * Sounds of words for English, since nobody hears a difference between Catherine and Katherine; read out on both sides, so
 * that `4-2` is four to two, and 6.45 the listener's way to write 6:45. Characters for other languages.
 */
async function unitsOf(text, language) {
  if (language !== 'en') return [...tokens(text, language).join(isUnspaced(language) ? '' : ' ')];
  const words = tokens(spokenText(text.replace(/(\d):(\d\d)/g, '$1.$2'), defaultNormalization), 'en');
  const sounds = [];
  for (const word of words) sounds.push(await soundOf(word));
  return sounds;
}

const knownSounds = new Map();

/** The phonemes of a word by itself, without stress. */
async function soundOf(word) {
  if (!knownSounds.has(word)) {
    const response = await fetch(`${say.base}/dev/phonemize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: word, language: 'a' }),
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    knownSounds.set(word, (await response.json()).phonemes.replace(/[ˈˌ]/g, ''));
  }
  return knownSounds.get(word);
}

const newScores = () => ({ ours: new Score(), inBytes: new Score(), theirs: new Score() });

/** Predicted mean opinion scores of the English speech. */
const opinions = { ours: [], inBytes: [], theirs: [] };

/** What is heard in a speech, and the opinion of the listener if it is in English and there is one. */
async function listen(pcm, language) {
  const said = await heard(pcm, language);
  if (!listener || language !== 'en') return { said };
  writeFileSync(file, pcm);
  return { said, opinion: await listener.ask({ path: file }) };
}

/** Adds the transcripts of our speech and of the peer's to scores. */
async function compare(language, { text, voice, pcm, lang }, scores) {
  const meant = await unitsOf(text, language);
  const listeners = [language, listener ? 'with an opinion' : ''];
  const listenToOurs = (pcm) => kept.get(['ours', ...listeners, pcm], () => listen(pcm, language));
  const heardBy = { ours: await listenToOurs(pcm) };
  if (inBytes) heardBy.inBytes = await listenToOurs((await ours(text, voice, inBytes)).pcm);
  if (peer) {
    const question = ['theirs', ...listeners, text, voice, lang];
    heardBy.theirs = await kept.get(question, async () => listen(await theirs(text, voice, lang), language));
  }
  for (const [system, { said, opinion }] of Object.entries(heardBy)) {
    const wrong = errors(await unitsOf(said, language), meant);
    for (const score of scores) score[system].add(wrong, meant.length);
    if (opinion) opinions[system].push(opinion);
    if (process.env.SHOW && wrong > 0) console.log(`${system}, ${voice}: ${text} → ${said.trim()}`);
  }
}

const rows = [];
const row = (label, value) => {
  rows.push([label, value]);
  console.log(`${label}: ${value}`);
};
const compared = (scores) =>
  [scores.ours, inBytes && `in 8 bits ${scores.inBytes}`, peer && `kokoro-onnx ${scores.theirs}`]
    .filter(Boolean)
    .join('; ');

const starts = { sphinx: [], whisper: [] };
const ends = { sphinx: [], whisper: [] };
const early = [];

/** Differences of word times, matched by word in order. */
async function compareTimes(pcm, timestamps) {
  const plain = (word) => word.toLowerCase().replace(/[^a-z']/g, '');
  const spoken = timestamps.map(({ word }) => plain(word)).filter((word) => word !== '');
  const answer = await kept.get(['times', pcm, ...spoken], () => {
    writeFileSync(file, pcm);
    return aligner.ask({ path: file, words: spoken });
  });
  for (const [name, words] of Object.entries(answer)) {
    let next = 0;
    for (const [index, { word, start_time, end_time }] of timestamps.entries()) {
      const found = words.findIndex(([other], at) => at >= next && at < next + 4 && plain(other) === plain(word));
      if (found < 0) continue;
      next = found + 1;
      starts[name].push(start_time - words[found][1]);
      ends[name].push(end_time - words[found][2]);
      const pause = start_time - (timestamps[index - 1]?.end_time ?? start_time);
      if (name === 'sphinx' && pause > 0.1) early.push(words[found][1] - start_time);
    }
  }
}

row(
  'English pronunciations from',
  hasLexicons ? "misaki's lexicons" : 'lexicons as downloaded, or the dictionary of the package',
);
const levels = new Map();
const all = newScores();

/** Compares the English texts of a kind; adds them to the scores of all kinds if those are given. */
async function compareKind(kind, noun, total = []) {
  const scores = newScores();
  for (const text of sentences[kind]) {
    for (const voice of voices) {
      const { pcm, timestamps } = await ours(text, voice);
      const lang = voice.startsWith('b') ? 'en-gb' : 'en-us';
      await compare('en', { text, voice, pcm, lang }, [scores, ...total]);
      if (aligner && kind === 'prose') await compareTimes(pcm, timestamps);
    }
  }
  row(`${kind}, ${sentences[kind].length} ${noun} in ${voices.length} voices: word error rate`, compared(scores));
}

for (const kind of Object.keys(sentences).filter((kind) => !(kind in languages || otherKinds.includes(kind)))) {
  await compareKind(kind, 'sentences', [all]);
}
row('all six kinds: word error rate', compared(all));
if (listener) {
  const mean = (system, key) => {
    const scores = opinions[system].map((opinion) => opinion[key]);
    return round(scores.reduce((sum, score) => sum + score, 0) / scores.length, 3);
  };
  const scoresOf = (key) =>
    compared({ ours: mean('ours', key), inBytes: inBytes && mean('inBytes', key), theirs: mean('theirs', key) });
  row(`predicted mean opinion score of ${opinions.ours.length} sentences, 1 to 5 (DNSMOS P.835)`, scoresOf('overall'));
  row('the same by DNSMOS P.808', scoresOf('quality'));
}
for (const kind of otherKinds) await compareKind(kind, 'texts');

for (const [code, { name, voices, peer: lang }] of Object.entries(languages)) {
  const scores = newScores();
  for (const text of sentences[code]) {
    for (const voice of voices)
      await compare(code, { text, voice, pcm: (await ours(text, voice)).pcm, lang }, [scores]);
  }
  row(
    `${name}, ${sentences[code].length} sentences in ${voices.length} voice${voices.length === 1 ? '' : 's'}: character error rate`,
    compared(scores),
  );
}

const ms = (seconds) => Math.round(1000 * seconds);
for (const name of Object.keys(starts).filter((name) => starts[name].length > 0)) {
  const far = (values) => ms(percentile(values.map(Math.abs), 0.95));
  row(
    `word times against ${name === 'sphinx' ? 'pocketsphinx' : 'faster-whisper'}, ${starts[name].length} words`,
    `starts ${ms(median(starts[name]))} ms (median; p95 of the absolute difference ${far(starts[name])} ms), ends ${ms(median(ends[name]))} ms (${far(ends[name])} ms)`,
  );
}
if (early.length > 0)
  row(`${early.length} words after a pause, against pocketsphinx`, `at most ${ms(Math.max(...early))} ms early`);

const listed = await (await fetch(`${say.base}/v1/audio/voices?legacy=true`)).json();
const chosen =
  SENTENCES === '1000'
    ? listed
    : [...new Set([...voices, ...Object.values(languages).flatMap(({ voices }) => voices)])];
for (const voice of chosen) {
  const { pcm } = await ours('The morning train was late again, and nobody on the platform seemed to mind.', voice);
  const samples = Float32Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(2 * index) / 32768);
  levels.set(voice, loudness(samples, SAMPLE_RATE));
}
const sorted = [...levels.values()].sort((a, b) => a - b);
row(`loudness of ${sorted.length} voices`, `${sorted[0].toFixed(1)} to ${sorted.at(-1).toFixed(1)} LUFS`);

for (const service of [say, inBytes, hear]) if (service) await service.stop();
for (const each of [peer, aligner, listener]) if (each) await each.end();
rmSync(scratch, { recursive: true });
save(import.meta.url, rows, process.env.INT8 && 'int8');
