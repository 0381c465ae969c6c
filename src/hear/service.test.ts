import { describe, expect, it } from 'vitest';
import { perTest } from '../../test/fixtures/per-test.ts';
import { multipart, recording, type TestApp, transcriptionApp } from '../../test/fixtures/transcription-app.ts';

const start = perTest(transcriptionApp);

const transcribe = ({ app }: TestApp, headers: Record<string, string> = {}) => {
  const form = multipart([recording, ['prompt', 'the secret prompt']]);
  const url = '/v1/audio/transcriptions?secret=query';
  return app.inject({ method: 'POST', url, payload: form.payload, headers: { ...form.headers, ...headers } });
};

describe('API key', () => {
  const guarded = [
    ['POST', '/v1/audio/transcriptions'],
    ['POST', '/v1/audio/translations'],
    ['GET', '/v1/models'],
    ['GET', '/v1/models/asr-1'],
    ['GET', '/v1/audio/models'],
    ['GET', '/v1/jobs/job_0'],
    ['DELETE', '/v1/jobs/job_0'],
    ['GET', '/v1/jobs/job_0/response'],
    ['GET', '/v1/realtime'],
    ['POST', '/v1/realtime/client_secrets'],
    ['POST', '/v1/realtime/transcription_sessions'],
    ['GET', '/api/model/presets'],
    ['POST', '/api/model/activate'],
    ['POST', '/api/model/cancel'],
  ] as const;

  it('is required under /v1 and /api/model only, in every state', async () => {
    const { app, models, gate } = await start({ apiKey: 'sesame' });
    for (const state of ['ready', 'warming', 'failed'] as const) {
      models.state = state;
      for (const [method, url] of guarded) {
        const response = await app.inject({ method, url });
        expect([url, response.statusCode]).toEqual([url, 401]);
        expect(response.headers['www-authenticate']).toBe('Bearer');
        expect(response.json()).toEqual({
          error: { message: 'Invalid API key', type: 'authentication_error', code: 401, param: null },
          detail: 'Invalid API key',
        });
      }
    }
    models.state = 'ready';
    expect(gate.entered).toBe(0);
    for (const url of ['/health', '/ready', '/metrics', '/system', '/web', '/docs', '/docs/json']) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
    }
    const headers = { authorization: 'Bearer sesame' };
    expect((await app.inject({ url: '/v1/models', headers })).statusCode).toBe(200);
    expect((await app.inject({ url: '/api/model/presets', headers })).statusCode).toBe(200);
  });

  it('is not required if none is configured', async () => {
    const t = await start();
    expect((await transcribe(t)).statusCode).toBe(200);
  });
});

