/**
 * hear at eight times its capacity: eight clients for every request it admits. A client posts again at once after a 200,
 * and a second after a refusal (Retry-After says ten). Only 200, queue_full and queue_timeout are allowed, and /health
 * and /ready are polled throughout.
 *
 * `npm run benchmark -- hear-load --seconds 30` runs for half a minute instead of five.
 */
import { parseArgs } from 'node:util';
import { drive, formBody, probe } from './load.mjs';
import { percentile, readWav, recording, round, save, wavFile } from './measure.mjs';
import { memory, sleep, startService } from './service.mjs';

const options = { seconds: { type: 'string', default: '300' }, concurrency: { type: 'string', default: '16' } };
const { values } = parseArgs({ options });
const seconds = Number(values.seconds);
const concurrency = Number(values.concurrency);
const queueSize = 32;
const clients = 8 * (concurrency + queueSize);

const reading = readWav(recording('two_cities.wav'));
const cut = (from, to) => formBody(wavFile(reading.slice(from * 16_000, to * 16_000)));
const bodies = [cut(1, 5), cut(1, 5), cut(5, 12), cut(12, 20), cut(1, 5), cut(0, 44)];

const { base, pid, enginePid, stop } = await startService('hear', {
  env: { MAX_CONCURRENCY: String(concurrency), QUEUE_SIZE: String(queueSize), SERVER_LOG_LEVEL: 'error' },
});
const engine = enginePid();
const before = [memory(pid), memory(engine)];
const endProbe = probe(base);
const started = performance.now();
const counts = await drive(base, { clients, seconds, bodies, pauseMs: 1000 });
const took = (performance.now() - started) / 1000;
const { latencies, wrong } = await endProbe();
await sleep(2000);
const metrics = await (await fetch(`${base}/metrics`)).text();
const inside = metrics.match(/^hearsay_queue_\w+ .*$/gm);

const answers = Object.entries(counts).map(([kind, count]) => `${kind} × ${count}`);
const ms = (share) => `${round(percentile(latencies, share))} ms`;
save(import.meta.url, [
  ['clients', `${clients}, for ${concurrency} concurrent requests and a queue of ${queueSize}; ${round(took)} s`],
  ['answers', answers.join(', ')],
  ['/health and /ready', `median ${ms(0.5)}, p99 ${ms(0.99)}, worst ${ms(1)} of ${latencies.length} probes`],
  ['probes not answered with 200', wrong.length === 0 ? 'none' : `${wrong.length}: ${wrong.slice(0, 5).join('; ')}`],
  ['requests left afterwards', inside.join(', ')],
  ['memory of the HTTP process before; after', `${before[0]}; ${memory(pid)}`],
  ['memory of the engine process before; after', `${before[1]}; ${memory(engine)}`],
]);
const allowed = ['200', 'queue_full', 'queue_timeout'];
if (enginePid() !== engine) console.error('The engine has died meanwhile.');
if (Object.keys(counts).some((kind) => !allowed.includes(kind)) || wrong.length > 0) process.exitCode = 1;
await stop();
