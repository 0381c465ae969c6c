/**
 * Whisper against whisper.cpp and faster-whisper: the same checkpoint, the same cores, in turns. One window of speech
 * without HTTP, and eight requests at once over HTTP; with one thread and with two. benchmarks/peers/README.md says how
 * to prepare the peers, and how all do the same work.
 *
 * `PEERS` is the directory written by prepare.py, `WHISPER_CPP` a comma-separated list of whisper.cpp builds,
 * `FASTER_WHISPER` a Python that has it. Unset peers are skipped. `ROUNDS` (5) is the number of measurements. Arguments
 * select presets, thread counts and parts: `npm run benchmark whisper-peers base 1 window`. The others keep their figures.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, readWav, recording, rest, round, save, savedRows, wavFile } from './measure.mjs';
import {
  expectedText,
  startFasterWhisper,
  startHear,
  startOurs,
  whisperCpp,
  whisperCppBuilds,
} from './peers/contestants.mjs';
import { errors, plainWords } from './word-errors.mjs';

const PRESETS = ['base', 'small', 'large-v3-turbo'];
const REQUESTS = 8;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Seconds of a reading after which voice activity ends its first window. To an encoder any window is 30 s. */
const CLIP = 26.33;

const peers = process.env.PEERS;
const python = process.env.FASTER_WHISPER;
const parameters = process.argv.slice(2);
const chosen = (all) => {
  const named = all.filter((name) => parameters.includes(name));
  return named.length > 0 ? named : all;
};

/** The fastest of several builds or start options, by one try each. */
async function fastest(candidates, measure) {
  let best;
  for (const candidate of candidates) {
    try {
      const { seconds } = await measure(candidate);
      console.log(`  ${candidate.name}: ${round(seconds)} s`);
      if (best === undefined || seconds < best.seconds) best = { candidate, seconds };
    } catch (error) {
      console.log(`  ${candidate.name}: ${error.message}`);
    }
  }
  return best?.candidate;
}

/** Warms up with one window each, then takes turns; returns median seconds by name. */
async function inTurns(contestants) {
  const seconds = new Map(contestants.map(({ key }) => [key, []]));
  for (const { warmUp } of contestants) await warmUp();
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const { key, measure } of contestants) {
      await rest();
      seconds.get(key).push(await measure());
    }
  }
  return new Map([...seconds].map(([key, values]) => [key, median(values)]));
}

/** Scripted weights write the same text in every program; of true ones, every answer is compared with the first. */
function checkText(expected, who, { text, said = 1 }) {
  const given = plainWords(text);
  expected.words ??= given.slice(0, given.length / said);
  const meant = Array.from({ length: said }, () => expected.words).flat();
  const wrong = errors(given, meant);
  if (wrong > expected.tolerance * meant.length) throw new Error(`${who} wrote something else: ${text}`);
}

