import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import {
  audio,
  spokenBytes,
  synthesisApp,
  type TestApp,
  type TestConfig,
} from '../../../test/fixtures/synthesis-app.ts';

let t: TestApp;
const start = async (config: TestConfig) => {
  t = await synthesisApp(config);
  return t;
};
afterEach(() => t.close());

const routes: [string, object][] = [
  ['/v1/audio/speech', { input: 'Hello' }],
  ['/v1/audio/speech', { input: 'Hello', stream: false }],
  ['/dev/captioned_speech', { input: 'Hello' }],
  ['/v1/audio/dialogue', { lines: [{ input: 'Hello' }] }],
  ['/dev/captioned_dialogue', { lines: [{ input: 'Hello' }], stream: false }],
  ['/v1/audio/book', { chapters: [{ title: 'One', input: 'Hello' }] }],
  ['/dev/captioned_book', { chapters: [{ title: 'One', input: 'Hello' }], stream: false }],
  ['/dev/phonemize', { text: 'Hello' }],
  ['/dev/generate_from_phonemes', { phonemes: 'həlˈO' }],
];

/** Keeps every job in the engine until the returned function is called. */
function holdJobs({ models }: TestApp): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  models.run = async function* () {
    yield audio('one ');
    await released;
    yield audio('two three tail');
  };
  return release;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

it.each(routes)(
  'say had no admission: %s gets 503 when all slots are taken and the queue is full',
  async (path, body) => {
    const { app, gate } = await start({ admission: { concurrency: 1, queueSize: 1, queueTimeoutMs: 60_000 } });
    const release = holdJobs(t);
    const first = t.post('/v1/audio/speech', { input: 'First' });
    await until(() => gate.active === 1);
    const second = t.post('/v1/audio/speech', { input: 'Second' });
    await until(() => gate.waiting === 1);
    const refused = await t.post(path, body);
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().detail.error]).toEqual([
      ...[503, '10', 'queue_full'],
    ]);
    // Everything that needs no model is served.
    for (const url of ['/v1/audio/voices', '/v1/models', '/system', '/health', '/ready', '/debug/threads']) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
    }
    expect((await app.inject('/v1/download/none.mp3')).statusCode).toBe(404);
    expect((await app.inject('/system')).json().activity).toEqual({ active: 2, waiting: 0 });
    const metrics = (await app.inject('/metrics')).body;
    expect(metrics).toContain('hearsay_queue_active 1\n');
    expect(metrics).toContain('hearsay_queue_waiting 1\n');
    release();
    for (const response of [await first, await second]) {
      expect([response.statusCode, response.body]).toEqual([200, spokenBytes]);
    }
    await until(() => gate.active + gate.waiting === 0);
    expect((await t.post(path, body)).statusCode).toBe(200);
  },
);

it('a request that waits too long gets 503 queue_timeout', async () => {
  const { gate, models } = await start({ admission: { concurrency: 1, queueSize: 1, queueTimeoutMs: 20 } });
  const release = holdJobs(t);
  const first = t.post('/v1/audio/speech', { input: 'First' });
  await until(() => gate.active === 1);
  const late = await t.post('/v1/audio/speech', { input: 'Late', return_download_link: true });
  expect([late.statusCode, late.headers['retry-after'], late.json().detail.error]).toEqual([
    ...[503, '10', 'queue_timeout'],
  ]);
  expect(models.jobs).toHaveLength(1);
  release();
  await first;
  expect(await t.files()).toEqual([]);
});

it('an invalid request and a client that disconnects leave no place taken', async () => {
  const { gate } = await start({ admission: { concurrency: 1, queueSize: 1, queueTimeoutMs: 60_000 } });
  const release = holdJobs(t);
  expect((await t.post('/v1/audio/speech', { input: '[pause:61s]' })).statusCode).toBe(400);
  expect((await t.post('/v1/audio/speech', { input: 'Hello', voice: 'nobody' })).statusCode).toBe(400);
  await until(() => gate.active + gate.waiting === 0);
  const url = await t.listen();
  const first = t.post('/v1/audio/speech', { input: 'First' });
  await until(() => gate.active === 1);
  const headers = { 'content-type': 'application/json' };
  const gone = request(`${url}/v1/audio/speech`, { method: 'POST', headers, agent: false });
  gone.on('error', () => {});
  gone.end('{"input": "Gone"}');
  await until(() => gate.waiting === 1);
  gone.destroy();
  await until(() => gate.waiting === 0);
  release();
  expect((await first).statusCode).toBe(200);
});
