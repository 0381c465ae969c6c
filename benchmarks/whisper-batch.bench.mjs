/**
 * Whisper under load: a decoder step for one window and for several, requests over HTTP one by one and eight at once, a
 * short clip alongside a long file, and memory with one stream and with eight.
 *
 * `PEERS` is the directory written by benchmarks/peers/prepare.py: random weights of full size that decode to 63 tokens
 * for every window. `npm run benchmark whisper-batch base` selects presets; `ROUNDS` (5) is the number of measurements;
 * `STEPS=only` leaves out all but the decoder steps. `THREADS` as for the service.
 */
import './as-engine.mjs';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, readWav, recording, round, save, wavFile } from './measure.mjs';
import { megabytes, sleep, startService } from './service.mjs';

const PRESETS = ['base', 'small', 'large-v3-turbo'];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const REQUESTS = 8;
/** Seconds of a reading after which voice activity ends its first window. */
const WINDOW = 26.33;
const threads = Number(process.env.THREADS ?? availableParallelism());
const peers = process.env.PEERS;

const reading = readWav(recording('two_cities.wav'));
const cut = (seconds) => reading.slice(0, seconds * 16_000);
/** Windows separated by pauses, so that none continues another: the scripted text assumes an empty context. */
const repeated = (times) => {
  const length = Math.ceil((WINDOW + 1.5) * 16_000);
  const samples = new Float32Array(length * times);
  for (let index = 0; index < times; index++) samples.set(cut(WINDOW), index * length);
  return samples;
};
const clips = { window: wavFile(cut(WINDOW)), short: wavFile(cut(4)), long: wavFile(repeated(22)) };

