import { describe, expect, it } from 'vitest';
import { perTest } from '../../test/fixtures/per-test.ts';
import { synthesisApp } from '../../test/fixtures/synthesis-app.ts';
import { version } from '../config/version.ts';

const start = perTest(synthesisApp);

const guarded = [
  ['POST', '/v1/audio/speech'],
  ['GET', '/v1/audio/voices'],
  ['POST', '/v1/audio/voices/combine'],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/tts-1'],
  ['GET', '/v1/audio/models'],
  ['GET', '/v1/download/a.mp3'],
  ['POST', '/v1/audio/dialogue'],
  ['POST', '/v1/audio/book'],
  ['POST', '/dev/captioned_speech'],
  ['POST', '/dev/captioned_dialogue'],
  ['POST', '/dev/captioned_book'],
  ['POST', '/dev/phonemize'],
  ['POST', '/dev/generate_from_phonemes'],
  ['POST', '/dev/unload'],
  ['GET', '/debug/threads'],
  ['GET', '/debug/storage'],
  ['GET', '/debug/system'],
] as const;
const open = ['/health', '/ready', '/system', '/web', '/docs', '/docs/json', '/metrics'];

describe('API key', () => {
  it('is required under /v1, /dev and /debug only', async () => {
    const { app, models } = await start({ apiKey: 'sesame' });
    for (const state of ['ready', 'warming'] as const) {
      models.state = state;
      for (const [method, url] of guarded) {
        const response = await app.inject({ method, url });
        expect([url, response.statusCode]).toEqual([url, 401]);
        expect(response.headers['www-authenticate']).toBe('Bearer');
        expect(response.json().detail).toBe('Invalid API key');
      }
    }
    models.state = 'ready';
    for (const url of open) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
    const headers = { authorization: 'Bearer sesame' };
    expect((await app.inject({ url: '/v1/models', headers })).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/dev/unload', headers })).statusCode).toBe(200);
  });
});

it('sends CORS headers under /v1 only and exposes X-Download-Path', async () => {
  const { app } = await start();
  const origin = 'https://page.example';
  for (const [method, url] of guarded) {
    const response = await app.inject({ method, url, headers: { origin } });
    const allowed = url.startsWith('/v1/') ? '*' : undefined;
    expect([url, response.headers['access-control-allow-origin']]).toEqual([url, allowed]);
  }
  const response = await app.inject({ url: '/v1/models', headers: { origin } });
  expect(response.headers['access-control-expose-headers']).toContain('X-Download-Path');
});

describe('logs', () => {
  it('contain no text, query or key', async () => {
    const t = await start({ apiKey: 'secret-key' });
    const headers = { authorization: 'Bearer secret-key' };
    const input = 'the secret text';
    await t.post('/v1/audio/speech', { input }, headers);
    await t.post('/v1/audio/speech?secret=query', { input, voice: 'secret_voice' }, headers);
    await t.post('/dev/captioned_speech', { input }, headers);
    await t.post('/dev/phonemize', { text: input }, headers);
    await t.app.inject({ url: '/v1/download/secret', headers });
    expect(t.log).toHaveLength(5);
    for (const secret of ['secret', 'Hello', 'world']) expect(t.log.join('')).not.toContain(secret);
  });
});

describe('GET /v1/models', () => {
  it('lists ids and finds aliases too', async () => {
    const { app } = await start();
    const ids = ['tts-1', 'tts-1-hd', 'tts-native', 'chat-4o-mini-tts'];
    const entry = (id: string) => ({ id, object: 'model', created: expect.any(Number), owned_by: 'hearsay' });
    const list = (await app.inject('/v1/models')).json();
    expect(list).toEqual({ object: 'list', data: ids.map(entry) });
    expect((await app.inject('/v1/audio/models')).json()).toEqual({ ...list, models: list.data });
    for (const id of [...ids, 'kokoro', 'gpt-4o-mini-tts']) {
      expect((await app.inject(`/v1/models/${id}`)).json()).toEqual(entry(id));
    }
    const unknown = await app.inject('/v1/models/whisper-1');
    expect([unknown.statusCode, unknown.json().error.param]).toEqual([404, 'model']);
  });
});

describe('GET /health and GET /ready', () => {
  it('follow the state of the model', async () => {
    const { app, models, drain } = await start();
    const answers = async () => {
      const [health, ready] = [await app.inject('/health'), await app.inject('/ready')];
      return [health.statusCode, health.json(), ready.statusCode, ready.json().status, ready.headers['retry-after']];
    };
    const info = { device: 'cpu', compute_type: 'float32', model: 'flite' };
    expect(await answers()).toEqual([200, { status: 'healthy', model_loaded: true, ...info }, 200, 'ready', undefined]);
    models.state = 'warming';
    expect(await answers()).toEqual([200, { status: 'warming', model_loaded: false }, 503, 'warming', '10']);
    models.state = 'failed';
    models.error = 'No weights.';
    expect(await answers()).toEqual([503, { status: 'failed', error: 'No weights.' }, 503, 'failed', '10']);
    models.state = 'uninitialized';
    expect(await answers()).toEqual([200, { status: 'healthy', model_loaded: false }, 503, 'uninitialized', '10']);
    drain.start();
    expect((await app.inject('/ready')).json()).toEqual({ status: 'draining' });
  });
});

it('POST /dev/unload unloads the model with any body', async () => {
  const { app, models } = await start();
  const url = '/dev/unload';
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/x' }]) {
    const empty = await app.inject({ method: 'POST', url, headers });
    expect([empty.statusCode, empty.json()]).toEqual([200, { status: 'unloaded' }]);
    const response = await app.inject({ method: 'POST', url, headers, payload: '{broken' });
    expect(response.statusCode).toBe(200);
  }
  expect(models.unloads).toBe(6);
});

