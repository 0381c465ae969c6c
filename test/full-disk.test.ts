import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { report } from './fixtures/faults.ts';
import { smallKokoro } from './fixtures/kokoro.ts';
import { writeMedia } from './fixtures/media.ts';
import { endAll, type Service, startHear, startSay, until } from './fixtures/service.ts';

// A limit on file sizes simulates a full disk without mounting one: writes fail in the same place.
const hasLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!hasLimit) console.log('Skipped: full disks, because there is no prlimit.');

/** Limits the size of all files that a service's HTTP process writes from now on. */
function limitFiles(service: Service, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:unlimited`]);
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

let folder: string;
/** Two seconds of silence: 64 KB. */
let recording: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  recording = join(folder, 'recording.wav');
  await writeMedia(recording, 'wav s16', { samples: new Float32Array(32_000), sampleRate: 16_000 });
});
afterEach(endAll);
afterAll(() => rm(folder, { recursive: true, force: true }));

const full = { error: { code: 507, type: 'server_error', message: expect.stringMatching(/disk is full/) } };

describe.skipIf(!hasLimit)('a full disk', () => {
  it('fails an upload with 507 and leaves the service intact', async () => {
    const hear = await startHear();
    await hear.ready();
    const engines = hear.engines();
    limitFiles(hear, 20_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => hear.post({ file: recording })));
    for (const answer of answers) {
      expect(answer.status).toBe(507);
      expect(await answer.json()).toMatchObject(full);
    }
    expect(await hear.tempFiles()).toEqual([]);
    expect((await hear.get('/health')).status).toBe(200);
    limitFiles(hear, 'unlimited');
    expect((await hear.post({ file: recording })).status).toBe(200);
    expect(hear.engines()).toEqual(engines);
    report(['20 uploads to hear with a full disk', '507 × 20, no file left behind, then 200']);
    await hear.stop();
  });

  it('in DATA_DIR fails an activation with 507 and leaves no partial file', async () => {
    const dataDir = join(folder, 'data');
    const hear = await startHear({ DATA_DIR: dataDir });
    await hear.ready();
    limitFiles(hear, 0);
    const refused = await hear.activate('moonshine-tiny');
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject(full);
    expect((await readdir(dataDir)).sort()).toEqual(['jobs', 'models']);
    limitFiles(hear, 'unlimited');
    expect((await hear.activate('moonshine-tiny')).status).toBe(200);
    expect((await readdir(dataDir)).sort()).toEqual(['active_model', 'jobs', 'models']);
    await hear.stop();
  });

  it('in DATA_DIR refuses a background job with 507, and loses none that was taken', async () => {
    const hear = await startHear({ JOB_CONCURRENCY: '1' });
    await hear.ready();
    const enqueue = () => {
      const form = new FormData();
      form.append('file', new Blob([readFileSync(recording)]), 'speech');
      return fetch(`${hear.url}/v1/audio/transcriptions?background=true`, { method: 'POST', body: form });
    };
    const files = () => readdir(join(hear.dataDir, 'jobs'));
    // The engine has decoded before: it needs no file for this.
    expect((await hear.post({ file: recording })).status).toBe(200);
    limitFiles(hear, 20_000);
    const refused = await enqueue();
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject(full);
    expect(await files()).toEqual(['lock']);
    limitFiles(hear, 'unlimited');
    const engine = hear.engines()[0]!;
    process.kill(engine, 'SIGSTOP');
    const { id } = (await (await enqueue()).json()) as { id: string };
    const job = async () => (await (await hear.get(`/v1/jobs/${id}`)).json()) as { status: string };
    await until(async () => (await job()).status === 'running', 'the job runs');
    limitFiles(hear, 0);
    process.kill(engine, 'SIGCONT');
    await until(() => hear.log.some((line) => line.includes('disk is full')), 'the disk is full');
    limitFiles(hear, 'unlimited');
    await until(async () => (await job()).status === 'succeeded', 'the job has succeeded');
    await hear.stop();
  });

  it('in DATA_DIR gets the room of a job that is cancelled, also over a restart', async () => {
    const hear = await startHear({ JOB_CONCURRENCY: '0' });
    await hear.ready();
    const form = new FormData();
    form.append('file', new Blob([readFileSync(recording)]), 'speech');
    const url = `${hear.url}/v1/audio/transcriptions?background=true`;
    const { id } = (await (await fetch(url, { method: 'POST', body: form })).json()) as { id: string };
    limitFiles(hear, 0);
    const cancelled = await fetch(`${hear.url}/v1/jobs/${id}`, { method: 'DELETE' });
    expect([cancelled.status, await cancelled.json()]).toEqual([200, expect.objectContaining({ status: 'cancelled' })]);
    const jobs = join(hear.dataDir, 'jobs');
    expect((await readdir(jobs)).sort()).toEqual([`${id}.cancelled`, `${id}.json`, 'lock']);
    expect((await stat(join(jobs, `${id}.cancelled`))).size).toBe(0);
    limitFiles(hear, 'unlimited');
    await hear.stop();
    const next = await startHear({ DATA_DIR: hear.dataDir });
    await next.ready();
    expect(await (await next.get(`/v1/jobs/${id}`)).json()).toMatchObject({ status: 'cancelled' });
    await next.stop();
  });

  it('in DATA_DIR is named as the reason of a failed load', async () => {
    const hear = await startHear({
      DATA_DIR: join(folder, 'empty'),
      WARMUP_ON_START: 'false',
      FAILURE_WINDOW_SECONDS: '30',
    });
    // The engine inherits the limit and fails to write the compiled model.
    limitFiles(hear, 1_000_000);
    const failed = await hear.post({ file: recording });
    expect(await failed.json()).toMatchObject({
      error: { code: 503, message: expect.stringMatching(/disk is full/) },
      detail: { error: 'model_unavailable' },
    });
    expect(failed.status).toBe(503);
    expect(await readdir(join(hear.dataDir, 'models', 'compiled'))).toEqual([]);
    limitFiles(hear, 'unlimited');
    expect((await hear.post({ file: recording })).status).toBe(200);
    await hear.stop();
  });

  it('fails whole speech with 507, and costs a stream only its download', async () => {
    const say = await startSay();
    await say.ready();
    const fields = {
      input: 'The lecture was long, but the questions afterwards were excellent.',
      response_format: 'pcm',
    };
    limitFiles(say, 20_000);
    for (const more of [{}, { return_download_link: true }]) {
      const whole = await say.post('/v1/audio/speech', { ...fields, ...more, stream: false });
      expect(whole.status).toBe(507);
      expect(await whole.json()).toMatchObject(full);
    }
    const stream = await say.post('/v1/audio/speech', { ...fields, return_download_link: true });
    expect((await stream.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
    expect((await say.get(stream.headers.get('x-download-path')!)).status).toBe(404);
    await until(async () => (await say.tempFiles()).length === 0, 'no file is left');
    limitFiles(say, 'unlimited');
    expect((await say.post('/v1/audio/speech', { ...fields, stream: false })).status).toBe(200);
    await say.stop();
  });

  it('fails a combined voice with 507 and leaves no file', async () => {
    const dataDir = join(folder, 'data');
    const say = await startSay({ TTS_MODEL: smallKokoro, ALLOW_LOCAL_VOICE_SAVING: 'true', DATA_DIR: dataDir });
    await say.ready();
    limitFiles(say, 100_000);
    const combine = () => say.post('/v1/audio/voices/combine', 'af_heart(2)+bm_george(1)');
    const refused = await combine();
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject(full);
    expect(await readdir(join(dataDir, 'voices'))).toEqual([]);
    limitFiles(say, 'unlimited');
    expect((await combine()).status).toBe(200);
    await say.stop();
  });
});

describe('a temporary directory removed by a cleaner', () => {
  it('is created again', async () => {
    const hear = await startHear();
    await hear.ready();
    for (const name of await readdir(hear.tempDir)) await rm(join(hear.tempDir, name), { recursive: true });
    expect((await hear.post({ file: recording })).status).toBe(200);
    await hear.stop();
  });
});
