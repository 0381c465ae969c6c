/**
 * How much faster are our Moonshine graphs than the published export they are made from? One thread, the same audio,
 * both in turn; the export returns only the outputs it needs.
 */
import './as-engine.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { compileMoonshine } from '../dist/models/moonshine/graph/compile.js';
import { MoonshineModel } from '../dist/models/moonshine/model.js';
import { cpu } from '../dist/ort/device.js';
import { median, readWav, recording, round, save } from './measure.mjs';

const LAYERS = 6;
const ROUNDS = 7;
const float32 = (data, dims) => new Tensor('float32', data, dims);

async function loadPublished() {
  const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'));
  const load = (name) =>
    InferenceSession.create(join(main, '../model/tiny/quantized', name), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
  return { encoder: await load('encoder_model.onnx'), decoder: await load('decoder_model_merged.onnx') };
}

async function runPublished({ encoder, decoder }, samples) {
  const started = performance.now();
  const { last_hidden_state } = await encoder.run({ input_values: float32(samples, [1, samples.length]) });
  const encoded = performance.now();
  const past = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const name of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      past[`past_key_values.${layer}.${name}`] = float32(new Float32Array(0), [0, 8, 1, 36]);
    }
  }
  let tokens = 0;
  for (let token = 1; token !== 2; tokens++) {
    const changing = Object.keys(past).filter((name) => tokens === 0 || name.includes('.decoder.'));
    const present = (name) => name.replace('past_key_values', 'present');
    const outputs = await decoder.run(
      {
        ...past,
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
        encoder_hidden_states: last_hidden_state,
        use_cache_branch: new Tensor('bool', [tokens > 0], [1]),
      },
      ['logits', ...changing.map(present)],
    );
    const logits = outputs.logits.data;
    token = 0;
    for (let index = 1; index < logits.length; index++) if (logits[index] > logits[token]) token = index;
    for (const name of changing) past[name] = outputs[present(name)];
  }
  return { encode: encoded - started, step: (performance.now() - encoded) / tokens, tokens };
}

async function runOurs(model, samples) {
  const started = performance.now();
  const state = await model.encode(samples);
  const encoded = performance.now();
  let tokens = 0;
  for (let token = 1; token !== 2; tokens++) ({ token } = await state.step(token));
  return { encode: encoded - started, step: (performance.now() - encoded) / tokens, tokens };
}

const modelsDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const published = await loadPublished();
const int8 = await MoonshineModel.load(await compileMoonshine({ modelsDir, device: cpu(), computeType: 'int8' }));
const floats = await MoonshineModel.load(await compileMoonshine({ modelsDir, device: cpu(), computeType: 'float32' }));
rmSync(modelsDir, { recursive: true });
const reading = readWav(recording('two_cities.wav'));

const rows = [];
for (const seconds of [5, 10, 20]) {
  const samples = reading.slice(16_000, (1 + seconds) * 16_000);
  const runs = { published: [], int8: [], floats: [] };
  for (let index = 0; index <= ROUNDS; index++) {
    const results = {
      published: await runPublished(published, samples),
      int8: await runOurs(int8, samples),
      floats: await runOurs(floats, samples),
    };
    // The first round warms up.
    if (index > 0) for (const [name, result] of Object.entries(results)) runs[name].push(result);
  }
  const middle = (name, what) => median(runs[name].map((run) => run[what]));
  for (const [what, label] of [
    ['encode', `${seconds} s of speech: encoder`],
    ['step', `${seconds} s of speech: one token`],
  ]) {
    const reference = middle('published', what);
    for (const [name, title] of [
      ['int8', 'int8'],
      ['floats', 'float32'],
    ]) {
      const ours = middle(name, what);
      rows.push([
        `${label}, ours in ${title}`,
        `${round(ours)} ms, export ${round(reference)} ms, ${round(reference / ours, 2)} times as fast`,
      ]);
    }
  }
}
save(import.meta.url, rows);