describe('GET /system', () => {
  it('reports the model once it is ready', async () => {
    const { app, models } = await start();
    const answer = {
      version,
      status: 'ready',
      gpu: null,
      activity: { active: 0, waiting: 0 },
      model: { device: 'cpu', backend: 'flite_wasm', voicepack_count: 4, resident: true },
    };
    expect((await app.inject('/system')).json()).toEqual(answer);
    models.resident = false;
    expect((await app.inject('/system')).json().model.resident).toBe(false);
    models.state = 'warming';
    expect((await app.inject('/system')).json()).toEqual({ ...answer, status: 'warming', model: null });
  });

  it('reports the GPU', async () => {
    const gpu = { name: 'NVIDIA H100', memory_used_bytes: 1, memory_total_bytes: 2, power_w: 70.5 };
    const { app } = await start({ readGpu: async () => gpu });
    expect((await app.inject('/system')).json().gpu).toEqual(gpu);
  });
});

describe('/debug', () => {
  it('reports facts about machine and process, but no settings', async () => {
    const { app, downloads } = await start();
    const threads = (await app.inject('/debug/threads')).json();
    expect(threads.total_threads).toBe(threads.thread_details.length);
    expect(threads.thread_names).toEqual(threads.thread_details.map(({ name }: { name: string }) => name));
    expect(threads.active_threads).toBeLessThanOrEqual(threads.total_threads);
    expect(threads.memory_mb).toBeGreaterThan(20);

    const storage = (await app.inject('/debug/storage')).json();
    expect(storage.temp).toMatchObject({ folder: downloads.folder, files: 0, bytes: 0 });
    expect(storage.storage_info.length).toBeGreaterThan(0);
    for (const disk of [...storage.storage_info, storage.temp]) {
      expect(disk.total_gb).toBeGreaterThanOrEqual(disk.used_gb);
      expect(disk.percent_used).toBeLessThanOrEqual(100);
    }

    const system = await app.inject('/debug/system');
    expect(Object.keys(system.json())).toEqual(['cpu', 'memory', 'process', 'network', 'gpu']);
    expect(system.json().cpu.cpu_count).toBeGreaterThan(0);
    expect(system.json().memory.virtual.total_gb).toBeGreaterThan(0);
    expect(system.json().process.pid).toBe(process.pid);
    expect(system.json().cpu.per_cpu_percent).toHaveLength(system.json().cpu.cpu_count);
    expect(system.json().network.interfaces.map(({ name }: { name: string }) => name)).toContain('lo');
    for (const value of [process.env.PATH, ...process.argv]) expect(system.body).not.toContain(value);
  });
});

