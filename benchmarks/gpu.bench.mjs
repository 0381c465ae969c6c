/**
 * Does a GPU give what the CPU gives? Whisper transcribes a recording of at most 30 s and Kokoro speaks six frames, in
 * float32, on the CPU and on the device; prints texts, log probabilities, decibels and seconds of the CPU. Without
 * `--hardware` the device is SwiftShader, in software: then only the results count, and ten seconds take minutes. With
 * `--hardware` it is the system's GPU.
 *
 * `npm run benchmark gpu -- [--hardware] --whisper <checkpoint> --recording <file> --kokoro <checkpoint>`; a model without a
 * checkpoint is left out. Compiled models are kept in `MODELS_DIR`, if set.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { unpackSwiftShader } from '../test/fixtures/swiftshader.mjs';

const { values: options } = parseArgs({
  options: {
    hardware: { type: 'boolean' },
    whisper: { type: 'string' },
    recording: { type: 'string' },
    kokoro: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const modelsDir = process.env.MODELS_DIR ?? folder;
const software = options.hardware ? undefined : unpackSwiftShader();

try {
  if (options.whisper) compareTexts(await onEach('whisper-on.mjs', options.whisper, modelsDir, options.recording));
  if (options.kokoro) compareSamples(await onEach('kokoro-on.mjs', options.kokoro, modelsDir));
} finally {
  for (const each of [folder, software?.folder]) if (each) rmSync(each, { recursive: true, force: true });
}

/** Runs a program on the CPU and on the device; returns what it prints. */
async function onEach(program, ...parameters) {
  const path = fileURLToPath(new URL(`../test/fixtures/${program}`, import.meta.url));
  const run = (device, env) =>
    new Promise((resolve, reject) => {
      const settings = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
      // It ends by a signal: only what it prints tells whether it came to its end.
      execFile(process.execPath, [path, device, ...parameters], settings, (_, output, log) =>
        output === '' ? reject(new Error(log)) : resolve(JSON.parse(output)),
      );
    });
  return { cpu: await run('cpu', {}), webgpu: await run('webgpu', software?.env) };
}

function compareTexts({ cpu, webgpu }) {
  const differences = cpu.logprobs.map((logprob, index) => Math.abs(logprob - webgpu.logprobs[index]));
  console.log(`Whisper: ${cpu.text === webgpu.text ? 'the same text' : `another text than on the CPU,\n${cpu.text}`}`);
  console.log(`${webgpu.text}\nlog probabilities differ by ${Math.max(...differences).toExponential(1)} at most`);
  console.log(
    `seconds of the CPU: ${cpu.cpuSeconds.toFixed(1)} without, ${webgpu.cpuSeconds.toFixed(1)} with the device`,
  );
}

function compareSamples(outputs) {
  const [expected, actual] = [outputs.cpu, outputs.webgpu].map(
    ({ samples }) => new Float32Array(new Uint8Array(Buffer.from(samples, 'base64')).buffer),
  );
  let signal = 0;
  let noise = 0;
  for (const [index, sample] of expected.entries()) {
    signal += sample ** 2;
    noise += (actual[index] - sample) ** 2;
  }
  console.log(`Kokoro: ${(10 * Math.log10(signal / noise)).toFixed(1)} dB of signal to noise against the CPU`);
}
