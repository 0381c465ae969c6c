/**
 * Whisper and short speech, against whisper.cpp and faster-whisper: CPU seconds of one thread from samples to text, in
 * turns, so that other work on the machine hardly matters. benchmarks/peers/README.md says how to prepare the peers.
 *
 * `PEERS` is a directory of prepared models, which need official weights here: random ones give the same text for any audio.
 * `WHISPER_CPP` lists builds of whisper.cpp, separated by commas, `FASTER_WHISPER` is a Python that has it; unset peers are
 * skipped. `ROUNDS` (5) is the number of measurements. Arguments select presets: `npm run benchmark whisper-short base`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, readWav, recording, round, save, wavFile } from './measure.mjs';
import { startFasterWhisper, startOurs, whisperCpp, whisperCppBuilds } from './peers/contestants.mjs';

const PRESETS = ['tiny', 'base', 'small', 'large-v3-turbo'];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Seconds from the start of a reading. */
const LENGTHS = [4, 10, 2.6];
const { PEERS: peers, FASTER_WHISPER: python } = process.env;

/** Text without punctuation and case, which differ by length and program. */
const words = (text) =>
  text
    .toLowerCase()
    .match(/[a-z']+/g)
    ?.join(' ') ?? '';

async function measure(folder, clip, builds) {
  const contestants = [];
  const running = [];
  try {
    const ours = await startOurs({ folder, threads: 1, clip });
    running.push(ours);
    contestants.push({ name: 'hearsay int8', run: () => ours.window() });
    if (python) {
      const server = await startFasterWhisper({ folder, python, workers: 1, threads: 1 });
      running.push(server);
      contestants.push({ name: 'faster-whisper int8', run: () => server.ask(readFileSync(clip)) });
    }
    for (const build of builds) {
      const program = whisperCpp({ folder, build, weights: 'q8_0', threads: 1, clip });
      contestants.push({ name: `whisper.cpp (${program.name})`, run: () => program.cpu() });
    }
    const measured = new Map(contestants.map(({ name }) => [name, []]));
    const texts = new Map();
    for (let turn = 0; turn <= ROUNDS; turn++) {
      for (const { name, run } of contestants) {
        const { cpu, text } = await run();
        texts.set(name, words(text));
        // The first turn warms up.
        if (turn > 0) measured.get(name).push(cpu);
      }
    }
    for (const [name, text] of texts) {
      if (text !== texts.get('hearsay int8')) console.log(`  ${name} wrote something else: ${text}`);
    }
    return [...measured].map(([name, values]) => [name, median(values)]);
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

async function main() {
  if (!peers || !existsSync(peers)) {
    console.log('Skipped: PEERS names no folder of prepared checkpoints, see benchmarks/peers/README.md.');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'hearsay-short-'));
  const reading = readWav(recording('two_cities.wav'));
  const named = process.argv.slice(2);
  const builds = whisperCppBuilds();
  const rows = [];
  try {
    for (const preset of PRESETS) {
      const prepared = resolve(peers, preset);
      if ((named.length > 0 && !named.includes(preset)) || !existsSync(prepared)) continue;
      for (const seconds of LENGTHS) {
        const clip = join(folder, `${seconds}.wav`);
        writeFileSync(clip, wavFile(reading.slice(0, seconds * 16_000)));
        const times = await measure(prepared, clip, builds);
        const [[, ours], ...others] = times;
        rows.push([
          `${preset}, ${seconds} s of speech`,
          [
            ...times.map(([name, cpu]) => `${name} ${round(cpu)} s`),
            ...others.map(([name, cpu]) => `**${round(cpu / ours)} times as fast as ${name}**`),
          ].join('; '),
        ]);
        console.log(...rows.at(-1));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (rows.length > 0) save(import.meta.url, rows);
}

await main();
