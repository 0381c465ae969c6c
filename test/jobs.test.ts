import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { report } from './fixtures/faults.ts';
import { writeMedia } from './fixtures/media.ts';
import { openaiClient } from './fixtures/openai.ts';
import { childrenOf, endAll, type Hear, isRunning, startHear, until } from './fixtures/service.ts';
import { shareCompiledModels } from './fixtures/shared-models.ts';
import { hasSpeech, joinSamples, readSpeech, speechFile, speechText, spokenWords } from './fixtures/speech.ts';

const kills = Number(process.env.FAULT_ROUNDS ?? 3);
let folder: string;
let dataDir: string;
/** A recording that keeps the engine busy for seconds. */
let long: string;
let runs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobs-'));
  if (!hasSpeech) return;
  long = join(folder, 'long.wav');
  const reading = await readSpeech(speechFile('two_cities.wav'));
  await writeMedia(long, 'wav s16', { samples: joinSamples([reading, reading]), sampleRate: 16_000 });
});
beforeEach(() => {
  dataDir = join(folder, `data-${++runs}`);
  shareCompiledModels(dataDir);
});
afterEach(endAll);
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (env: Record<string, string> = {}) => startHear({ THREADS: '1', DATA_DIR: dataDir, ...env });

async function enqueue(hear: Hear, file: string, fields: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([await readFile(file)]), 'speech');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const url = `${hear.url}/v1/audio/transcriptions?background=true`;
  const response = await fetch(url, { method: 'POST', body: form });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

interface Job {
  status: string;
  progress: { seconds: number } | null;
  response: { status: number; body: { text: string } } | null;
  error: { code: number } | null;
}
const read = async (hear: Hear, id: string) => (await (await hear.get(`/v1/jobs/${id}`)).json()) as Job;
const reaches = (hear: Hear, id: string, status: string) =>
  until(async () => (await read(hear, id)).status === status, `the job has ${status}`);

/** Ends the service at once, with its engines. */
async function kill(hear: Hear): Promise<void> {
  const all = hear.engines().flatMap((engine) => [engine, ...childrenOf(engine)]);
  process.kill(hear.pid, 'SIGKILL');
  await hear.exited;
  await until(() => !all.some(isRunning), 'the engines have ended');
}

describe.skipIf(!hasSpeech)('background jobs', () => {
  it(
    'survive kill -9 at random moments: none is lost, none is answered twice',
    async () => {
      let hear = await start();
      await hear.ready();
      const expected = spokenWords(speechText('jfk.txt'));
      const ids: string[] = [];
      const posts: Promise<unknown>[] = [];
      for (let round = 1; round <= kills; round++) {
        ids.push(await enqueue(hear, speechFile('jfk.flac')), await enqueue(hear, speechFile('jfk.flac')));
        // Uploads that are cut leave nothing.
        posts.push(
          hear.post({ file: long }).catch(() => {}),
          enqueue(hear, long).catch(() => {}),
        );
        await sleep(Math.random() * 3000);
        await kill(hear);
        hear = await start();
      }
      await Promise.all(posts);
      await hear.ready();
      for (const id of ids) await reaches(hear, id, 'succeeded');
      for (const id of ids) expect(spokenWords((await read(hear, id)).response!.body.text)).toEqual(expected);
      const waiting = async () =>
        (await (await hear.get('/metrics')).text()).match(/^hearsay_jobs\{state="(queued|running)"\} [1-9]/m);
      await until(async () => (await waiting()) === null, 'no job is left');
      const files = await readdir(join(dataDir, 'jobs'));
      const records = files.filter((name) => name.endsWith('.json'));
      const responses = files.filter((name) => name.endsWith('.response'));
      expect(records.map((name) => name.split('.')[0])).toEqual(responses.map((name) => name.split('.')[0]));
      expect(records.length + responses.length + 1).toBe(files.length);
      for (const id of ids) expect(records).toContain(`${id}.json`);
      report([`${ids.length} background jobs, ${kills} kills of the service`, 'each succeeded, with its own text']);
      await hear.stop();
    },
    60_000 + kills * 30_000,
  );

  it('go on after their engine was killed, and say how far they are', async () => {
    const hear = await start();
    await hear.ready();
    const id = await enqueue(hear, long);
    await until(async () => ((await read(hear, id)).progress?.seconds ?? 0) > 0, 'the job has come on');
    process.kill(hear.engines()[0]!, 'SIGKILL');
    await reaches(hear, id, 'succeeded');
    await hear.stop();
  });

  it('go back to the queue on SIGTERM, and are done by the next process', async () => {
    const first = await start({ SHUTDOWN_TIMEOUT_SECONDS: '1' });
    await first.ready();
    const id = await enqueue(first, long);
    await reaches(first, id, 'running');
    // A fast machine would be done within the second.
    process.kill(first.engines()[0]!, 'SIGSTOP');
    await first.stop();
    expect(JSON.parse(await readFile(join(dataDir, 'jobs', `${id}.json`), 'utf8'))).toMatchObject({
      status: 'queued',
      starts: 0,
    });
    const next = await start();
    await next.ready();
    await reaches(next, id, 'succeeded');
    await next.stop();
  });

  it('let a request go first', async () => {
    const hear = await start({ JOB_CONCURRENCY: '1' });
    await hear.ready();
    const id = await enqueue(hear, long);
    await reaches(hear, id, 'running');
    const answer = await hear.post({ file: speechFile('jfk.flac') });
    expect(answer.status).toBe(200);
    expect((await read(hear, id)).status).toBe('running');
    await hear.stop();
  });

  it('belong to one process: another one on the same folder refuses them, until the first has ended', async () => {
    const first = await start();
    const second = await start();
    await until(async () => (await second.get('/v1/jobs/job_0')).status === 404, 'jobs are asked for');
    const refused = await fetch(`${second.url}/v1/audio/transcriptions?background=true`, {
      method: 'POST',
      body: new FormData(),
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ detail: { error: 'jobs_unavailable' } });
    await kill(first);
    await second.ready();
    await until(async () => (await second.get(`/v1/jobs/job_${'0'.repeat(32)}`)).status === 404, 'the folder is taken');
    await reaches(second, await enqueue(second, speechFile('jfk.flac')), 'succeeded');
    await second.stop();
  });

  it('are made and read with the openai package', async () => {
    const hear = await start();
    await hear.ready();
    const client = openaiClient(hear);
    const file = new File([await readFile(speechFile('jfk.flac'))], 'jfk.flac');
    const job = (await client.audio.transcriptions.create(
      { file, model: 'asr-1' },
      { query: { background: true } },
    )) as unknown as { id: string };
    await reaches(hear, job.id, 'succeeded');
    const done = await client.get<Job>(`/jobs/${job.id}`);
    expect(spokenWords(done.response!.body.text)).toEqual(spokenWords(speechText('jfk.txt')));
    await hear.stop();
  });
});
