/**
 * How much faster is our voice activity graph than the published one? One thread, half a minute of speech, both in turn;
 * ours in the decoder's chunks, the published one frame by frame, as designed.
 */
import './as-engine.mjs';
import { cpu } from '../dist/ort/device.js';
import { float32, int64, Session } from '../dist/ort/session.js';
import { FRAME, SAMPLE_RATE } from '../dist/vad/frames.js';
import { publishedModel, VoiceActivityModel } from '../dist/vad/silero.js';
import { median, readWav, recording, round, save } from './measure.mjs';

const ROUNDS = 9;
const CONTEXT = 64;
const CHUNK = 15 * FRAME;

const samples = readWav(recording('two_cities.wav')).slice(0, 60 * CHUNK);
const ours = await VoiceActivityModel.load(cpu());
const published = await Session.load(publishedModel(), cpu());

async function runOurs() {
  const detector = ours.detector();
  const probabilities = [];
  for (let at = 0; at < samples.length; at += CHUNK) {
    probabilities.push(...(await detector.next(samples.subarray(at, at + CHUNK))));
  }
  return probabilities;
}

async function runPublished() {
  const input = new Float32Array(CONTEXT + FRAME);
  const sr = int64(SAMPLE_RATE, []);
  let state = float32(new Float32Array(256), [2, 1, 128]);
  const probabilities = [];
  for (let at = 0; at < samples.length; at += FRAME) {
    input.copyWithin(0, FRAME);
    input.set(samples.subarray(at, at + FRAME), CONTEXT);
    const outputs = await published.run({ input: float32(input, [1, input.length]), state, sr });
    state = outputs.stateN;
    probabilities.push(outputs.output.data[0]);
  }
  return probabilities;
}

const times = { ours: [], published: [] };
let difference = 0;
for (let index = 0; index <= ROUNDS; index++) {
  const started = performance.now();
  const mine = await runOurs();
  const middle = performance.now();
  const theirs = await runPublished();
  const ended = performance.now();
  difference = Math.max(...mine.map((probability, frame) => Math.abs(probability - theirs[frame])));
  // The first round warms up.
  if (index === 0) continue;
  times.ours.push(middle - started);
  times.published.push(ended - middle);
}
const [mine, theirs] = [median(times.ours), median(times.published)];
const seconds = round(samples.length / SAMPLE_RATE);
save(import.meta.url, [
  [
    `${seconds} s of speech`,
    `${round(mine)} ms, published ${round(theirs)} ms, ${round(theirs / mine, 2)} times as fast`,
  ],
  ['largest difference of a probability', String(round(difference, 1))],
]);
