/**
 * How fast does Kokoro speak with our graphs, in float32 and int8, against the published modules in PyTorch eager mode and
 * against kokoro-onnx, on the same weights? Full size, random weights. All speak the same chunks of phonemes in turn, at
 * a usual pace. Over HTTP: first audio of a sentence, four requests at once against one after another, and a sentence
 * alongside a book.
 *
 * `KOKORO` and `PYTHON`: see kokoro-checkpoint.mjs; the Python is the one with PyTorch, too. `KOKORO_ONNX` names a Python
 * with kokoro-onnx, `KOKORO_ONNX_MODEL` the directory that scripts/kokoro-export.py wrote for the same checkpoint. Missing
 * peers are skipped with a message; without PyTorch nothing is saved. `ROUNDS`, `THREADS` (1,2) and `LENGTHS` (seconds)
 * shorten a run, which is saved only with `SAVE`.
 */
import './as-engine.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileKokoro, loadCompiledKokoro } from '../dist/models/kokoro/runtime/load.js';
import { cpu } from '../dist/ort/device.js';
import { plainEnvironment } from './as-engine.mjs';
import { kokoroCheckpoint } from './kokoro-checkpoint.mjs';
import { median, rest, round, save } from './measure.mjs';
import { startService } from './service.mjs';
import { PCM_BYTES_A_SECOND, requestSpeech, SAMPLE_RATE } from './speech-request.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const THREADS = (process.env.THREADS ?? '1,2').split(',').map(Number);
const LENGTHS = (process.env.LENGTHS ?? '1.5,5,15').split(',').map(Number);
const PYTHON = process.env.PYTHON ?? 'python3';
const { KOKORO_ONNX, KOKORO_ONNX_MODEL } = process.env;
const VOICE = 'af_heart';
const PHONEMES_A_SECOND = 14;
const FRAMES_A_SECOND = 40;
const FASTEST = 4;
/** `getconf CLK_TCK`, the same on every Linux. */
const TICKS_A_SECOND = 100;
const TEXT = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, ænd wˈʌndəɹz wˌI ɪt hæz tə. ';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const checkpoint = kokoroCheckpoint(scratch);
const forms = { ours: 'winograd', int8: 'int8' };
const compiled = {};
for (const [name, form] of Object.entries(forms)) {
  const device = cpu({ threads: availableParallelism() });
  compiled[name] = await compileKokoro({ checkpoint, modelsDir: scratch, device, form });
}

