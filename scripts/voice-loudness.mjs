/**
 * Measures how loud each published voice of Kokoro is, and writes src/models/kokoro/runtime/published-loudness.ts.
 *
 * `npm run build && node scripts/voice-loudness.mjs CHECKPOINT`: a directory with `config.json` and `kokoro-v1_0.pth`. Each
 * voice speaks the sentences of its language in benchmarks/voice-quality-sentences.txt, British ones the American ones.
 */
import '../benchmarks/as-engine.mjs';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loudness } from '../dist/audio/loudness.js';
import { SAMPLE_RATE } from '../dist/models/kokoro/configuration.js';
import { compileKokoro, loadCompiledKokoro } from '../dist/models/kokoro/runtime/load.js';
import { Speaker } from '../dist/models/kokoro/runtime/speech.js';
import { kokoroSynthesizer } from '../dist/models/kokoro/runtime/synthesizer.js';
import { MEASURED_PHONEMES, voiceKey } from '../dist/models/kokoro/runtime/voice-gains.js';
import { packagedFolder } from '../dist/models/kokoro/voice-pack.js';
import { VoicePacks } from '../dist/models/kokoro/voices.js';
import { cpu } from '../dist/ort/device.js';
import { startPipeline } from '../dist/say/pipeline/pipeline.js';
import { Languages } from '../dist/text/languages.js';
import { defaultNormalization } from '../dist/text/normalization.js';

const checkpoint = process.argv[2];
if (!checkpoint) throw new Error('Name the directory of the checkpoint.');
const SENTENCES = 4;
/** Keeps loud voices clear of the limiter: half the amplitude, 6 dB less. */
const VOLUME = 0.5;
const kinds = { a: 'prose', b: 'prose', e: 'es', f: 'fr', h: 'hi', i: 'it', j: 'ja', p: 'pt', z: 'zh' };

const sentences = readFileSync(new URL('../benchmarks/voice-quality-sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'));
const textOf = (language) =>
  sentences
    .filter(([kind]) => kind === kinds[language])
    .slice(0, SENTENCES)
    .map(([, text]) => text)
    .join(' ');

const scratch = mkdtempSync(join(tmpdir(), 'hearsay-loudness-'));
const device = cpu({ threads: availableParallelism() });
const compiled = await compileKokoro({ checkpoint, modelsDir: scratch, device, form: 'winograd' });
const speaker = new Speaker(await loadCompiledKokoro(compiled));
const voices = new VoicePacks({}, 2 * compiled.configuration.style);
const synthesizer = kokoroSynthesizer({
  run: (_owner, task) => speaker.speak(task),
  voices,
  configuration: compiled.configuration,
  device: 'cpu',
  computeType: 'float32',
  parallelChunks: 1,
});
const pipeline = await startPipeline(synthesizer, new Languages(), { current: async () => undefined });

const rows = [];
for (const name of readdirSync(packagedFolder).map((file) => file.replace('.bin', ''))) {
  const voice = [{ name, weight: 1 }];
  const language = name[0];
  const input = { text: textOf(language), normalization: defaultNormalization };
  const job = { kind: 'speech', input, voice, language, speed: 1, volume: VOLUME, format: 'pcm', captions: false };
  const bytes = [];
  for await (const event of pipeline.run(job, new AbortController().signal)) {
    if (event.type === 'audio') bytes.push(event.bytes);
  }
  const pcm = Buffer.concat(bytes);
  const samples = Float32Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(2 * index) / 32768);
  const level = loudness(samples, SAMPLE_RATE) - 20 * Math.log10(VOLUME);
  const key = voiceKey(await voices.style(voice, MEASURED_PHONEMES.length));
  rows.push(`  [0x${key.toString(16).padStart(8, '0')}, ${level.toFixed(1)}], // ${name}`);
  console.log(rows.at(-1));
}
rmSync(scratch, { recursive: true });
writeFileSync(
  new URL('../src/models/kokoro/runtime/published-loudness.ts', import.meta.url),
  `/**
 * LUFS of the published voices in ${SENTENCES} sentences of their language, by \`voiceKey\`. Written by scripts/voice-loudness.mjs.
 */
export const publishedLoudness: ReadonlyMap<number, number> = new Map([
${rows.join('\n')}
]);
`,
);
