import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { formBody } from '../../benchmarks/load.mjs';
import { perTest } from '../../test/fixtures/per-test.ts';
import { audio, type TestApp as SayApp, synthesisApp } from '../../test/fixtures/synthesis-app.ts';
import { type TestApp as HearApp, transcriptionApp } from '../../test/fixtures/transcription-app.ts';

const startHear = perTest(transcriptionApp);
const startSay = perTest(synthesisApp);

/** Value of a series by its name and labels. */
async function value({ app }: SayApp | HearApp, series: string): Promise<number> {
  const { body } = await app.inject('/metrics');
  const line = body.split('\n').find((each) => each.startsWith(`${series} `));
  expect([series, line]).not.toEqual([series, undefined]);
  return Number(line!.split(' ').at(-1));
}

const speech = async (t: SayApp) => t.post('/v1/audio/speech', { input: 'Hello' });

it('counts inference without the time before it, and the real-time factor', async () => {
  const t = await startSay();
  t.models.run = async function* () {
    yield audio('one');
    await sleep(200);
    yield audio('two');
    yield { type: 'end', seconds: 0.5 };
  };
  expect((await speech(t)).statusCode).toBe(200);
  expect(await value(t, 'hearsay_audio_seconds_total')).toBe(0.5);
  expect(await value(t, 'hearsay_inference_seconds_count')).toBe(1);
  const inference = await value(t, 'hearsay_inference_seconds_sum');
  expect(inference).toBeGreaterThan(0.19);
  expect(await value(t, 'hearsay_real_time_factor_sum')).toBeCloseTo(inference / 0.5, 5);
});

it('counts the inference of a recording, and none of an empty one in the factor', async () => {
  const t = await startHear();
  const form = formBody(Buffer.from('a recording'));
  const post = () =>
    t.app.inject({
      method: 'POST',
      url: '/v1/audio/transcriptions',
      headers: { 'content-type': form.type },
      payload: form.bytes,
    });
  expect((await post()).statusCode).toBe(200);
  t.models.run = async function* () {
    yield { type: 'end', language: 'en', languages: ['en'], duration: 0, missed: 0 };
  };
  expect((await post()).statusCode).toBe(200);
  expect(await value(t, 'hearsay_inference_seconds_count')).toBe(2);
  expect(await value(t, 'hearsay_real_time_factor_count')).toBe(1);
});

it('measures the first byte of a stream separately from its end', async () => {
  const t = await startSay();
  t.models.run = async function* () {
    yield audio('one');
    await sleep(300);
    yield audio('two');
  };
  expect((await speech(t)).body).toBe('onetwo');
  const labels = '{method="POST",route="/v1/audio/speech"}';
  const first = await value(t, `hearsay_first_byte_seconds_sum${labels}`);
  const whole = await value(t, `hearsay_http_request_duration_seconds_sum${labels}`);
  expect(whole - first).toBeGreaterThan(0.25);
});

it('counts errors by their code, from 0, also after a stream has begun', async () => {
  const t = await startSay({ apiKey: 'sesame' });
  expect(await value(t, 'hearsay_errors_total{code="queue_full"}')).toBe(0);
  await speech(t);
  expect(await value(t, 'hearsay_errors_total{code="invalid_api_key"}')).toBe(1);
  const headers = { authorization: 'Bearer sesame' };
  await t.post('/v1/audio/speech', { input: '' }, headers);
  expect(await value(t, 'hearsay_errors_total{code="invalid_request"}')).toBe(1);
  t.models.run = async function* () {
    yield audio('one');
    throw new Error('broken');
  };
  await t.post('/v1/audio/speech', { input: 'Hello' }, headers).catch(() => {});
  expect(await value(t, 'hearsay_errors_total{code="internal_error"}')).toBe(1);
  await t.app.inject('/nowhere');
  expect(await value(t, 'hearsay_errors_total{code="not_found"}')).toBe(1);
});

it('counts heads that cannot be read', async () => {
  const t = await startSay();
  const { port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
  await once(socket.resume(), 'close');
  expect(await value(t, 'hearsay_errors_total{code="invalid_request"}')).toBe(1);
  expect(await value(t, 'hearsay_http_requests_total{method="none",route="none",status="400"}')).toBe(1);
  const { body } = await t.app.inject('/metrics');
  expect(body).not.toContain('hearsay_http_request_duration_seconds_count{method="none"');
});

it('has one series for all files of the console', async () => {
  const t = await startSay();
  for (const path of ['/web', '/web/console/shared/base.css', '/web/console/say/main.js'])
    expect([path, (await t.app.inject(path)).statusCode]).toEqual([path, 200]);
  expect(await value(t, 'hearsay_http_requests_total{method="GET",route="/web",status="200"}')).toBe(1);
  expect(await value(t, 'hearsay_http_requests_total{method="GET",route="/web/*",status="200"}')).toBe(2);
});

it('counts the wait for a slot', async () => {
  const t = await startSay({ admission: { concurrency: 1, queueSize: 1, queueTimeoutMs: 5000 } });
  t.models.run = async function* () {
    await sleep(300);
    yield audio('one');
  };
  await Promise.all([speech(t), speech(t)]);
  expect(await value(t, 'hearsay_queue_wait_seconds_count')).toBe(2);
  expect(await value(t, 'hearsay_queue_wait_seconds_bucket{le="0.001"}')).toBe(1);
  expect(await value(t, 'hearsay_queue_wait_seconds_sum')).toBeGreaterThan(0.2);
});

it.skipIf(process.platform !== 'linux')('shows the memory and the restarts of the engine', async () => {
  const t = await startSay();
  expect(await value(t, 'hearsay_engine_memory_bytes')).toBe(0);
  t.models.pid = process.pid;
  t.models.deaths = 2;
  expect(await value(t, 'hearsay_engine_memory_bytes')).toBeGreaterThan(10_000_000);
  for (let reads = 0; reads < 2; reads++) expect(await value(t, 'hearsay_engine_restarts_total')).toBe(2);
  // It has just ended.
  t.models.pid = 2 ** 30;
  expect(await value(t, 'hearsay_engine_memory_bytes')).toBe(0);
});