/** Milliseconds of a step for `count` windows, each after 100 tokens. */
async function stepTimes(checkpoint, modelsDir) {
  const { compileWhisper } = await import('../dist/models/whisper/graph/compile.js');
  const { WhisperModel } = await import('../dist/models/whisper/runtime/model.js');
  const { WhisperTokenizer } = await import('../dist/models/whisper/runtime/tokenizer.js');
  const { cpu } = await import('../dist/ort/device.js');
  const { endOfText } = (await WhisperTokenizer.read(checkpoint)).special;
  const source = { checkpoint, modelsDir, device: cpu({ threads }), computeType: 'int8', endOfText };
  const model = await WhisperModel.load(await compileWhisper(source), { windows: REQUESTS });
  const { mels, audioPositions } = model.configuration;
  const mel = Float32Array.from({ length: mels * 2 * audioPositions }, (_, index) => Math.sin(index * 0.37));
  const audios = [];
  for (let index = 0; index < REQUESTS; index++) audios.push(await model.encode(mel));
  const times = new Map([1, 2, 4, 8].map((windows) => [windows, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [windows, measured] of times) {
      const decoders = audios.slice(0, windows).map((audio) => model.decode(audio));
      const prompt = Array.from({ length: 100 }, (_, index) => index);
      for (const decoder of decoders) await decoder.step([prompt]);
      const step = (token) => Promise.all(decoders.map((decoder) => decoder.step([[token]], { summed: true })));
      await step(1);
      const started = performance.now();
      for (let token = 2; token < 22; token++) await step(token);
      if (round > 0) measured.push((performance.now() - started) / 20);
    }
  }
  return [...times].map(([windows, measured]) => [windows, median(measured)]);
}

async function ask(base, wav) {
  const form = new FormData();
  form.set('file', new Blob([wav]), 'audio.wav');
  form.set('language', 'en');
  const started = performance.now();
  const response = await fetch(`${base}/v1/audio/transcriptions`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return (performance.now() - started) / 1000;
}

/** Seconds for one window alone and for eight at once, in turns. */
async function throughput(base) {
  const [one, eight] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = await ask(base, clips.window);
    const started = performance.now();
    await Promise.all(Array.from({ length: REQUESTS }, () => ask(base, clips.window)));
    const together = (performance.now() - started) / 1000;
    if (round > 0) {
      one.push(alone);
      eight.push(together);
    }
  }
  return { one: median(one), eight: median(eight) };
}

/** Seconds for a short clip, alone and at moments spread over a long file. */
async function shortDuringLong(base) {
  const alone = [];
  for (let round = 0; round <= ROUNDS; round++) alone.push(await ask(base, clips.short));
  const during = [];
  while (during.length < ROUNDS) {
    let done = false;
    const long = ask(base, clips.long).then(() => {
      done = true;
    });
    await sleep(1000 * alone[1]);
    while (!done && during.length < ROUNDS) {
      const seconds = await ask(base, clips.short);
      if (!done) during.push(seconds);
      await sleep(1000 * alone[1] * Math.random());
    }
    await long;
  }
  return { alone: median(alone.slice(1)), during: median(during), slowest: Math.max(...during) };
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

/** Bytes of one window's audio, and of its cache at 192 positions, in int8. */
function streamBytes(checkpoint) {
  const config = JSON.parse(readFileSync(join(checkpoint, 'config.json'), 'utf8'));
  const { decoder_layers: layers, d_model: width, max_source_positions: positions } = config;
  return layers * 2 * width * (positions + 192 * 4);
}

async function measure(preset, folder) {
  const checkpoint = join(resolve(peers, preset), 'checkpoint');
  Object.assign(process.env, { MODEL_SIZE: checkpoint, COMPUTE_TYPE: 'int8', THREADS: String(threads) });
  const start = () => startService('hear', { dataDir: folder });
  const name = `${preset}, int8, ${threads === 1 ? 'one thread' : `${threads} threads`}`;
  const steps = async () => [
    `${name}: one decoder step at 100 tokens`,
    (await stepTimes(checkpoint, join(folder, 'models')))
      .map(([windows, ms]) => `${windows} ${windows === 1 ? 'window' : 'windows'} ${round(ms)} ms`)
      .join('; '),
  ];
  if (process.env.STEPS === 'only') return [await steps()];
  const rows = [];

  // The first start compiles, which takes extra memory.
  await (await start()).stop();
  let service = await start();
  for (let index = 0; index < 3; index++) await ask(service.base, clips.window);
  const one = megabytes(service.enginePid(), 'VmHWM');
  const { one: alone, eight } = await throughput(service.base);
  await service.stop();
  service = await start();
  for (let index = 0; index < 3; index++) {
    await Promise.all(Array.from({ length: REQUESTS }, () => ask(service.base, clips.window)));
  }
  const most = megabytes(service.enginePid(), 'VmHWM');
  const { alone: short, during, slowest } = await shortDuringLong(service.base);
  await service.stop();

  rows.push([
    `${name}: a window of ${WINDOW} s and 63 tokens over HTTP`,
    `${round(alone)} s; ${REQUESTS} at once ${round(eight)} s, ${round((REQUESTS * alone) / eight)} times the throughput`,
  ]);
  rows.push([
    `${name}: 4 s of speech while a file of 10 minutes is transcribed`,
    `${round(during)} s (slowest ${round(slowest)}), alone ${round(short)} s: ${round(during / short)} times as long (slowest ${round(slowest / short)})`,
  ]);
  const models = join(folder, 'models');
  const weights = sizeOf(existsSync(models) ? models : folder) / 2 ** 20;
  const stream = streamBytes(checkpoint) / 2 ** 20;
  const bound = (streams) => Math.round(1.3 * weights + 300 + streams * stream);
  rows.push([
    `${name}: peak memory of the engine process`,
    `one stream ${one} MB (bound: 1.3 × ${Math.round(weights)} MB of compiled weights + 300 MB + ${round(stream)} MB per stream = ${bound(1)} MB); ${REQUESTS} streams ${most} MB (bound: ${bound(REQUESTS)} MB)`,
  ]);

  rows.unshift(await steps());
  return rows;
}

async function main() {
  if (!peers || !existsSync(peers)) {
    console.log('Skipped: PEERS names no folder of prepared checkpoints, see benchmarks/peers/README.md.');
    return;
  }
  const named = process.argv.slice(2);
  const chosen = PRESETS.filter((preset) => named.length === 0 || named.includes(preset));
  const rows = [];
  for (const preset of chosen) {
    const folder = mkdtempSync(join(tmpdir(), 'hearsay-batch-'));
    try {
      rows.push(...(await measure(preset, folder)));
      for (const [what, value] of rows.slice(-4)) console.log(`${what}: ${value}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  save(import.meta.url, rows);
}

await main();