/** Another implementation in its own process; it answers each line with a line. */
class Peer {
  /** Undefined if it does not start. */
  static async start(name, python, script, folder, threads) {
    const child = spawn(python, [path(script), folder, String(threads)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...plainEnvironment(), OMP_NUM_THREADS: String(threads) },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await Promise.race([lines.next(), once(child, 'error').then(() => ({ done: true }))]);
    if (first.done) {
      console.log(`${name} is left out: ${python} cannot run ${script}.`);
      return undefined;
    }
    const peer = new Peer();
    peer.child = child;
    peer.lines = lines;
    peer.name = `${name} ${JSON.parse(first.value).version}`;
    return peer;
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

async function startPeers(threads) {
  const eager = await Peer.start('PyTorch eager', PYTHON, '../scripts/kokoro-eager.py', checkpoint, threads);
  if (!KOKORO_ONNX || !KOKORO_ONNX_MODEL) console.log('kokoro-onnx is left out: KOKORO_ONNX does not name it.');
  const onnx =
    KOKORO_ONNX && KOKORO_ONNX_MODEL
      ? await Peer.start('kokoro-onnx', KOKORO_ONNX, '../scripts/kokoro-onnx.py', KOKORO_ONNX_MODEL, threads)
      : undefined;
  return { ...(eager && { eager }), ...(onnx && { onnx }) };
}

async function ours(model, phonemes, speed) {
  const pack = readFileSync(path(`../node_modules/kokoro-js/voices/${VOICE}.bin`));
  const style = Float32Array.from({ length: 256 }, (_, index) =>
    pack.readFloatLE(4 * (256 * (phonemes.length - 1) + index)),
  );
  const tokens = [...phonemes].map((phoneme) => model.configuration.tokens.get(phoneme));
  const started = performance.now();
  const { samples } = await model.speak(tokens, style, { speed, seed: 1 });
  return { ms: performance.now() - started, samples: samples.length, sound: samples };
}

/** Decibels. */
function signalToNoise(actual, expected) {
  let [signal, noise] = [0, 0];
  for (const [index, value] of expected.entries()) {
    signal += value ** 2;
    noise += (actual[index] - value) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const rows = [];
function row(label, value) {
  rows.push([label, value]);
  console.log(`${label}: ${value}`);
}

/** Compute of all implementations in turn. @returns whether PyTorch was among them */
async function compareCompute(threads) {
  const models = {};
  for (const name of Object.keys(forms))
    models[name] = await loadCompiledKokoro({ ...compiled[name], device: cpu({ threads }) });
  const peers = await startPeers(threads);
  const speakers = {};
  for (const [name, model] of Object.entries(models)) speakers[name] = (...run) => ours(model, ...run);
  for (const [name, peer] of Object.entries(peers)) speakers[name] = (...run) => peer.speak(...run);
  for (const seconds of LENGTHS) {
    const count = Math.round(seconds * PHONEMES_A_SECOND);
    const phonemes = TEXT.repeat(Math.ceil(count / TEXT.length)).slice(0, count);
    // Random weights speak slowly; bring them to a usual pace.
    const pace = await ours(models.ours, phonemes, FASTEST);
    const speed = (FASTEST * pace.samples) / SAMPLE_RATE / seconds;
    const runs = {};
    let ratio;
    for (let index = 0; index <= ROUNDS; index++) {
      const results = {};
      for (const [name, speak] of Object.entries(speakers)) {
        await rest();
        results[name] = await speak(phonemes, speed);
      }
      for (const { samples } of Object.values(results)) {
        if (Math.abs(samples - results.ours.samples) > SAMPLE_RATE / FRAMES_A_SECOND)
          throw new Error(`They speak ${results.ours.samples} and ${samples} samples`);
      }
      ratio = signalToNoise(results.int8.sound, results.ours.sound);
      // The first round warms up.
      if (index > 0)
        for (const [name, { ms, samples }] of Object.entries(results)) {
          runs[name] ??= [];
          runs[name].push((ms * SAMPLE_RATE) / 1000 / samples);
        }
    }
    const own = median(runs.ours);
    const of = `${seconds} s of speech, ${plural(threads, 'thread')}`;
    const against = Object.entries(peers).map(([name, peer]) => {
      const theirs = median(runs[name]);
      return `${peer.name} ${round(theirs)}, ${round(theirs / own)} times as fast`;
    });
    row(`${of}: compute per second of audio`, [`Hearsay ${round(own)}`, ...against].join('; '));
    const bytes = median(runs.int8);
    row(
      `${of}, int8: compute per second of audio`,
      `${round(bytes)}, ${round(own / bytes)} times as fast as float32; signal-to-noise ratio ${round(ratio)} dB`,
    );
  }
  for (const peer of Object.values(peers)) await peer.end();
  return 'eager' in peers;
}

const sentences = readFileSync(path('./sentences.txt'), 'utf8').trim().split('\n');
const SENTENCE =
  'The morning train was late again, and nobody on the platform seemed to mind, because the sun had come out after rain.';
const SENTENCE_SECONDS = 7;

const request = ({ base }, input, speed, options) => requestSpeech(base, { input, voice: VOICE, speed }, options);

/** CPU seconds of a process, independent of other load. */
function computeSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function overHttp(threads) {
  const env = { TTS_MODEL: checkpoint, THREADS: String(threads), MODELS_DIR: scratch, COMPUTE_TYPE: 'float32' };
  const service = await startService('say', { env });
  const of = `over HTTP, ${plural(threads, 'thread')}`;
  const pace = await request(service, SENTENCE, FASTEST);
  const speed = Math.min(FASTEST, Math.max(0.25, (FASTEST * pace.seconds) / SENTENCE_SECONDS));
  const alone = [];
  for (let index = 0; index < ROUNDS; index++) alone.push(await request(service, SENTENCE, speed));
  const first = median(alone.map((run) => run.first)) / 1000;
  const { seconds } = alone[0];
  row(
    `first audio of a sentence of ${round(seconds, 2)} s, ${of}`,
    `${round(first)} s, ${round(first / seconds, 2)} times the sentence's length; whole sentence ${round(median(alone.map(({ whole }) => whole)) / 1000)} s`,
  );

  const four = sentences.slice(0, 4);
  const ways = {
    apart: async () => {
      for (const sentence of four) await request(service, sentence, speed);
    },
    together: () => Promise.all(four.map((sentence) => request(service, sentence, speed))),
  };
  const taken = { apart: [], together: [] };
  const computed = { apart: [], together: [] };
  for (let index = 0; index < ROUNDS; index++) {
    // Alternate the order: a machine may become slower during the run.
    for (const [way, run] of index % 2 === 0 ? Object.entries(ways) : Object.entries(ways).reverse()) {
      const before = computeSeconds(service.enginePid());
      const started = performance.now();
      await run();
      taken[way].push(performance.now() - started);
      computed[way].push(computeSeconds(service.enginePid()) - before);
    }
  }
  const share = ({ apart, together }) => round(median(apart.map((time, index) => time / together[index])));
  row(
    `four sentences at once, ${of}`,
    `${share(taken)} times the throughput of one after another; by CPU time of the engine process, ${share(computed)}`,
  );

  const book = sentences.join(' ');
  const beside = [];
  for (let index = 0; index < Math.ceil(ROUNDS / 2); index++) {
    let begun;
    const speaking = new Promise((resolve) => {
      begun = resolve;
    });
    const reading = request(service, book, speed, { bytes: 60 * PCM_BYTES_A_SECOND, onFirst: begun });
    await speaking;
    beside.push(await request(service, SENTENCE, speed));
    await reading;
  }
  row(
    `the same sentence while a book is synthesized, ${of}`,
    `first audio ${round(median(beside.map((run) => run.first)) / 1000)} s, whole sentence ${round(median(beside.map(({ whole }) => whole)) / 1000)} s`,
  );
  await service.stop();
}

let compared = false;
for (const threads of THREADS) {
  compared = await compareCompute(threads);
  await overHttp(threads);
}
rmSync(scratch, { recursive: true });
const shortened = process.env.ROUNDS || process.env.THREADS || process.env.LENGTHS;
if (compared && (process.env.SAVE || !shortened)) save(import.meta.url, rows);
// End the models' threads.
process.exit(0);
