/**
 * How many names `hear` gets right with and without `keywords[]`: `npm run benchmark keywords -- <weights>`.
 *
 * Names: the sentences of benchmarks/keywords/sentences.txt, spoken by the official Kokoro in three voices; each request
 * lists the names of all of them. The bonuses of src/models/common/keyword-bias.ts were fitted on the odd lines, so that
 * the even ones are scored. Other speech: the English recordings that the benchmark `accuracy` has prepared, in which none
 * of the names is said.
 */
import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { align } from './accuracy/alignment.mjs';
import { tokens } from './accuracy/normalize.mjs';
import { Speaker } from './accuracy/speech.mjs';
import { save, wavFile } from './measure.mjs';
import { startService } from './service.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Folder of the benchmark `accuracy`. */
    folder: { type: 'string', default: join(tmpdir(), 'hearsay-accuracy') },
    /** Scores the lines that the bonuses were fitted on. */
    fitted: { type: 'boolean', default: false },
  },
});
const [weights] = positionals;
if (!weights) throw new Error('Give the folder of weights: npm run benchmark keywords -- <weights>.');

const VOICES = ['af_heart', 'am_michael', 'bf_emma'];
const SETS = ['readings', 'short', 'fleurs', 'fleurs-all', 'narrations-all', 'calls', 'telephone', 'rooms', 'noise'];

const lines = readFileSync(new URL('./keywords/sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const namesIn = (line) => [...line.matchAll(/\[([^\]]+)\]/g)].map(([, name]) => name);
const keywords = [...new Set(lines.flatMap(namesIn))];

async function spoken() {
  const { folder } = values;
  const speaker = new Speaker({ folder, model: join(weights, 'kokoro'), modelsDir: join(folder, 'models') });
  const recordings = [];
  for (const line of lines.filter((_, index) => index % 2 === (values.fitted ? 0 : 1))) {
    const text = line.replace(/[[\]]/g, '');
    for (const voice of VOICES) {
      const wav = new Blob([wavFile(await speaker.speak(text, voice))]);
      recordings.push({ wav, text, names: namesIn(line).flatMap((name) => tokens(name, 'en')) });
    }
  }
  await speaker.stop();
  return recordings;
}

async function others() {
  const files = SETS.map((name) => join(values.folder, `${name}.json`))
    .filter((path) => existsSync(path))
    .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).files)
    .filter(({ language = 'en', text, task }) => language === 'en' && text && task !== 'translate');
  return Promise.all(files.map(async ({ path, text }) => ({ wav: await openAsBlob(path), text, names: [] })));
}

async function transcribe(base, wav, list) {
  const form = new FormData();
  form.set('file', wav, 'audio.wav');
  form.set('language', 'en');
  for (const keyword of list) form.append('keywords[]', keyword);
  const response = await fetch(`${base}/v1/audio/transcriptions`, { method: 'POST', body: form });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.text;
}

/** Words that are wrong among the names and among the others; a word too many counts with the others. */
async function score(base, recordings, list) {
  const counts = { names: 0, wrongNames: 0, others: 0, wrongOthers: 0, invented: 0 };
  const listed = new Set(keywords.flatMap((name) => tokens(name, 'en')));
  for (const { wav, text, names } of recordings) {
    const meant = tokens(text, 'en');
    const said = tokens(await transcribe(base, wav, list), 'en');
    for (const pair of align(meant, said)) {
      const [expected, heard] = [meant[pair.meant], said[pair.said]];
      if (names.includes(expected)) {
        counts.names++;
        if (heard !== expected) counts.wrongNames++;
        continue;
      }
      if (expected !== undefined) counts.others++;
      if (heard === expected) continue;
      counts.wrongOthers++;
      if (listed.has(heard) && !names.includes(heard)) counts.invented++;
    }
  }
  return counts;
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

const sets = [
  ['speech with names', await spoken()],
  ['other speech', await others()],
];
const rows = [];
for (const [model, env] of [
  ['built-in model', {}],
  ['base', { MODEL_SIZE: join(weights, 'whisper-base'), COMPUTE_TYPE: 'int8' }],
]) {
  const service = await startService('hear', { env, dataDir: join(values.folder, 'models') });
  for (const [what, recordings] of sets) {
    if (recordings.length === 0) continue;
    const without = await score(service.base, recordings, []);
    const with_ = await score(service.base, recordings, keywords);
    const compare = (name, wrong, words) =>
      rows.push([
        `${model}, ${what}: ${name}, word error rate`,
        `${percent(without[wrong], words)} without keywords, ${percent(with_[wrong], words)} with ${keywords.length} (${words} words)`,
      ]);
    if (with_.names > 0) compare('names', 'wrongNames', with_.names);
    compare('other words', 'wrongOthers', with_.others);
    rows.push([`${model}, ${what}: keywords transcribed but not spoken`, String(with_.invented)]);
    for (const row of rows.slice(-3)) console.log(row.join(': '));
  }
  await service.stop();
}
save(import.meta.url, rows);
