/**
 * Times Kokoro on a device: `node benchmarks/gpu/kokoro-speed.mjs <device> <checkpoint> <folder of compiled models> <threads>`.
 * Prints JSON, samples included.
 */
import { compileKokoro, loadCompiledKokoro } from '../../dist/models/kokoro/runtime/load.js';
import { cpu, webgpu } from '../../dist/ort/device.js';
import { median } from '../measure.mjs';

const ROUNDS = 5;
/** Of a sentence of some five seconds. */
const PHONEMES = 60;
const SAMPLE_RATE = 24_000;

const [name, checkpoint, modelsDir, threads] = process.argv.slice(2);
const device = name === 'cpu' ? cpu({ threads: Number(threads) }) : webgpu({ threads: Number(threads) });
const compiled = await compileKokoro({
  checkpoint,
  modelsDir,
  device,
  form: name === 'cpu' ? 'winograd' : 'direct',
});
const model = await loadCompiledKokoro(compiled);
const style = Float32Array.from({ length: 2 * compiled.configuration.style }, (_, index) => 0.3 * Math.sin(index));
const tokens = [...compiled.configuration.tokens.values()];
const phonemes = Array.from({ length: PHONEMES }, (_, index) => tokens[(7 * index) % tokens.length]);
const times = { prepare: [], generate: [] };
let samples;
for (let round = 0; round <= ROUNDS; round++) {
  const started = performance.now();
  const phrase = await model.prepare(phonemes, style, { speed: 1, seed: 1 });
  const prepared = performance.now();
  samples = await model.generate(phrase.encoded, phrase.alignment, phrase, style);
  times.prepare.push(prepared - started);
  times.generate.push(performance.now() - prepared);
}
process.stdout.write(
  JSON.stringify({
    seconds: samples.length / SAMPLE_RATE,
    // The first round warms up.
    prepareMs: median(times.prepare.slice(1)),
    generateMs: median(times.generate.slice(1)),
    samples: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64'),
  }),
  // An orderly exit ends some drivers with a segmentation fault.
  () => process.kill(process.pid, 'SIGKILL'),
);
