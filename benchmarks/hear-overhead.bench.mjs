/**
 * Cost of HTTP, the upload, the engine process and the decoder process: the same recordings through hear and through its
 * engine directly, in alternating pairs; medians of the differences, and CPU time of all processes. Both decode the file,
 * find its speech and recognize it, the engine alone in one process. The client is a plain socket with the request prepared,
 * so a client's own cost does not count. `--rounds 5` runs fewer than 15.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineEnvironment } from '../dist/engine/process.js';
import { formBody } from './load.mjs';
import { median, readWav, recording, round, save, wavFile } from './measure.mjs';
import { cpuSeconds, startService } from './service.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
/** Recordings each side transcribes first, to warm up compilers and caches. */
const WARM_UP = 20;
const dataDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const service = await startService('hear', { dataDir });
const bare = fork(fileURLToPath(new URL('bare-engine.mjs', import.meta.url)), [join(dataDir, 'models')], {
  execArgv: [],
  env: engineEnvironment(),
});
await once(bare, 'message');
const { hostname, port, host } = new URL(service.base);
const socket = connect(Number(port), hostname).setNoDelay(true);

function requestOf(path) {
  const { type, bytes } = formBody(readFileSync(path));
  const head = [
    'POST /v1/audio/transcriptions HTTP/1.1',
    `Host: ${host}`,
    `Content-Type: ${type}`,
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

/** Resolves when a response of known length is complete. */
function answer() {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const read = (chunk) => {
      received = Buffer.concat([received, chunk]);
      const body = received.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      const head = received.toString('latin1', 0, body);
      if (received.length < body + Number(/^content-length: (\d+)/im.exec(head)[1])) return;
      socket.off('data', read).off('close', reject);
      resolve({ head, text: received.toString('utf8', body) });
    };
    socket.on('data', read).once('close', reject);
  });
}

async function byService(request) {
  const started = performance.now();
  socket.write(request);
  const { head, text } = await answer();
  const seconds = (performance.now() - started) / 1000;
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(text);
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
  ['4 s', 4, 9 * rounds],
  ['44 s', 44, rounds],
  ['6 minutes', 352, Math.ceil(rounds / 3)],
]) {
  const path = join(dataDir, 'speech.wav');
  const samples = new Float32Array(seconds * 16_000).map((_, index) => reading[(index + 16_000) % reading.length]);
  writeFileSync(path, wavFile(samples));
  const request = requestOf(path);
  for (let index = 0; index < (rows.length === 0 ? WARM_UP : 1); index++) {
    const same = (await byService(request)).text === (await byEngine(path)).text;
    if (!same) throw new Error('The two transcripts differ.');
  }
  const [alone, more] = [[], []];
  const pids = [service.pid, bare.pid];
  const cpuBefore = pids.map(cpuSeconds);
  for (let index = 0; index < times; index++) {
    const sides = [() => byService(request), () => byEngine(path)];
    // Alternate, since the first of a pair runs with the caches of the other.
    const first = index % 2;
    const seconds = [];
    for (const side of [first, 1 - first]) seconds[side] = (await sides[side]()).seconds;
    alone.push(seconds[1]);
    more.push(seconds[0] - seconds[1]);
  }
  const [engine, over] = [median(alone), median(more)];
  const [ofService, ofEngine] = pids.map((pid, side) => ((cpuSeconds(pid) - cpuBefore[side]) / times) * 1000);
  rows.push([
    `${label} of speech, ${times} pairs: engine alone, added by the service`,
    `${round(1000 * engine)} ms, ${round(1000 * over, 2)} ms: ${round(100 * (over / engine), 2)} %; CPU ${round(ofEngine)} and ${round(ofService)} ms`,
  ]);
}
socket.destroy();
bare.disconnect();
await service.stop();
rmSync(dataDir, { recursive: true, force: true });
save(import.meta.url, rows);
