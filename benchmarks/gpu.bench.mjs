/**
 * Whisper and Kokoro on a GPU: the same results as on the CPU, and how fast. Without `--hardware` the device is SwiftShader, in
 * software: then only results are compared, and ten seconds of sound take minutes. With `--hardware` it is the system's GPU.
 *
 * `npm run benchmark gpu -- [--hardware] [--whisper <checkpoint> --recording <file>] [--kokoro <checkpoint>]
 * [--shapes base,large-v3-turbo] [--types float32,float16]`. Shapes are timed with random weights, which take as many bytes as the
 * published ones. `PYTHON` names a python with torch and transformers to compare with, `MODELS_DIR` a folder that keeps
 * compiled models, and `SAVE=1` writes the results to benchmarks/results.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readGpu } from '../dist/machine/gpu.js';
import { probeGpu } from '../dist/ort/gpu.js';
import { officialShapes, writeRandomWhisper } from '../scripts/random-whisper.mjs';
import { unpackSwiftShader } from '../test/fixtures/swiftshader.mjs';
import { round, save } from './measure.mjs';

/** Windows decoded together on each device. */
const WINDOWS = { cpu: '1,8', gpu: '1,8,32' };

const { values: options } = parseArgs({
  options: {
    hardware: { type: 'boolean' },
    whisper: { type: 'string' },
    recording: { type: 'string' },
    kokoro: { type: 'string' },
    shapes: { type: 'string' },
    types: { type: 'string', default: 'float32,float16' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const modelsDir = process.env.MODELS_DIR ?? folder;
const threads = process.env.THREADS ?? String(availableParallelism());
const software = options.hardware ? undefined : unpackSwiftShader();
const rows = [];
const add = (what, value) => {
  rows.push([what, value]);
  console.log(`${what}: ${value}`);
};

try {
  const gpu = options.hardware ? await readGpu() : null;
  if (gpu) add('GPU', `${gpu.name}, ${round(gpu.memory_total_bytes / 2 ** 30)} GiB`);
  if (options.hardware) add('float32 matrix products, speedup over the CPU', await speedup());
  if (options.whisper) await compareTexts(options.whisper, options.recording);
  if (options.kokoro) await compareSpeech(options.kokoro);
  for (const shape of options.shapes?.split(',') ?? []) await timeShape(shape);
  if (process.env.SAVE === '1') save(import.meta.url, rows);
} finally {
  for (const each of [folder, software?.folder]) if (each) rmSync(each, { recursive: true, force: true });
}

async function speedup() {
  const found = await probeGpu({ threads: Number(threads) });
  return 'reason' in found ? found.reason : `${round(found.speedup)} times${found.float16 ? '; supports float16' : ''}`;
}

/** Runs a program that prints JSON. @param env settings in addition to those of this process */
function run(program, parameters, env = {}) {
  const settings = { env: { ...process.env, ...env }, maxBuffer: 2 ** 28 };
  const command = program.endsWith('.py') ? process.env.PYTHON : process.execPath;
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(program, import.meta.url));
    // It may end by a signal; only its output shows whether it finished.
    execFile(command, [path, ...parameters], settings, (_, output, log) =>
      output === '' ? reject(new Error(log)) : resolve(JSON.parse(output)),
    );
  });
}

/** Runs one of our programs on a device. */
function runOn(device, program, parameters) {
  return run(program, [device, ...parameters], device === 'webgpu' ? software?.env : {});
}

async function compareTexts(checkpoint, recording) {
  const parameters = [checkpoint, modelsDir, recording];
  const cpu = await runOn('cpu', '../test/fixtures/whisper-on.mjs', parameters);
  for (const type of options.hardware ? ['float32', 'float16'] : ['float32']) {
    const gpu = await runOn('webgpu', '../test/fixtures/whisper-on.mjs', [...parameters, type]);
    const isSame = cpu.text === gpu.text;
    const differences = cpu.logprobs.map((logprob, index) => Math.abs(logprob - gpu.logprobs[index]));
    const difference = isSame ? `, log probabilities within ${Math.max(...differences).toExponential(1)}` : '';
    add(`Whisper in ${type} against the CPU`, `${isSame ? 'the same text' : `another text: ${gpu.text}`}${difference}`);
  }
}

async function compareSpeech(checkpoint) {
  const program = options.hardware ? 'gpu/kokoro-speed.mjs' : '../test/fixtures/kokoro-on.mjs';
  const parameters = [checkpoint, modelsDir, threads];
  const [cpu, gpu] = [await runOn('cpu', program, parameters), await runOn('webgpu', program, parameters)];
  const samples = ({ samples }) => new Float32Array(new Uint8Array(Buffer.from(samples, 'base64')).buffer);
  add('Kokoro against the CPU', `signal-to-noise ratio ${round(signalToNoise(samples(cpu), samples(gpu)))} dB`);
  if (!options.hardware) return;
  for (const [device, { seconds, prepareMs, generateMs }] of [
    ['CPU', cpu],
    ['GPU', gpu],
  ]) {
    const speed = (1000 * seconds) / (prepareMs + generateMs);
    const parts = `${round(prepareMs)} ms before the generator, ${round(generateMs)} ms in it`;
    add(`Kokoro on the ${device}, ${round(seconds)} s of speech`, `${round(speed)} times real time: ${parts}`);
  }
}

function signalToNoise(expected, actual) {
  let signal = 0;
  let noise = 0;
  for (const [index, sample] of expected.entries()) {
    signal += sample ** 2;
    noise += (actual[index] - sample) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

async function timeShape(shape) {
  const checkpoint = join(folder, shape);
  writeRandomWhisper(checkpoint, officialShapes[shape]);
  const timed = async (name, measurement) => {
    const { firstMs, steps } = await measurement;
    const each = Object.entries(steps).map(([count, ms]) => `${count}: ${round(ms)} ms`);
    add(`${shape}, ${name}: first token of a window of 30 s`, `${round(firstMs)} ms`);
    add(`${shape}, ${name}: one decoder step, by number of windows`, each.join(', '));
  };
  const ours = (device, type) => [type, checkpoint, modelsDir, device === 'cpu' ? WINDOWS.cpu : WINDOWS.gpu, threads];
  const program = 'gpu/whisper-steps.mjs';
  await timed(`CPU, int8, ${threads} threads`, runOn('cpu', program, ours('cpu', 'int8')));
  for (const type of options.types.split(','))
    await timed(`GPU, ${type}`, runOn('webgpu', program, ours('webgpu', type)));
  if (!process.env.PYTHON) return;
  await timed('PyTorch on CUDA, float16', run('gpu/pytorch-steps.py', [checkpoint, 'float16', WINDOWS.gpu]));
}
