/**
 * Recognizes one window of speech whenever its parent asks, as the engine does it, and answers with the seconds that it
 * took and with the transcript. `fork` it with the checkpoint, the folder of compiled models, the threads and the wav.
 */
import { loadWhisper } from '../../dist/models/whisper/runtime/recognizer.js';
import { cpu } from '../../dist/ort/device.js';
import { readWav } from '../measure.mjs';

const [, , checkpoint, modelsDir, threads, path] = process.argv;
const recognizer = await loadWhisper({
  checkpoint,
  name: 'peers',
  computeType: 'int8',
  modelsDir,
  device: cpu({ threads: Number(threads) }),
  timeoutMs: 600_000,
  beamSize: 1,
});
const samples = readWav(path);
const whole = { start: 0, end: samples.length };
const probabilities = new Float32Array(Math.ceil(samples.length / 512)).fill(1);

process.on('message', async () => {
  // The peers are not asked for the times of words either.
  const job = { path, task: 'transcribe', language: 'en', textOnly: true, maxAudioSeconds: 30 };
  const started = performance.now();
  const { segments } = await recognizer.recognize(
    { ...whole, samples: samples.slice(), speech: [whole], probabilities },
    { job, signal: new AbortController().signal },
  );
  const seconds = (performance.now() - started) / 1000;
  process.send({ seconds, text: segments.map(({ text }) => text).join('') });
});
process.send('ready');
