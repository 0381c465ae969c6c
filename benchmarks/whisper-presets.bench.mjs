/**
 * Cost of each Whisper preset at its true shape, with random weights: time to compile, time to start from the cache,
 * memory, one window. `npm run benchmark whisper-presets` runs all seven and writes up to 10 GB of temporary files;
 * `node benchmarks/whisper-presets.bench.mjs small float32` runs the named presets and compute types.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineEnvironment } from '../dist/engine/process.js';
import { officialShapes, writeRandomWhisper } from '../scripts/random-whisper.mjs';
import { median, round, save, savedRows } from './measure.mjs';

const STEPS = 63;
const WINDOWS = 3;
/** Random numbers that the weights repeat: a prime count, so that no two rows are equal. */
const BLOCK = 1_048_573;
/** End of text in multilingual vocabularies. */
const END_OF_TEXT = 50_257;
const threads = Number(process.env.THREADS ?? availableParallelism());

/** Megabytes of this process: `RssAnon` without mapped files, `VmHWM` the peak with them. */
function memory(field) {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
}

/** Each measurement in its own process, with an engine's environment. */
function measure(task) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = fork(fileURLToPath(import.meta.url), {
      env: { ...engineEnvironment(), WHISPER_TASK: JSON.stringify(task) },
    });
    let result = {};
    let ready;
    child.on('message', (message) => {
      if (message === 'ready') ready = performance.now() - started;
      else result = message;
    });
    child.on('exit', (code) =>
      code === 0 ? resolve({ ...result, ready }) : reject(new Error(`It ended with ${code}`)),
    );
  });
}

async function perform({ step, checkpoint, computeType, modelsDir }) {
  const { compileWhisper } = await import('../dist/models/whisper/graph/compile.js');
  const { WhisperModel } = await import('../dist/models/whisper/runtime/model.js');
  const { cpu } = await import('../dist/ort/device.js');
  const started = performance.now();
  const device = cpu({ threads });
  const compiled = await compileWhisper({ checkpoint, modelsDir, device, computeType, endOfText: END_OF_TEXT });
  if (step === 'compile') return { compile: performance.now() - started, peak: memory('VmHWM') };
  const model = await WhisperModel.load(compiled);
  process.send('ready');
  const load = performance.now() - started;
  const loaded = memory('RssAnon');
  const { mels, audioPositions } = model.configuration;
  const mel = Float32Array.from({ length: mels * 2 * audioPositions }, (_, index) => Math.sin(index * 0.37));
  const encodes = [];
  const steps = [];
  for (let window = 0; window <= WINDOWS; window++) {
    const begin = performance.now();
    const audio = await model.encode(mel);
    const decoder = model.decode(audio);
    const encoded = performance.now();
    await decoder.start([1, 2, 3, 4], 0);
    for (let token = 1; token < STEPS; token++) await decoder.step([[token]], { summed: true });
    // The first window warms up.
    if (window > 0) {
      encodes.push(encoded - begin);
      steps.push(performance.now() - encoded);
    }
    model.release(audio);
  }
  return { load, loaded, encode: median(encodes), steps: median(steps), used: memory('RssAnon') };
}

async function main() {
  const named = process.argv.slice(2);
  const chosen = (all) => (all.some((name) => named.includes(name)) ? all.filter((name) => named.includes(name)) : all);
  const rows = [];
  for (const preset of chosen(Object.keys(officialShapes))) {
    const folder = mkdtempSync(join(tmpdir(), 'hearsay-presets-'));
    try {
      const checkpoint = join(folder, 'checkpoint');
      writeRandomWhisper(checkpoint, { ...officialShapes[preset], block: BLOCK });
      for (const computeType of chosen(['int8', 'float32'])) {
        const modelsDir = join(folder, computeType);
        const task = { checkpoint, computeType, modelsDir };
        const compiled = await measure({ ...task, step: 'compile' });
        const run = await measure({ ...task, step: 'run' });
        rows.push([`${preset}, ${computeType}`, describe(compiled, run, sizeOf(modelsDir))]);
        console.log(...rows.at(-1));
        rmSync(modelsDir, { recursive: true });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  // Keep earlier figures of presets that did not run.
  const before = named.length > 0 ? savedRows(import.meta.url) : [];
  const results = new Map([...before, ...rows]);
  const order = Object.keys(officialShapes).flatMap((preset) => [`${preset}, int8`, `${preset}, float32`]);
  save(
    import.meta.url,
    order.filter((name) => results.has(name)).map((name) => [name, results.get(name)]),
  );
}

function describe({ compile, peak }, run, bytes) {
  const seconds = (ms) => `${round(ms / 1000)} s`;
  const megabytes = (value) => `${Math.round(value)} MB`;
  return [
    `compiled in ${seconds(compile)} with ${megabytes(peak)} of memory, to ${megabytes(bytes / 2 ** 20)} on disk`,
    `started from the cache in ${seconds(run.ready)} (model ${seconds(run.load)})`,
    `memory ${megabytes(run.loaded)} when loaded, ${megabytes(run.used)} after ${WINDOWS + 1} windows`,
    `one window on ${threads} threads: encoder ${seconds(run.encode)}, ${STEPS} steps ${seconds(run.steps)}`,
  ].join('; ');
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

if (process.env.WHISPER_TASK) {
  process.send(await perform(JSON.parse(process.env.WHISPER_TASK)));
  process.disconnect();
} else await main();
