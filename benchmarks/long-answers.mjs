/** The HTTP process alone, with an engine that returns hours of transcript at once. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { formBody, probe, send } from './load.mjs';
import { percentile, round } from './measure.mjs';

const answersAtOnce = 4;

/** Rows: how long responses of `hours` block the event loop, and the latency of /health. */
export async function answersOfHours(hours) {
  const child = fork(fileURLToPath(import.meta.url), [String(hours)], { execArgv: [] });
  const [{ base }] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true });
  const rows = [];
  for (const [format, fields] of [
    ['verbose_json with words', { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' }],
    [
      'the same as server-sent events',
      { response_format: 'verbose_json', 'timestamp_granularities[]': 'word', stream: 'true' },
    ],
    ['srt', { response_format: 'srt' }],
  ]) {
    const body = formBody(Buffer.from('audio'), fields);
    const ask = () => send(agent, `${base}/v1/audio/transcriptions`, body);
    await ask();
    child.send('reset');
    await once(child, 'message');
    const endProbe = probe(base, 2);
    let bytes = 0;
    for (let round = 0; round < 3; round++) {
      for (const { text, error } of await Promise.all(Array.from({ length: answersAtOnce }, ask))) {
        if (error) throw new Error(error);
        bytes = text.length;
      }
    }
    const { latencies } = await endProbe();
    child.send('read');
    const [{ worst }] = await once(child, 'message');
    rows.push([
      `${answersAtOnce} concurrent responses of ${hours} hours, ${format} (${round(bytes / 1e6, 2)} MB each)`,
      `event loop blocked for ${round(worst)} ms at worst; /health and /ready p99 ${round(percentile(latencies, 0.99))} ms, worst ${round(Math.max(...latencies))} ms of ${latencies.length} probes`,
    ]);
  }
  agent.destroy();
  child.disconnect();
  await once(child, 'exit');
  return rows;
}

/** Segments of 26 words each, without pauses. */
function transcript(hours) {
  const segments = [];
  for (let now = 0; now < 3600 * hours; now += 10) {
    const words = Array.from({ length: 26 }, (_, index) => {
      const start = now + index * 0.38;
      return { word: ['season', 'of', 'light,', 'wisdom.'][index % 4], start, end: start + 0.31, probability: 0.93123 };
    });
    segments.push({
      ...{ seek: 100 * now, start: now, end: now + 9.9, text: words.map(({ word }) => ` ${word}`).join('') },
      ...{
        tokens: words.flatMap(() => [1234, 567]),
        temperature: 0,
        avg_logprob: -0.12345,
        compression_ratio: 1.23456,
      },
      ...{ no_speech_prob: 0.012345, words },
    });
  }
  return segments;
}

async function serve(hours) {
  const { createHearService } = await import('../dist/hear/service.js');
  const { AdmissionGate } = await import('../dist/scheduling/admission.js');
  const { Drain } = await import('../dist/scheduling/drain.js');
  const { createLog } = await import('../dist/http/log.js');
  const info = { model: 'none', device: 'cpu', compute_type: 'none', languages: ['en'], translates: true };
  const segments = transcript(hours);
  const engine = {
    info,
    async *run() {
      for (const segment of segments) yield { type: 'segment', segment };
      yield { type: 'end', language: 'en', duration: 3600 * hours };
    },
  };
  const models = { state: 'ready', active: 'none', loaded: 'none', info, use: (work) => work(engine) };
  const uploadDir = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
  const app = await createHearService({
    config: {
      corsOrigins: '*',
      enableWebPlayer: false,
      maxAudioSeconds: 3600 * hours,
      maxUploadBytes: 1e6,
      serverLogLevel: 'silent',
      uploadTimeoutSeconds: 30,
    },
    models,
    gate: new AdmissionGate({ concurrency: 16, queueSize: 32, queueTimeoutMs: 60_000 }),
    drain: new Drain(),
    uploadDir,
    persistActiveModel: async () => {},
    log: createLog({ level: 'silent', format: 'json' }),
  });
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', (message) => {
    if (message === 'reset') delay.reset();
    process.send({ worst: delay.max / 1e6 });
  });
  process.on('disconnect', () => {
    rmSync(uploadDir, { recursive: true, force: true });
    process.exit(0);
  });
  process.send({ base });
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve(Number(process.argv[2]));
