/**
 * How do the parts of a Kokoro sentence join, and how early comes the first one? Compares them with the sentence generated in
 * a single pass, whose prosody is the same: level and pitch on both sides of each joint, the pause there, and the CPU time.
 * The sentence in a single pass with another noise seed shows how far two takes are apart. Official weights, one thread.
 *
 * `npm run benchmark kokoro-joints -- CHECKPOINT`: a directory with `config.json` and `kokoro-v1_0.pth`. `SENTENCES` (12).
 */
import './as-engine.mjs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileKokoro, loadCompiledKokoro } from '../dist/models/kokoro/runtime/load.js';
import { Speaker } from '../dist/models/kokoro/runtime/speech.js';
import { kokoroSynthesizer } from '../dist/models/kokoro/runtime/synthesizer.js';
import { VoicePacks } from '../dist/models/kokoro/voices.js';
import { cpu } from '../dist/ort/device.js';
import { Chunker } from '../dist/say/pipeline/chunker.js';
import { PhonemeReader } from '../dist/say/pipeline/phoneme-reader.js';
import { Languages } from '../dist/text/languages.js';
import { defaultNormalization } from '../dist/text/normalization.js';
import { median, percentile, round, save } from './measure.mjs';
import { SAMPLE_RATE } from './speech-request.mjs';

const checkpoint = process.argv[2];
if (!checkpoint) throw new Error('Name the directory of the checkpoint.');
const VOICES = ['af_heart', 'am_michael', 'bf_emma'];
/** Phonemes of the sentence that once came first, wherever they ended. */
const CUT = 28;
/** Seconds compared on each side of a joint, beyond the cross-fade. */
const SIDE = 0.3;
const CROSSFADE = 0.02;

