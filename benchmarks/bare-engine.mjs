/** hear's engine in a process without HTTP: transcribes each path it receives and replies with the seconds taken. */
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { decodeAudio } from '../dist/audio/decode.js';
import { TranscriptionPipeline } from '../dist/hear/pipeline/transcription.js';
import { loadMoonshine } from '../dist/models/moonshine/recognizer.js';
import { cpu } from '../dist/ort/device.js';
import { VoiceActivityModel } from '../dist/vad/silero.js';

// The same priority as the service, so that other load affects both equally.
setPriority(getPriority() + 5);
const device = cpu({ threads: availableParallelism() });
const [recognizer, voiceActivity] = await Promise.all([
  loadMoonshine({
    device,
    computeType: 'int8',
    modelsDir: process.argv[2],
    timeoutMs: 600_000,
  }),
  VoiceActivityModel.load(device),
]);
const engine = new TranscriptionPipeline(recognizer, voiceActivity, decodeAudio);
const never = new AbortController().signal;

process.on('message', async (path) => {
  const started = performance.now();
  let text = '';
  for await (const event of engine.run({ path, task: 'transcribe', maxAudioSeconds: 14_400 }, never)) {
    if (event.type === 'segment') text += event.segment.text;
  }
  process.send({ seconds: (performance.now() - started) / 1000, text: text.trim() });
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send('ready');
