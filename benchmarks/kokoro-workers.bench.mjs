/**
 * What do several Kokoro workers with one thread each (`WORKERS`) gain over one worker with all threads, and what do they
 * cost? Over HTTP, the two settings in turn; full size, random weights, float32.
 *
 * `KOKORO` and `PYTHON`: see kokoro-checkpoint.mjs. `THREADS` (2) and `ROUNDS` (5).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kokoroCheckpoint } from './kokoro-checkpoint.mjs';
import { median, round, save } from './measure.mjs';
import { memory, startService } from './service.mjs';
import { requestSpeech } from './speech-request.mjs';

const THREADS = process.env.THREADS ?? '2';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Random weights speak slowly. */
const SPEED = 4;

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const checkpoint = kokoroCheckpoint(scratch);
const settings = ['1', THREADS];
const services = [];
for (const WORKERS of settings) {
  const env = { TTS_MODEL: checkpoint, THREADS, WORKERS, MODELS_DIR: join(scratch, 'models') };
  services.push(await startService('say', { env }));
}
const atFirst = services.map((service) => memory(service.enginePid()));

const speak = (base, input) => requestSpeech(base, { input, speed: SPEED });
const together = (base, count) => Promise.all(sentences.slice(0, count).map((sentence) => speak(base, sentence)));
const cases = {
  'a short sentence': (base) => speak(base, 'The morning train was late again.'),
  'a text of 20 sentences': (base) => speak(base, sentences.slice(0, 20).join(' ')),
  'two sentences at once': (base) => together(base, 2),
  'four sentences at once': (base) => together(base, 4),
};
const rows = [];
for (const [name, request] of Object.entries(cases)) {
  const runs = services.map(() => ({ first: [], rate: [] }));
  let seconds = 0;
  for (let index = 0; index <= ROUNDS; index++) {
    for (const [which, { base }] of services.entries()) {
      const started = performance.now();
      const answers = [await request(base)].flat();
      const taken = (performance.now() - started) / 1000;
      seconds = answers.reduce((sum, answer) => sum + answer.seconds, 0);
      if (index === 0) continue;
      runs[which].rate.push(seconds / taken);
      runs[which].first.push(median(answers.map(({ first }) => first)) / 1000);
    }
  }
  const [one, all] = runs.map(({ first, rate }) => ({ first: median(first), rate: median(rate) }));
  rows.push([
    `${name}, ${round(seconds, 2)} s in total, THREADS=${THREADS}`,
    `WORKERS=${THREADS} ${round(all.rate)} seconds of speech per second, WORKERS=1 ${round(one.rate)}: ${round(all.rate / one.rate)} times as fast; first audio after ${round(all.first)} and ${round(one.first)} s`,
  ]);
  console.log(rows.at(-1).join(': '));
}
for (const [index, service] of services.entries()) {
  const of = `engine process, WORKERS=${settings[index]}`;
  rows.push([of, `${atFirst[index]} when loaded; after all cases ${memory(service.enginePid())}`]);
  await service.stop();
}
rmSync(scratch, { recursive: true });
save(import.meta.url, rows);