const SENTENCES = Number(process.env.SENTENCES ?? 12);
const KINDS = ['prose', 'numbers', 'names', 'dialogue', 'technical', 'questions'];
const english = readFileSync(new URL('./voice-quality-sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([kind]) => KINDS.includes(kind));
/** Spread over all kinds. */
const sentences = Array.from(
  { length: SENTENCES },
  (_, index) => english[Math.floor((index * english.length) / SENTENCES)][1],
);

const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const device = cpu({ threads: 1 });
const model = await loadCompiledKokoro(
  await compileKokoro({ checkpoint, modelsDir: scratch, device, form: 'winograd' }),
);
const speaker = new Speaker(model);
/** The same voice with other noise. */
const otherTake = new Speaker(
  Object.create(model, {
    prepare: { value: (phonemes, style, { speed }) => model.prepare(phonemes, style, { speed, seed: 7 }) },
    frameSamples: { get: () => model.frameSamples },
    generateFrames: { value: (phrase, chosen) => model.generateFrames(phrase, chosen) },
    configuration: { value: model.configuration },
  }),
);

/** The result of a run, and its CPU seconds. */
async function timed(run) {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

const languages = new Languages();
const frontEnd = await languages.load('a');
const tasks = [];
const synthesizer = kokoroSynthesizer({
  run: async (_owner, task) => {
    tasks.push(task);
    return { samples: new Float32Array(0), times: [] };
  },
  voices: new VoicePacks({ checkpoint: join(checkpoint, 'voices') }, 2 * model.configuration.style),
  configuration: model.configuration,
  device: 'cpu',
  computeType: 'float32',
  parallelChunks: 1,
});
const reader = new PhonemeReader(languages, synthesizer.alphabet);

/** The tasks of the first sentence of a request. */
async function tasksOf(text, voice) {
  tasks.length = 0;
  const { value: sentence } = await frontEnd.segments(text, defaultNormalization).next();
  const units = await reader.read(sentence, { language: 'a', lexicon: undefined });
  const options = { voice: [{ name: voice, weight: 1 }], owner: {}, signal: new AbortController().signal };
  for (const chunk of new Chunker(synthesizer.limits).cut(units)) await synthesizer.speak(chunk, options);
  return [...tasks];
}

/** The parts overlapped as in the output, and the sample in the middle of each joint. */
function joined(parts) {
  const joints = [];
  let length = 0;
  for (const { samples } of parts) {
    length += samples.length;
    joints.push(length + (CROSSFADE * SAMPLE_RATE) / 2);
  }
  const sound = new Float32Array(length + 1);
  let at = 0;
  for (const { samples, tail } of parts) {
    for (const [index, value] of samples.entries()) sound[at + index] += value;
    at += samples.length;
    for (const [index, value] of (tail ?? []).entries()) sound[at + index] += value;
  }
  return { sound, joints: joints.slice(0, -1) };
}

const levelOf = (sound) => 10 * Math.log10(sound.reduce((sum, value) => sum + value ** 2, 1e-12) / sound.length);

/** Hz by the peak of the autocorrelation; undefined without a voice. */
function pitchOf(sound) {
  const [shortest, longest] = [Math.round(SAMPLE_RATE / 400), Math.round(SAMPLE_RATE / 60)];
  const length = sound.length - longest;
  const products = (lag) => {
    let sum = 0;
    for (let index = 0; index < length; index += 2) sum += sound[index] * sound[index + lag];
    return sum;
  };
  let best = { lag: 0, value: 0 };
  for (let lag = shortest; lag <= longest; lag++) {
    const value = products(lag);
    if (value > best.value) best = { lag, value };
  }
  return best.value > 0.5 * products(0) ? SAMPLE_RATE / best.lag : undefined;
}

/** Seconds around a sample without sound. */
function pauseAt(sound, sample) {
  const threshold = 0.01 * sound.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  let [from, to] = [Math.round(sample), Math.round(sample)];
  while (from > 0 && Math.abs(sound[from - 1]) < threshold) from--;
  while (to < sound.length && Math.abs(sound[to]) < threshold) to++;
  return (to - from) / SAMPLE_RATE;
}

/** Samples by which one sound begins later than another that is nearly the same. */
function offsetOf(sound, reference) {
  const length = Math.min(12_000, sound.length - 1500, reference.length - 1500);
  let best = { offset: 0, value: Number.NEGATIVE_INFINITY };
  for (let offset = -600; offset <= 600; offset++) {
    let value = 0;
    for (let index = 700; index < length; index++) value += sound[index + offset] * reference[index];
    if (value > best.value) best = { offset, value };
  }
  return best.offset;
}

const differences = { parts: { pitch: [], level: [], pause: [] }, take: { pitch: [], level: [], pause: [] } };
const costs = { first: [], whole: [], all: [] };
let short = 0;
let joints = 0;
for (const text of sentences) {
  for (const voice of VOICES) {
    const given = await tasksOf(text, voice);
    const [task] = given;
    const whole = { ...task, begin: 0, end: task.phonemes.length };
    const cut = { ...whole, phonemes: task.phonemes.slice(0, CUT), owners: task.owners.slice(0, CUT) };
    cut.end = cut.phonemes.length;
    const reference = await timed(() => speaker.speak(cut));
    const inOneGo = await timed(() => speaker.speak(whole));
    const spokenParts = [];
    for (const each of given) spokenParts.push(await timed(() => speaker.speak(each)));
    if (task.phonemes.length > CUT) {
      costs.first.push(spokenParts[0].seconds / reference.seconds);
      costs.whole.push(inOneGo.seconds / reference.seconds);
    }
    costs.all.push(spokenParts.reduce((sum, { seconds }) => sum + seconds, 0) / inOneGo.seconds);
    if (given.length === 1) short++;
    const { samples } = inOneGo.result;
    const spoken = joined(spokenParts.map(({ result }) => result));
    const offsetOfParts = offsetOf(spoken.sound, samples);
    /** In the sentence in one go. */
    const places = spoken.joints.map((joint) => Math.round(joint) - offsetOfParts);
    joints += places.length;
    const other = (await otherTake.speak(whole)).samples;
    for (const [kind, sound] of [
      ['parts', spoken.sound],
      ['take', other],
    ]) {
      const offset = offsetOf(sound, samples);
      for (const at of places) {
        for (const side of [-1, 1]) {
          const near = at + (side * CROSSFADE * SAMPLE_RATE) / 2;
          const [from, to] = [near, near + side * SIDE * SAMPLE_RATE].sort((a, b) => a - b);
          const mine = sound.subarray(from + offset, to + offset);
          const theirs = samples.subarray(Math.max(0, from), to);
          if (levelOf(theirs) < -50) continue;
          differences[kind].level.push(Math.abs(levelOf(mine) - levelOf(theirs)));
          const pitches = [pitchOf(mine), pitchOf(theirs)];
          if (pitches.every(Boolean)) {
            differences[kind].pitch.push(Math.abs(1200 * Math.log2(pitches[0] / pitches[1])));
          }
        }
        differences[kind].pause.push(Math.abs(pauseAt(sound, at + offset) - pauseAt(samples, at)));
      }
    }
  }
}
rmSync(scratch, { recursive: true });

const spread = (values, digits = 2) => `${round(median(values), digits)} (${round(percentile(values, 0.9), digits)})`;
const both = (what) => `${spread(differences.parts[what])}; another noise seed ${spread(differences.take[what])}`;
const rows = [
  [
    'first sentences of requests',
    `${sentences.length * VOICES.length}, with ${joints} joints; ${short} in a single part`,
  ],
  ['level next to a joint, difference from a single pass in dB: median (p90)', both('level')],
  ['pitch next to a joint, difference from a single pass in cents', both('pitch')],
  ['pause at a joint, difference from a single pass in seconds', both('pause')],
  [
    `compute until the first audio, relative to ${CUT} phonemes`,
    `${spread(costs.first)}; in a single pass ${spread(costs.whole)}`,
  ],
  ['compute of the sentence, relative to a single pass', spread(costs.all)],
];
save(import.meta.url, rows);
