/**
 * Times Whisper on a device, in windows of 30 s that are decoded together: `node benchmarks/gpu/whisper-steps.mjs <device>
 * <compute type> <checkpoint> <folder of compiled models> <numbers of windows, by commas> <threads>`. Prints JSON.
 */
import { compileWhisper } from '../../dist/models/whisper/graph/compile.js';
import { WhisperModel } from '../../dist/models/whisper/runtime/model.js';
import { cpu, webgpu } from '../../dist/ort/device.js';
import { median } from '../measure.mjs';

/** End of text in multilingual vocabularies. */
const END_OF_TEXT = 50_257;
const STEPS = 40;
const WARM_UP = 8;
const ROUNDS = 5;

const [name, computeType, checkpoint, modelsDir, counts, threads] = process.argv.slice(2);
const device = name === 'cpu' ? cpu({ threads: Number(threads) }) : webgpu({ float16: computeType === 'float16' });
const windows = counts.split(',').map(Number);
const compiled = await compileWhisper({ checkpoint, modelsDir, device, computeType, endOfText: END_OF_TEXT });
const started = performance.now();
const model = await WhisperModel.load(compiled, { windows: Math.max(...windows) });
const loadSeconds = (performance.now() - started) / 1000;
const { mels, audioPositions } = model.configuration;
const mel = Float32Array.from({ length: mels * 2 * audioPositions }, (_, index) => Math.sin(index * 0.37));

/** Encodes a window and decodes its start. */
async function begin() {
  const audio = await model.encode(mel, { owner: 'benchmark' });
  const decoder = model.decode(audio, { attention: false });
  await decoder.start([1, 2, 3, 4], 0);
  return { audio, decoder };
}

const firsts = [];
for (let round = 0; round <= ROUNDS; round++) {
  const from = performance.now();
  const { audio } = await begin();
  firsts.push(performance.now() - from);
  model.release(audio);
}
const steps = {};
for (const count of windows) {
  const begun = [];
  for (let index = 0; index < count; index++) begun.push(await begin());
  const times = [];
  for (let step = 0; step < STEPS; step++) {
    const from = performance.now();
    await Promise.all(begun.map(({ decoder }, index) => decoder.step([[index + step]], { summed: true })));
    times.push(performance.now() - from);
  }
  steps[count] = median(times.slice(WARM_UP));
  for (const { audio } of begun) model.release(audio);
}
process.stdout.write(JSON.stringify({ loadSeconds, firstMs: median(firsts.slice(1)), steps }));
// An orderly exit ends some drivers with a segmentation fault.
process.kill(process.pid, 'SIGKILL');
