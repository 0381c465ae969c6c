/**
 * What HTTP, the upload and the second process cost: the same recordings by the service and by its engine run directly, in
 * turn, each several times; ratios of medians. `--rounds 5` for fewer than 15.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formBody, send } from './load.mjs';
import { median, readWav, recording, round, save, wavFile } from './measure.mjs';
import { startService } from './service.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
const dataDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const service = await startService('speech-to-text', { dataDir });
const bare = fork(fileURLToPath(new URL('bare-engine.mjs', import.meta.url)), [join(dataDir, 'models')], {
  execArgv: [],
  env: { ...process.env, MALLOC_TRIM_THRESHOLD_: '131072' },
});
await once(bare, 'message');
const agent = new Agent({ keepAlive: true });

async function byService(path) {
  const body = formBody(readFileSync(path));
  const started = performance.now();
  const { status, text } = await send(agent, `${service.base}/v1/audio/transcriptions`, body);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 200) throw new Error(text);
  return { seconds, text: JSON.parse(text).text };
}

async function byEngine(path) {
  bare.send(path);
  const [answer] = await once(bare, 'message');
  return answer;
}

const reading = readWav(recording('two_cities.wav'));
const rows = [];
for (const [label, seconds, times] of [
  ['4 s', 4, 3 * rounds],
  ['44 s', 44, rounds],
  ['6 minutes', 352, Math.ceil(rounds / 3)],
]) {
  const path = join(dataDir, 'speech.wav');
  const samples = new Float32Array(seconds * 16_000).map((_, index) => reading[(index + 16_000) % reading.length]);
  writeFileSync(path, wavFile(samples));
  const same = (await byService(path)).text === (await byEngine(path)).text;
  if (!same) throw new Error('The two transcripts differ.');
  const found = { service: [], engine: [] };
  for (let index = 0; index < times; index++) {
    found.service.push((await byService(path)).seconds);
    found.engine.push((await byEngine(path)).seconds);
  }
  const [over, direct] = [median(found.service), median(found.engine)];
  rows.push([
    `${label} of speech, median of ${times}: service, engine alone`,
    `${round(1000 * over)} ms, ${round(1000 * direct)} ms: ${round(100 * (over / direct - 1), 2)} % more`,
  ]);
}
agent.destroy();
bare.disconnect();
await service.stop();
rmSync(dataDir, { recursive: true, force: true });
save(import.meta.url, rows);