async function windows(folder, clip, whisperCppAt) {
  const running = [];
  const contestants = [];
  const expected = expectedText(folder);
  const add = (name, threads, window) => {
    const measure = async () => {
      const result = await window();
      checkText(expected, name, result);
      return result.seconds;
    };
    contestants.push({ key: `${name} ${threads}`, warmUp: measure, measure });
  };
  try {
    for (const threads of threadCounts) {
      const ours = await startOurs({ folder, threads, clip });
      running.push(ours);
      add('hearsay', threads, () => ours.window());
      if (whisperCppAt) add('whisper.cpp', threads, whisperCppAt(threads).window);
      if (python) {
        const server = await startFasterWhisper({ folder, python, workers: 1, threads });
        running.push(server);
        const wav = readFileSync(clip);
        add('faster-whisper', threads, () => server.ask(wav));
      }
    }
    return await inTurns(contestants);
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

async function requests(folder, clip, whisperCppAt) {
  const running = [];
  const contestants = [];
  const expected = expectedText(folder);
  const wav = readFileSync(clip);
  const add = (name, threads, service) => {
    running.push(service);
    const ask = async () => checkText(expected, name, await service.ask(wav));
    contestants.push({
      key: `${name} ${threads}`,
      warmUp: ask,
      async measure() {
        const started = performance.now();
        await Promise.all(Array.from({ length: REQUESTS }, ask));
        return (performance.now() - started) / 1000;
      },
    });
  };
  try {
    for (const threads of threadCounts) {
      add('hearsay', threads, await startHear({ folder, threads }));
      if (whisperCppAt) add('whisper.cpp', threads, await whisperCppAt(threads).serve());
      // Workers of one thread each are faster than one worker with several.
      if (python) {
        const server = await startFasterWhisper({ folder, python, workers: threads, threads: 1 });
        add('faster-whisper', threads, server);
      }
    }
    return await inTurns(contestants);
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** One row for each thread count, and one that compares them. */
function describe(what, times, whisperCppName) {
  const rows = threadCounts.map((threads) => {
    const time = (name) => times.get(`${name} ${threads}`);
    const ours = time('hearsay');
    const against = [
      ['whisper.cpp', whisperCppName && `whisper.cpp (${whisperCppName})`],
      ['faster-whisper', 'faster-whisper int8'],
    ].filter(([name]) => time(name) !== undefined);
    const parts = [
      `hearsay int8 ${round(ours)} s`,
      ...against.map(([name, label]) => `${label} ${round(time(name))} s`),
      ...against.map(([name]) => `**${round(time(name) / ours)} times as fast as ${name}**`),
    ];
    return [`${what}, ${threads === '1' ? 'one thread' : `${threads} threads`}`, parts.join('; ')];
  });
  if (threadCounts.length === 1) return rows;
  const gains = ['hearsay', 'whisper.cpp', 'faster-whisper']
    .filter((name) => times.has(`${name} 1`))
    .map((name) => `${name} ${round(times.get(`${name} 1`) / times.get(`${name} 2`))} times`);
  return [...rows, [`${what}, speedup of two threads over one`, gains.join('; ')]];
}

const threadCounts = chosen(['1', '2']);

async function main() {
  if (!peers || !existsSync(peers)) {
    console.log('Skipped: PEERS names no folder of prepared checkpoints, see benchmarks/peers/README.md.');
    return;
  }
  const builds = whisperCppBuilds();
  if (!python) console.log('Skipped: faster-whisper, because FASTER_WHISPER names no Python that has it.');

  const folder = mkdtempSync(join(tmpdir(), 'hearsay-peers-'));
  const clip = join(folder, 'clip.wav');
  writeFileSync(clip, wavFile(readWav(recording('two_cities.wav')).slice(0, CLIP * 16_000)));
  const rows = [];
  try {
    for (const preset of chosen(PRESETS)) {
      const prepared = resolve(peers, preset);
      if (!existsSync(prepared)) {
        console.log(`Skipped: ${preset}, which is not in ${peers}.`);
        continue;
      }
      const candidates = builds
        .flatMap((build) => ['q8_0', 'f16'].map((weights) => ({ folder: prepared, build, weights, clip })))
        .map((options) => ({ ...options, name: whisperCpp({ ...options, threads: 1 }).name }));
      console.log(`${preset}, one window with each build of whisper.cpp, threads: ${threadCounts[0]}`);
      const best = await fastest(candidates, (options) =>
        whisperCpp({ ...options, threads: Number(threadCounts[0]) }).window(),
      );
      const at = best && ((threads) => whisperCpp({ ...best, threads: Number(threads) }));
      for (const [part, what, measure] of [
        ['window', 'one window', windows],
        ['requests', `${REQUESTS} requests at once`, requests],
      ]) {
        if (!chosen(['window', 'requests']).includes(part)) continue;
        const started = performance.now();
        rows.push(...describe(`${preset}, ${what}`, await measure(prepared, clip, at), best?.name));
        console.log(`${preset}, ${what}: took ${Math.round((performance.now() - started) / 1000)} s`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (rows.length > 0) save(import.meta.url, merged(rows));
}

/** Keeps earlier figures of everything that did not run. */
function merged(rows) {
  const results = new Map([...savedRows(import.meta.url), ...rows]);
  const position = ([what]) => PRESETS.findIndex((preset) => what.startsWith(`${preset},`));
  return [...results].sort((a, b) => position(a) - position(b));
}

await main();
