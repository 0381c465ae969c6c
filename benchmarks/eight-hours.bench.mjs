/**
 * Eight hours in one recording: does `hear` give the same text as for its parts? The recordings of accuracy sets follow
 * each other in a new order each time, with pauses of 0.5 to 10 s, until the hours are full; each is then scored within
 * the whole and alone.
 *
 * `npm run benchmark eight-hours -- WEIGHTS [set...]`: a directory with the checkpoint `whisper-base`, and sets that
 * `npm run benchmark accuracy -- WEIGHTS` has made: by default the English ones without noise. `HOURS` (8),
 * `ACCURACY` (the folder of the sets), `SHOW=1` prints each recording.
 */
import { closeSync, mkdtempSync, openAsBlob, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { align, count } from './accuracy/alignment.mjs';
import { tokens } from './accuracy/normalize.mjs';
import { seeded } from './accuracy/random.mjs';
import { median, percentile, readWav, round, save, wavFile } from './measure.mjs';
import { cpuSeconds, megabytes, postForm, startService } from './service.mjs';

const RATE = 16_000;
const HEADER = 44;
const [weights, ...chosen] = process.argv.slice(2);
if (!weights) throw new Error('Name the directory of the weights.');
const sets = chosen.length > 0 ? chosen : ['readings', 'calls', 'short', 'levels', 'telephone', 'rooms', 'long'];
const HOURS = Number(process.env.HOURS ?? 8);
const { ACCURACY = join(tmpdir(), 'hearsay-accuracy') } = process.env;

const parts = sets.flatMap((set) =>
  JSON.parse(readFileSync(join(ACCURACY, `${set}.json`), 'utf8')).files.map((part) => ({ ...part, set })),
);
const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const path = join(folder, 'whole.wav');
const spans = writeWhole();
const seconds = (statSync(path).size - HEADER) / 2 / RATE;

const rows = [];
const row = (label, value) => {
  rows.push([label, value]);
  console.log(`${label}: ${value}`);
};
const service = await startService('hear', {
  env: {
    MODEL_SIZE: join(weights, 'whisper-base'),
    MAX_UPLOAD_BYTES: String(2 ** 31),
    MAX_AUDIO_SECONDS: String(Math.ceil(seconds)),
  },
});
try {
  const alone = new Map();
  for (const part of parts) alone.set(part, await transcribe(part.path));
  const peak = megabytes(service.enginePid(), 'VmHWM');
  const [started, cpu] = [performance.now(), cpuSeconds(service.pid)];
  const whole = await transcribe(path);
  const took = (performance.now() - started) / 1000;
  const within = spans.map(({ from, to }) =>
    whole.words.filter(({ start, end }) => start + end > 2 * from && start + end < 2 * to),
  );
  row(
    `${round(seconds / 3600)} hours: ${spans.length} recordings (${parts.length} distinct), ${spans.reduce((sum, { part }) => sum + wordsOf(part).length, 0)} words`,
    `${round(took / 60)} minutes, real-time factor ${round(took / seconds)}, ${round((cpuSeconds(service.pid) - cpu) / seconds)} s of CPU time per second of audio`,
  );
  row(
    'peak memory of the engine; of the HTTP process',
    `${peak} MB before, ${megabytes(service.enginePid(), 'VmHWM')} MB after; ${megabytes(service.pid, 'VmHWM')} MB`,
  );
  const both = (chosen) => [
    errors(spans.filter(chosen).map(({ part }) => [part, alone.get(part)])),
    errors(spans.flatMap((span, index) => (chosen(span) ? [[span.part, { words: within[index] }]] : []))),
  ];
  row('word error rate of the parts alone; in the whole recording', both(() => true).join('; '));
  for (const set of sets) row(`${set}: alone; in the whole recording`, both(({ part }) => part.set === set).join('; '));
  if (process.env.SHOW) for (const each of parts) console.log(each.name, both(({ part }) => part === each).join('; '));
  const hour = (index) => Math.floor(spans[index].from / 3600);
  const ofHour = (wanted) =>
    errors(spans.flatMap(({ part }, index) => (hour(index) === wanted ? [[part, { words: within[index] }]] : [])));
  row('first hour; last hour', `${ofHour(0)}; ${ofHour(hour(spans.length - 1))}`);
  const apart = spans.flatMap(({ part, from }, index) => shifts(alone.get(part).words, within[index], from));
  row(
    'word times in the whole recording against those alone',
    `${apart.length} compared, median ${round(1000 * median(apart))} ms apart, p95 ${round(1000 * percentile(apart, 0.95))} ms`,
  );
  const lost = whole.words.length - within.reduce((sum, words) => sum + words.length, 0);
  row('words in the pauses between recordings', lost);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
save(import.meta.url, rows);

/** Writes the whole recording; returns where each part is in it, in seconds. */
function writeWhole() {
  const random = seeded(1);
  const samples = new Map(parts.map((part) => [part, wavFile(readWav(part.path)).subarray(HEADER)]));
  const order = [];
  let length = 0;
  while (length < HOURS * 3600 * RATE) {
    for (const part of [...parts].sort(() => random() - 0.5)) {
      const pause = Math.round((0.5 + 9.5 * random()) * RATE);
      order.push({ part, pause, at: length });
      length += samples.get(part).length / 2 + pause;
    }
  }
  const header = wavFile([]);
  header.writeUInt32LE(HEADER - 8 + 2 * length, 4);
  header.writeUInt32LE(2 * length, 40);
  const file = openSync(path, 'w');
  writeSync(file, header);
  for (const { part, pause } of order) {
    writeSync(file, samples.get(part));
    writeSync(file, Buffer.alloc(2 * pause));
  }
  closeSync(file);
  return order.map(({ part, at }) => ({
    part,
    from: at / RATE,
    to: at / RATE + samples.get(part).length / 2 / RATE + 0.2,
  }));
}

async function transcribe(path) {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'audio.wav');
  form.set('response_format', 'verbose_json');
  form.set('timestamp_granularities[]', 'word');
  return postForm(`${service.base}/v1/audio/transcriptions`, form);
}

function wordsOf({ text, language }) {
  return tokens(text, language);
}

function errors(answers) {
  const total = { words: 0, deletions: 0, wrong: 0 };
  for (const [part, { words }] of answers) {
    const meant = wordsOf(part);
    const said = tokens(words.map(({ word }) => word).join(' '), part.language);
    const { deletions, insertions, substitutions } = count(align(meant, said), meant, said);
    total.words += meant.length;
    total.deletions += deletions;
    total.wrong += deletions + insertions + substitutions;
  }
  return `${round((100 * total.wrong) / total.words)} %, ${total.deletions} of ${total.words} words missing`;
}

/** Seconds between the starts of words in the whole and alone. */
function shifts(alone, within, from) {
  const plain = (words) => words.map(({ word }) => word.trim().toLowerCase());
  return align(plain(alone), plain(within))
    .filter(
      ({ meant, said }) =>
        meant !== undefined && said !== undefined && plain([alone[meant]])[0] === plain([within[said]])[0],
    )
    .map(({ meant, said }) => Math.abs(within[said].start - from - alone[meant].start));
}
