/**
 * How fast does Kokoro speak with our graphs, against the published modules in PyTorch eager mode with the same weights?
 * Random weights of the true size: what is measured does not depend on their values. Both speak the same runs of
 * phonemes in turn, at a usual pace. The first sound of a sentence is timed through the whole synthesizer.
 *
 * `KOKORO` names the folder of a checkpoint; without it, scripts/kokoro-goldens.py makes one. `PYTHON` names a Python with
 * what that script needs; without one, only our own figures are printed and nothing is saved. `ROUNDS`,
 * `THREADS` (1,2) and `LENGTHS` (in seconds) shorten a run, which is then not saved.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileKokoro, KokoroModel } from '../dist/kokoro/model.js';
import { loadKokoro } from '../dist/kokoro/synthesizer.js';
import { Languages } from '../dist/text/languages.js';
import { median, round, save } from './measure.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const THREADS = (process.env.THREADS ?? '1,2').split(',').map(Number);
const LENGTHS = (process.env.LENGTHS ?? '1.5,5,15').split(',').map(Number);
const PYTHON = process.env.PYTHON ?? 'python3';
const VOICE = 'af_heart';
const PHONEMES_A_SECOND = 14;
const SAMPLE_RATE = 24_000;
const FRAMES_A_SECOND = 40;
const TEXT = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, ænd wˈʌndəɹz wˌI ɪt hæz tə. ';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const checkpoint = process.env.KOKORO ?? makeCheckpoint();
const compiled = await compileKokoro(checkpoint, scratch);

function makeCheckpoint() {
  const folder = join(scratch, 'checkpoint');
  const config = path('../../shared/kokoro/config.json');
  const args = [path('../scripts/kokoro-goldens.py'), '--true-size', folder, '--config', config];
  const { status } = spawnSync(PYTHON, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error('No checkpoint: name one with KOKORO, or a Python with torch and kokoro with PYTHON.');
  return folder;
}

/** The published modules in a process of their own. */
class Eager {
  static async start(threads) {
    const child = spawn(PYTHON, [path('../scripts/kokoro-eager.py'), checkpoint, String(threads)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, OMP_NUM_THREADS: String(threads) },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await Promise.race([lines.next(), once(child, 'error').then(() => ({ done: true }))]);
    if (first.done) return undefined;
    const eager = new Eager();
    eager.child = child;
    eager.lines = lines;
    eager.version = JSON.parse(first.value).torch;
    return eager;
  }

  async speak(phonemes, speed) {
    this.child.stdin.write(`${JSON.stringify({ phonemes, voice: VOICE, speed })}\n`);
    return JSON.parse((await this.lines.next()).value);
  }

  async end() {
    this.child.stdin.end();
    await once(this.child, 'exit');
  }
}

async function ours(model, phonemes, speed) {
  const pack = readFileSync(path(`../node_modules/kokoro-js/voices/${VOICE}.bin`));
  const style = Float32Array.from({ length: 256 }, (_, index) =>
    pack.readFloatLE(4 * (256 * (phonemes.length - 1) + index)),
  );
  const tokens = [...phonemes].map((phoneme) => model.configuration.tokens.get(phoneme));
  const started = performance.now();
  const { samples, durations } = await model.speak(tokens, style, { speed, seed: 1 });
  return { ms: performance.now() - started, samples: samples.length, durations };
}

const SENTENCE =
  'The morning train was late again, and nobody on the platform seemed to mind, because the sun had come out after rain.';
const SENTENCE_SECONDS = 7;

/** Milliseconds to the first sound of a sentence of so many seconds, and to the whole. */
async function firstSound(synthesizer, speed) {
  const tokens = SENTENCE.split(' ').map((word) => ({ written: word, spoken: word }));
  const utterance = { tokens, voice: [{ name: VOICE, weight: 1 }], language: 'a', speed };
  const started = performance.now();
  let first;
  let seconds = 0;
  const context = { owner: {}, first: true, signal: new AbortController().signal };
  for await (const { samples } of synthesizer.speak(utterance, context)) {
    first ??= performance.now() - started;
    seconds += samples.length / SAMPLE_RATE;
  }
  return { first, whole: performance.now() - started, seconds };
}

let compared = false;
const rows = [];
for (const threads of THREADS) {
  const model = await KokoroModel.load(compiled, { threads });
  const eager = await Eager.start(threads);
  if (!eager) console.log(`${PYTHON} has no torch and kokoro: our own figures alone.`);
  for (const seconds of LENGTHS) {
    const count = Math.round(seconds * PHONEMES_A_SECOND);
    const phonemes = TEXT.repeat(Math.ceil(count / TEXT.length)).slice(0, count);
    // Random weights have a pace of their own.
    const pace = await ours(model, phonemes, 4);
    const speed = (4 * pace.samples) / SAMPLE_RATE / seconds;
    const runs = { ours: [], eager: [] };
    for (let index = 0; index <= ROUNDS; index++) {
      const results = {
        ours: await ours(model, phonemes, speed),
        ...(eager && { eager: await eager.speak(phonemes, speed) }),
      };
      if (eager && Math.abs(results.eager.samples - results.ours.samples) > SAMPLE_RATE / FRAMES_A_SECOND) {
        throw new Error(`They speak ${results.ours.samples} and ${results.eager.samples} samples`);
      }
      // The first round warms up.
      if (index > 0)
        for (const [name, run] of Object.entries(results)) runs[name].push((run.ms * SAMPLE_RATE) / 1000 / run.samples);
    }
    const own = median(runs.ours);
    const label = `${seconds} s of speech, ${threads} ${threads === 1 ? 'thread' : 'threads'}: compute per second of audio`;
    if (!eager) {
      console.log(`${label}: ${round(own)}`);
      continue;
    }
    compared = true;
    const theirs = median(runs.eager);
    rows.push([
      label,
      `ours ${round(own)}, PyTorch ${eager.version} eager ${round(theirs)}, ${round(theirs / own, 3)} times as fast`,
    ]);
    console.log(rows.at(-1).join(': '));
  }
  await eager?.end();
  const synthesizer = await loadKokoro({
    checkpoint,
    modelsDir: scratch,
    threads,
    timeoutMs: 600_000,
    languages: new Languages(),
  });
  const pace = await firstSound(synthesizer, 4);
  const speed = (4 * pace.seconds) / SENTENCE_SECONDS;
  const runs = [];
  for (let index = 0; index < ROUNDS; index++) runs.push(await firstSound(synthesizer, speed));
  const first = median(runs.map((run) => run.first)) / 1000;
  const { seconds } = runs[0];
  const label = `First sound of a sentence of ${round(seconds, 2)} s, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const whole = median(runs.map((run) => run.whole)) / 1000;
  rows.push([
    label,
    `${round(first)} s, ${round(first / seconds, 2)} of the sentence's length; the whole sentence ${round(whole)} s`,
  ]);
  console.log(rows.at(-1).join(': '));
}
rmSync(scratch, { recursive: true });
const shortened = process.env.ROUNDS || process.env.THREADS || process.env.LENGTHS;
if (compared && !shortened) save(import.meta.url, rows);
// The synthesizer's threads live as long as the process.
process.exit(0);
