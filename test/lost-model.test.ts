import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { report } from './fixtures/faults.ts';
import { smallKokoro } from './fixtures/kokoro.ts';
import { endAll, type Service, startHear, startSay, until } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

let weights: string;
beforeEach(async () => {
  weights = await mkdtemp(join(tmpdir(), 'lost-model-'));
});
afterEach(async () => {
  await endAll();
  await rm(weights, { recursive: true, force: true });
});

interface Subject {
  service: Service;
  request: () => Promise<Response>;
}

const subjects: Record<string, (env: Record<string, string>) => Promise<Subject>> = {
  async hear(env) {
    await cp(microCheckpoint, weights, { recursive: true });
    const hear = await startHear({ MODEL_SIZE: weights, ...env });
    return { service: hear, request: () => hear.post({ file: recordingFile('french') }) };
  },
  async say(env) {
    await cp(smallKokoro, weights, { recursive: true });
    const say = await startSay({ TTS_MODEL: weights, ...env });
    return { service: say, request: () => say.post('/v1/audio/speech', { input: 'Good morning.' }) };
  },
};

const health = async (service: Service) => {
  const response = await service.get('/health');
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const readiness = async (service: Service) => {
  const response = await service.get('/ready');
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
};
const warming = { status: 503, retryAfter: '10', body: { status: 'warming' } };

describe.each(Object.keys(subjects))('%s', (name) => {
  it('whose weights were removed and whose engine was killed does not claim to be ready, and ends', async () => {
    const { service, request } = await subjects[name]!({ FAILURE_WINDOW_SECONDS: '3' });
    await service.ready();
    expect((await request()).status).toBe(200);
    await rm(weights, { recursive: true });
    process.kill(service.engines()[0]!, 'SIGKILL');

    await until(async () => (await readiness(service)).status === 503, 'the death is known');
    expect(await readiness(service)).toEqual(warming);
    const ill = await health(service);
    expect(ill).toMatchObject({ status: 200, body: { status: 'warming', model_loaded: false } });
    expect(ill.body.error).toMatch(/^The engine was killed by SIGKILL\./);
    const metrics = await (await service.get('/metrics')).text();
    expect(metrics).toContain('hearsay_model_state{state="warming"} 1');
    expect(metrics).toContain('hearsay_model_state{state="ready"} 0');
    const refused = await request();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ detail: { error: 'model_warming' } });
    expect((await health(service)).body.error).toMatch(/killed by SIGKILL\. Loading the model again failed: /);

    await until(async () => (await health(service)).status === 503, 'the model has failed');
    const since = Date.now();
    expect((await health(service)).body).toEqual({ status: 'failed', error: expect.stringMatching(/./) });
    const failed = await request();
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, null]);
    expect(await failed.json()).toMatchObject({ detail: { error: 'model_failed' } });
    expect((await service.exited).code).toBe(1);
    expect(Date.now() - since).toBeGreaterThan(2000);
    expect(await readdir(service.tempDir)).toEqual([]);
  });

  it('whose weights come back recovers by itself', async () => {
    const { service, request } = await subjects[name]!({ FAILURE_WINDOW_SECONDS: '60' });
    await service.ready();
    const away = `${weights}-away`;
    await cp(weights, away, { recursive: true });
    await rm(weights, { recursive: true });
    process.kill(service.engines()[0]!, 'SIGKILL');
    await until(async () => String((await health(service)).body.error).includes('failed'), 'a load has failed');
    await cp(away, weights, { recursive: true });
    await rm(away, { recursive: true });
    await service.ready();
    expect((await health(service)).body).toMatchObject({ status: 'healthy', model_loaded: true });
    expect((await request()).status).toBe(200);
    await service.stop();
  });
});

it('one extra engine answers all of fourteen requests whose engine is killed', async () => {
  const hear = await startHear({ MODEL_SIZE: microCheckpoint });
  await hear.ready();
  const [engine] = hear.engines();
  process.kill(engine!, 'SIGSTOP');
  const requests = Array.from({ length: 14 }, async () => {
    const answer = await hear.post({ file: recordingFile('french') });
    return [answer.status, ((await answer.json()) as { text: string }).text];
  });
  await until(async () => (await hear.metric('hearsay_queue_active')) === 14, 'all requests are active');
  // Every id of a process from now on, to count the loads.
  const seen = new Set<number>();
  const watch = setInterval(() => {
    for (const pid of hear.engines()) seen.add(pid);
  }, 20);
  process.kill(engine!, 'SIGKILL');
  const answers = await Promise.all(requests);
  clearInterval(watch);
  expect(answers).toEqual(Array.from({ length: 14 }, () => [200, recordings.french!.text]));
  seen.delete(engine!);
  expect(seen.size).toBe(2);
  report(['14 requests to hear whose engine is killed', '200 × 14, with two new engines']);
  await until(() => hear.engines().length === 1, 'one engine is left');
  await hear.stop();
});
