/**
 * Memory of Kokoro's engine at its first start, which compiles, at later starts, during a long text, and after unloading.
 * True size, random weights, float32: memory does not depend on their values.
 *
 * `KOKORO` and `PYTHON`: see kokoro-checkpoint.mjs. `CHARACTERS` (100,000) is the length of the text, `THREADS` as for
 * the service; the result names both.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kokoroCheckpoint } from './kokoro-checkpoint.mjs';
import { save } from './measure.mjs';
import { megabytes, memory, startService } from './service.mjs';

const CHARACTERS = Number(process.env.CHARACTERS ?? 100_000);
const THREADS = process.env.THREADS ?? '1';
const PCM_BYTES_A_MINUTE = 60 * 2 * 24_000;
/** Random weights speak slowly; the memory does not depend on the pace. */
const FASTEST = 4;

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const book = sentences.join(' ');
const text = book.repeat(Math.ceil(CHARACTERS / book.length)).slice(0, CHARACTERS);
const scratch = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const env = { TTS_MODEL: kokoroCheckpoint(scratch), THREADS, MODELS_DIR: join(scratch, 'models') };
const rows = [];
function row(label, value) {
  rows.push([label, value]);
  console.log(`${label}: ${value}`);
}

const first = await startService('say', { env });
row('engine process, first start, which compiles', memory(first.enginePid()));
await first.stop();

const service = await startService('say', { env });
row('engine process, next start', memory(service.enginePid()));
const response = await fetch(`${service.base}/v1/audio/speech`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ input: text, voice: 'af_heart', speed: FASTEST, response_format: 'pcm' }),
});
if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
let received = 0;
const along = [];
for await (const chunk of response.body) {
  received += chunk.length;
  if (received / PCM_BYTES_A_MINUTE >= 5 * (along.length + 1)) {
    along.push(megabytes(service.enginePid(), 'VmRSS'));
    console.log(`after ${5 * along.length} minutes of speech: ${along.at(-1)} MB`);
  }
}
const of = `a text of ${CHARACTERS.toLocaleString('en')} characters, ${(received / PCM_BYTES_A_MINUTE).toFixed(1)} minutes of speech, THREADS=${THREADS}`;
row(`engine process every five minutes during ${of}`, `${along.join(', ')} MB`);
row('engine process afterwards', memory(service.enginePid()));
row('HTTP process afterwards', memory(service.pid));
await fetch(`${service.base}/dev/unload`, { method: 'POST' });
row('engine processes after unloading', service.enginePid() > 0 ? 'one' : 'none');
await service.stop();
rmSync(scratch, { recursive: true });
save(import.meta.url, rows);