it('/debug/system froze the service for seconds: forty requests at once share one answer', async () => {
  const { app } = await start();
  for (const url of ['/debug/system', '/debug/storage']) {
    const answers = await Promise.all(Array.from({ length: 40 }, async () => (await app.inject(url)).body));
    expect(new Set(answers).size).toBe(1);
    expect((await app.inject(url)).body).toBe(answers[0]);
  }
});

describe('/web', () => {
  it('serves the console unless ENABLE_WEB_PLAYER=false', async () => {
    const { app } = await start();
    const page = await app.inject('/web');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('Hearsay · say');
    const without = await start({ enableWebPlayer: false });
    for (const url of ['/web', '/web/console/shared/base.css', '/web/console/say/main.js']) {
      expect([url, (await without.app.inject(url)).statusCode]).toEqual([url, 404]);
    }
  });
});

it('GET /metrics counts requests and active synthesis', async () => {
  const t = await start();
  await t.post('/v1/audio/speech', { input: 'Hello' });
  await t.post('/v1/audio/speech', { input: '' });
  const { body } = await t.app.inject('/metrics');
  for (const line of [
    'hearsay_http_requests_total{method="POST",route="/v1/audio/speech",status="200"} 1',
    'hearsay_http_requests_total{method="POST",route="/v1/audio/speech",status="400"} 1',
    'hearsay_queue_active 0',
    'hearsay_queue_load 0',
    'hearsay_model_state{state="ready"} 1',
  ]) {
    expect(body).toContain(`${line}\n`);
  }
});

it('GET /docs/json describes every route', async () => {
  const { app } = await start();
  const api = (await app.inject('/docs/json')).json();
  const paths = guarded.map(([, url]) => url.replace('/tts-1', '/{model}').replace('/a.mp3', '/{file}'));
  expect(Object.keys(api.paths).sort()).toEqual([...paths, '/health', '/metrics', '/ready', '/system'].sort());
  const { requestBody, responses } = api.paths['/v1/audio/speech'].post;
  const { required, properties } = requestBody.content['application/json'].schema;
  expect(required).toEqual(['input']);
  expect(properties).toMatchObject({
    model: { type: 'string', default: 'tts-native' },
    voice: {
      anyOf: [{ type: 'string' }, { type: 'object', required: ['id'] }],
      description: expect.stringContaining('by default `af_heart`'),
    },
    response_format: { enum: ['mp3', 'opus', 'flac', 'wav', 'pcm', 'aac'], default: 'mp3' },
    speed: { type: 'number', minimum: 0.25, maximum: 4, default: 1 },
    stream: { type: 'boolean', default: true },
    stream_format: { enum: ['audio', 'sse'], default: 'audio' },
  });
  expect(Object.keys(responses['200'].content)).toEqual(expect.arrayContaining(['audio/mpeg', 'text/event-stream']));
  expect(Object.keys(api.components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'SpeechAudioDelta', 'SpeechAudioDone']),
  );
});

it('accepts the examples that /docs fills in', async () => {
  const t = await start();
  type Post = { requestBody?: { content: Record<string, { schema: { example?: unknown } }> } };
  const { paths } = (await t.app.inject('/docs/json')).json() as { paths: Record<string, { post?: Post }> };
  const filled: string[] = [];
  for (const [path, { post }] of Object.entries(paths)) {
    const example = post?.requestBody?.content['application/json']?.schema.example as object | undefined;
    if (example === undefined) continue;
    filled.push(path);
    const response = await t.post(path, example);
    expect([path, response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([path, 200, '']);
  }
  expect(filled.sort()).toEqual([
    '/dev/captioned_book',
    '/dev/captioned_dialogue',
    '/dev/captioned_speech',
    '/dev/generate_from_phonemes',
    '/dev/phonemize',
    '/v1/audio/book',
    '/v1/audio/dialogue',
    '/v1/audio/speech',
  ]);
});
