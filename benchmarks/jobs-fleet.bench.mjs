/**
 * Background jobs of three replicas of hear on NATS, one of which is killed while it works, again and again. Needs nats-server
 * on the PATH or in NATS_SERVER, and shared/audio next to the repository. KILLS and JOBS change the numbers.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, save } from './measure.mjs';
import { sleep } from './service.mjs';

const REPLICAS = 3;
const jobs = Number(process.env.JOBS ?? 24);
const kills = Number(process.env.KILLS ?? 5);
const audio = fileURLToPath(new URL('../../shared/audio/', import.meta.url));
const main = fileURLToPath(new URL('../dist/hear/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jobs-fleet-'));

const port = await freePort();
const nats = spawn(process.env.NATS_SERVER ?? 'nats-server', [
  '-js',
  '-a',
  '127.0.0.1',
  '-p',
  port,
  '-sd',
  join(folder, 'nats'),
]);
const done = [];
const replicas = [];
// Also after an unhandled rejection.
process.once('exit', () => {
  for (const child of [nats, ...replicas.map((replica) => replica.child)]) child.kill('SIGKILL');
});
try {
  for (let index = 0; index < REPLICAS; index++) replicas.push(await startReplica(index));
  const clip = await openAsBlob(join(audio, 'two_cities.wav'));
  const reference = await transcript(replicas[0]);
  const started = performance.now();
  const ids = [];
  for (let index = 0; index < jobs; index++) ids.push(await enqueue(replicas[index % REPLICAS]));
  const recoveries = [];
  for (let kill = 0; kill < kills; kill++) {
    const victim = await working();
    if (victim === undefined) break;
    process.kill(replicas[victim.index].pid, 'SIGKILL');
    recoveries.push(recovery(victim));
    await replicas[victim.index].exited;
    replicas[victim.index] = await startReplica(victim.index);
  }
  const answers = [];
  for (const [index, id] of ids.entries()) answers.push(await outcome(replicas[index % REPLICAS], id));
  const seconds = (performance.now() - started) / 1000;
  const right = answers.filter(({ status, response }) => status === 'succeeded' && response.body.text === reference);
  const times = await Promise.all(recoveries);
  const twice = done.length - new Set(done).size;
  console.log({ right: right.length, lost: jobs - answers.length, twice, times, seconds });
  if (right.length !== jobs || twice > 0) throw new Error('A job was lost, wrong or done twice.');
  save(import.meta.url, [
    [
      `${jobs} jobs of 44 s of speech, ${REPLICAS} replicas, ${recoveries.length} killed while busy`,
      `${right.length} succeeded, ${jobs - right.length} lost, ${twice} done twice`,
    ],
    [
      'time from a kill until another replica runs the job',
      `median ${median(times).toFixed(0)} s, at most ${Math.max(...times).toFixed(0)} s`,
    ],
  ]);

  /** A replica that works on a job. */
  async function working() {
    for (let attempt = 0; attempt < 600; attempt++) {
      for (const id of ids) {
        const job = await read(replicas[0], id).catch(() => undefined);
        if (job?.status !== 'running') continue;
        const index = replicas.findIndex(({ running }) => running.has(id.slice(0, 12)));
        if (index >= 0) return { index, id, startedAt: job.started_at };
      }
      await sleep(100);
    }
    return undefined;
  }

  /** Seconds until a job whose worker was killed runs again, or has ended. */
  async function recovery({ id, startedAt }) {
    const begin = performance.now();
    for (;;) {
      const job = await anyRead(id);
      if (job && (job.started_at > startedAt || job.status === 'succeeded')) return (performance.now() - begin) / 1000;
      await sleep(200);
    }
  }

  async function anyRead(id) {
    for (const replica of replicas) {
      const job = await read(replica, id).catch(() => undefined);
      if (job) return job;
    }
    return undefined;
  }

  async function enqueue(replica) {
    const form = new FormData();
    form.append('file', clip, 'two_cities.wav');
    const response = await fetch(`${replica.base}/v1/audio/transcriptions?background=true`, {
      method: 'POST',
      body: form,
    });
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()).id;
  }

  async function transcript(replica) {
    const form = new FormData();
    form.append('file', clip, 'two_cities.wav');
    const response = await fetch(`${replica.base}/v1/audio/transcriptions`, { method: 'POST', body: form });
    return (await response.json()).text;
  }
} finally {
  for (const { child } of replicas) child.kill('SIGKILL');
  nats.kill('SIGKILL');
  await sleep(500);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function read(replica, id) {
  const response = await fetch(`${replica.base}/v1/jobs/${id}`);
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function outcome(replica, id) {
  for (;;) {
    const job = await read(replica, id);
    if (job.finished_at !== null) return job;
    await sleep(200);
  }
}

async function startReplica(index) {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, `data-${index}`),
      MODELS_DIR: join(folder, 'models'),
      HF_HUB_OFFLINE: 'true',
      JOBS_URL: `nats://127.0.0.1:${port}`,
      JOB_CONCURRENCY: '1',
      THREADS: '1',
      LOG_FORMAT: 'json',
      API_LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const running = new Set();
  let log = '';
  const base = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('hear ended before it was listening')));
    child.stdout.on('data', (chunk) => {
      log += chunk;
      const lines = log.split('\n');
      log = lines.pop();
      for (const line of lines) {
        const { msg = '', job } = JSON.parse(line);
        const found = /Listening on (http:\/\/[^:]+:\d+)/.exec(msg)?.[1];
        if (found) resolve(found);
        if (msg === 'A background job starts') running.add(job);
        if (msg === 'A background job succeeded') {
          running.delete(job);
          done.push(job);
        }
      }
    });
  });
  while ((await fetch(`${base}/ready`)).status !== 200) await sleep(50);
  return { child, pid: child.pid, base, exited, running };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(String(port)));
    });
  });
}