describe('CORS', () => {
  const origin = 'https://page.example';
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };

  it('allows every origin under /v1 only by default, even for a 401', async () => {
    const { app } = await start({ apiKey: 'sesame' });
    const asked = await app.inject({ method: 'OPTIONS', url: '/v1/audio/transcriptions', headers: preflight });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers['access-control-allow-origin']).toBe('*');
    expect(asked.headers['access-control-allow-headers']).toBe('authorization');
    const refused = await app.inject({ url: '/v1/models', headers: { origin } });
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
    const exposed = String(refused.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Content-Range', 'ETag', 'Retry-After', 'X-Request-Id']));
    for (const url of ['/api/model/presets', '/api/model/activate', '/api/model/cancel', '/health', '/metrics']) {
      for (const method of ['OPTIONS', 'GET'] as const) {
        const response = await app.inject({ method, url, headers: preflight });
        expect([url, response.headers['access-control-allow-origin']]).toEqual([url, undefined]);
      }
    }
  });

  it('allows them for paths with duplicate slashes, which the router ignores', async () => {
    const { app } = await start();
    for (const url of ['//v1/models', '/v1//models', '///v1/models?q=1']) {
      const asked = await app.inject({ method: 'OPTIONS', url, headers: preflight });
      const response = await app.inject({ url, headers: { origin } });
      const allowed = [asked, response].map(({ headers }) => headers['access-control-allow-origin']);
      expect([url, asked.statusCode, response.statusCode, ...allowed]).toEqual([url, 204, 200, '*', '*']);
    }
    expect((await app.inject({ url: '//health', headers: { origin } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  it('can be limited to a list of origins', async () => {
    const { app } = await start({ corsOrigins: [origin] });
    const get = (from: string) => app.inject({ url: '/v1/models', headers: { origin: from } });
    expect((await get(origin)).headers['access-control-allow-origin']).toBe(origin);
    expect((await get('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('logs', () => {
  it('contain no transcript, query, key or file name', async () => {
    const t = await start({ apiKey: 'secret-key' });
    await transcribe(t, { authorization: 'Bearer secret-key' });
    await transcribe(t, { authorization: 'Bearer wrong-secret' });
    await t.app.inject('/v1/nowhere?secret=query');
    const log = t.log.join('');
    expect(t.log.map((line) => JSON.parse(line)).map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/v1/audio/transcriptions', 200],
      ['POST', '/v1/audio/transcriptions', 401],
      ['GET', '/v1/nowhere', 401],
    ]);
    for (const secret of ['secret', 'fellow', 'speech.wav', 'query']) expect(log).not.toContain(secret);
  });

  it('have a level for the service and one for requests', async () => {
    const quiet = await start({ serverLogLevel: 'silent' }, 'error');
    await transcribe(quiet);
    expect(quiet.log).toEqual([]);
    quiet.models.run = () => {
      throw new Error('unexpected');
    };
    await transcribe(quiet);
    expect(quiet.log).toHaveLength(1);
    const requests = await start({ serverLogLevel: 'info' }, 'silent');
    await transcribe(requests);
    expect(requests.log).toHaveLength(1);
  });
});

it('every response has a request id, the client’s own if it is valid', async () => {
  const { app } = await start();
  const id = async (sent?: string) =>
    (await app.inject({ url: '/health', headers: sent === undefined ? {} : { 'x-request-id': sent } })).headers[
      'x-request-id'
    ];
  expect(await id('abc-1.2')).toBe('abc-1.2');
  const odd = await id('"{}"');
  expect(odd).toMatch(/^[\da-f-]{36}$/);
  expect(await id()).not.toBe(odd);
});

it('GET /metrics counts requests, queue, state and audio', async () => {
  const t = await start();
  await transcribe(t);
  await transcribe(t);
  await t.app.inject('/v1/models/asr-1');
  await t.app.inject('/nowhere');
  t.gate.active = 3;
  t.gate.waiting = 2;
  const { body } = await t.app.inject('/metrics');
  for (const line of [
    'hearsay_http_requests_total{method="POST",route="/v1/audio/transcriptions",status="200"} 2',
    'hearsay_http_requests_total{method="GET",route="/v1/models/:model",status="200"} 1',
    'hearsay_http_requests_total{method="GET",route="none",status="404"} 1',
    'hearsay_http_request_duration_seconds_count{method="POST",route="/v1/audio/transcriptions"} 2',
    'hearsay_audio_seconds_total 8',
    'hearsay_missed_speech_seconds_total 0',
    'hearsay_queue_active 3',
    'hearsay_queue_waiting 2',
    'hearsay_queue_load 1.25',
    'hearsay_model_state{state="ready"} 1',
    'hearsay_model_state{state="failed"} 0',
  ]) {
    expect(body).toContain(`${line}\n`);
  }
});

it('counts and logs speech that gave no text', async () => {
  const t = await start();
  t.models.run = async function* () {
    yield { type: 'end', language: 'en', languages: ['en'], duration: 9, missed: 2.5 };
  };
  await transcribe(t);
  expect((await t.app.inject('/metrics')).body).toContain('hearsay_missed_speech_seconds_total 2.5\n');
});

it('counts and logs speech in a language that the model does not know', async () => {
  const t = await start();
  const { info } = t.models;
  const run = t.models.run;
  t.models.run = async function* (...parameters) {
    for await (const event of run(...parameters)) {
      yield event.type === 'segment' ? { ...event, segment: { ...event.segment, avg_logprob: -1.2 } } : event;
    }
  };
  const count = async () => /^hearsay_foreign_recordings_total (\d+)/m.exec((await t.app.inject('/metrics')).body)?.[1];
  const logged = () => t.log.filter((line) => line.includes('does not sound like')).length;
  await transcribe(t);
  expect([await count(), logged()]).toEqual(['0', 0]);
  t.models.info = { ...info!, languages: ['en'] };
  await transcribe(t);
  expect([await count(), logged()]).toEqual(['1', 1]);
});

describe('GET /system', () => {
  it('returns what the console shows, without /metrics', async () => {
    const t = await start();
    await transcribe(t);
    Object.assign(t.gate, { active: 2, waiting: 1 });
    const answer = await t.app.inject('/system');
    expect(answer.json()).toEqual({
      version: expect.any(String),
      status: 'ready',
      activity: { active: 2, waiting: 1, audio_seconds: 4 },
      capabilities: { live: true, speakers: true },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    t.models.state = 'restarting';
    expect((await t.app.inject('/system')).json().status).toBe('warming');
  });

  it('reports unsupported features', async () => {
    const { app } = await start({ maxRealtimeSessions: 0 });
    expect((await app.inject('/system')).json().capabilities.live).toBe(false);
  });
});

describe('GET /v1/models', () => {
  it('lists asr-1 and the loaded model in every state', async () => {
    const { app, models } = await start();
    const entry = (id: string) => ({ id, object: 'model', created: expect.any(Number), owned_by: 'hearsay' });
    for (const state of ['warming', 'ready', 'failed', 'uninitialized'] as const) {
      models.state = state;
      const response = await app.inject('/v1/models');
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ object: 'list', data: [entry('asr-1'), entry('small')] });
    }
    models.loaded = '';
    expect((await app.inject('/v1/models')).json().data).toEqual([entry('asr-1')]);
    expect((await app.inject('/v1/audio/models')).json()).toEqual({
      object: 'list',
      data: [entry('asr-1')],
      models: [entry('asr-1')],
    });
  });

  it('retrieves one model', async () => {
    const { app, models } = await start();
    expect((await app.inject('/v1/models/asr-1')).json()).toMatchObject({ id: 'asr-1', object: 'model' });
    models.loaded = 'openai/whisper-small';
    for (const id of ['openai%2Fwhisper-small', 'openai/whisper-small', 'openai/whisper-small/']) {
      expect((await app.inject(`/v1/models/${id}`)).json().id).toBe('openai/whisper-small');
    }
    expect((await app.inject('/v1/models/openai/whisper-tiny')).statusCode).toBe(404);
    for (const id of [
      'whisper-1',
      'gpt-4o-mini-transcribe-2025-12-15',
      'gpt-4o-transcribe-diarize',
      'gpt-transcribe',
    ]) {
      expect((await app.inject(`/v1/models/${id}`)).json().id).toBe(id);
    }
    expect((await app.inject({ method: 'POST', url: '/v1/models/openai/whisper-small' })).headers.allow).toMatch(/GET/);
    expect((await app.inject('/v1/models/')).json().object).toBe('list');
    const unknown = await app.inject('/v1/models/gpt-4');
    expect([unknown.statusCode, unknown.json().error.param]).toEqual([404, 'model']);
  });
});

describe('/docs', () => {
  it('describe every route', async () => {
    const { app } = await start();
    const api = (await app.inject('/docs/json')).json();
    expect(api.openapi).toMatch(/^3\./);
    expect(Object.keys(api.paths).sort()).toEqual([
      '/api/model/activate',
      '/api/model/cancel',
      '/api/model/presets',
      '/api/model/remove',
      '/asr',
      '/detect-language',
      '/health',
      '/metrics',
      '/ready',
      '/system',
      '/v1/audio/models',
      '/v1/audio/transcriptions',
      '/v1/audio/translations',
      '/v1/jobs/{id}',
      '/v1/jobs/{id}/response',
      '/v1/models',
      '/v1/models/{model}',
      '/v1/realtime',
      '/v1/realtime/client_secrets',
      '/v1/realtime/transcription_sessions',
    ]);
    const form = api.paths['/v1/audio/transcriptions'].post.requestBody.content['multipart/form-data'].schema;
    expect(form.required).toEqual(['file']);
    expect(form.properties.file).toMatchObject({ type: 'string', format: 'binary' });
    expect(form.properties.response_format).toMatchObject({
      enum: ['text', 'json', 'verbose_json', 'diarized_json', 'srt', 'vtt'],
      default: 'json',
    });
    expect(Object.keys(form.properties).sort()).toEqual([
      ...[
        'callback_url',
        'chunking_strategy',
        'file',
        'include[]',
        'keywords[]',
        'known_speaker_names[]',
        'known_speaker_references[]',
        'language',
        'languages[]',
        'model',
        'prompt',
      ],
      ...['response_format', 'speaker_count', 'speakers', 'stream', 'temperature', 'timestamp_granularities[]'],
    ]);
    expect(form.properties.chunking_strategy.anyOf[1].properties).toHaveProperty('silence_duration_ms');
    const translation = api.paths['/v1/audio/translations'].post.requestBody.content['multipart/form-data'].schema;
    expect(Object.keys(translation.properties)).not.toContain('language');
    const answers = api.paths['/v1/audio/transcriptions'].post.responses;
    expect(Object.keys(answers['200'].content)).toEqual(['application/json', 'text/plain', 'text/event-stream']);
    expect(Object.keys(answers)).toContain('4XX');
  });

  it('name every operation, and need a key only if there is one', async () => {
    const apiOf = async (apiKey?: string) => {
      const { app } = await start({ apiKey });
      const api = (await app.inject('/openapi.json')).json();
      expect((await app.inject('/docs/json')).json()).toEqual(api);
      return api;
    };
    const operationsOf = (api: { paths: object }): { operationId: string; security?: unknown }[] =>
      Object.values(api.paths).flatMap((path: object) => Object.values(path));
    const open = await apiOf();
    const names = operationsOf(open).map(({ operationId }) => operationId);
    expect(names).toEqual(expect.arrayContaining(['createTranscription', 'createTranslation', 'listModels']));
    expect(new Set(names).size).toBe(names.length);
    expect(JSON.stringify(open)).not.toMatch(/"security/);
    expect(JSON.stringify(open)).not.toContain('Default Response');
    expect(Object.keys(open.components.schemas)).toEqual(
      expect.arrayContaining([
        ...['Error', 'TokenLogprob', 'TranscriptTextDelta', 'TranscriptTextDone', 'TranscriptTextSegment'],
        ...[
          'Transcription',
          'TranscriptionDiarized',
          'TranscriptionSegment',
          'TranscriptionVerbose',
          'TranscriptionWord',
        ],
      ]),
    );
    const keyed = await apiOf('secret');
    expect(keyed.components.securitySchemes).toEqual({ key: { type: 'http', scheme: 'bearer' } });
    const unkeyed = operationsOf(keyed).filter(({ security }) => security === undefined);
    expect(unkeyed.map(({ operationId }) => operationId).sort()).toEqual([
      'getHealth',
      'getMetrics',
      'getReadiness',
      'getSystem',
    ]);
  });

  it('load nothing from elsewhere', async () => {
    const { app } = await start();
    const page = await app.inject('/docs');
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(assets.length).toBeGreaterThan(4);
    for (const url of assets) {
      expect(url).toMatch(/^\/docs\/static\//);
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
    }
    expect(page.body).not.toMatch(/<script(?![^>]* src=)/);
    expect((await app.inject('/docs/static/swagger-initializer.js')).body).toMatch(/validatorUrl: ["n]/);
  });
});

describe('/web', () => {
  it('serves the console unless ENABLE_WEB_PLAYER=false', async () => {
    const { app } = await start();
    const page = await app.inject('/web');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('Hearsay · hear');
    const without = await start({ enableWebPlayer: false });
    for (const url of ['/web', '/web/console/shared/base.css', '/web/console/hear/main.js']) {
      expect([url, (await without.app.inject(url)).statusCode]).toEqual([url, 404]);
    }
  });
});
