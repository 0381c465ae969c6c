import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './fixtures/otlp-receiver.ts';
import { endAll, startHear, startSay, until } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

let receiver: OtlpReceiver;
let env: Record<string, string>;
beforeEach(async () => {
  receiver = await startOtlpReceiver();
  env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' };
});
afterEach(async () => {
  await endAll();
  await receiver.close();
});

const speak = '/v1/audio/speech';
const root = `POST ${speak}`;
const ms = ({ start, end }: ReceivedSpan) => Number(end - start) / 1e6;

describe('traces', () => {
  it('have a transcription with its parts, below the span of the client', async () => {
    const hear = await startHear({ ...env, MODEL_SIZE: microCheckpoint, OTEL_SERVICE_NAME: 'ears' });
    await hear.ready();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'mine' };
    const fields = { prompt: 'a secret prompt' };
    const response = await hear.post({ file: recordingFile('french'), fileName: 'secret.wav', fields, headers });
    expect(response.status).toBe(200);
    await response.json();

    const request = await receiver.span('POST /v1/audio/transcriptions');
    expect(request).toMatchObject({
      traceId,
      parentSpanId: 'b7ad6b7169203331',
      kind: 2,
      status: 0,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/audio/transcriptions',
        'http.response.status_code': 200,
        'hearsay.request_id': 'mine',
      },
      resource: { 'service.name': 'ears', 'service.version': expect.stringMatching(/^\d/) },
    });
    for (const name of ['upload', 'queue', 'decode', 'inference']) {
      const part = await receiver.span(name);
      expect([name, part.traceId, part.parentSpanId]).toEqual([name, traceId, request.spanId]);
      expect([name, part.start >= request.start, part.end <= request.end]).toEqual([name, true, true]);
    }
    const inference = await receiver.span('inference');
    expect(inference.attributes['hearsay.audio.seconds']).toBeGreaterThan(1);
    expect(inference.attributes['hearsay.model']).toEqual(expect.any(String));
    const decode = await receiver.span('decode');
    expect([decode.start >= inference.start, ms(decode) > 0, decode.end < inference.end]).toEqual([true, true, true]);
    expect((await receiver.span('upload')).attributes['hearsay.upload.bytes']).toBeGreaterThan(1000);
    expect(receiver.paths).toContain('/v1/traces');
    const sent = receiver.bodies.join('');
    for (const secret of ['secret', recordings.french!.text]) expect(sent).not.toContain(secret);
  });

  it('have speech with its first byte, and errors of the service only', async () => {
    const say = await startSay({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours', API_KEY: 'sesame' });
    await say.ready();
    const headers = { authorization: 'Bearer sesame' };
    const input = 'A first sentence. And then another one, which takes longer than the first.';
    await (await say.post(speak, { input }, { headers })).arrayBuffer();
    const request = await receiver.span(root);
    expect(request.parentSpanId).toBeUndefined();
    expect(request.resource['service.name']).toBe('hearsay-say');
    const [head] = request.events;
    expect([head?.name, head!.at > request.start, head!.at <= request.end]).toEqual(['response head', true, true]);
    const inference = await receiver.span('inference');
    expect([inference.parentSpanId, inference.attributes['hearsay.model']]).toEqual([request.spanId, 'flite']);

    await say.post(speak, { input: '' }, { headers });
    await say.post(speak, { input });
    for (const path of ['/health', '/ready', '/metrics', '/web/', '/v1/models']) await say.get(path, headers);
    await receiver.span('GET /v1/models');
    const byStatus = receiver.spans
      .filter(({ name }) => name === root)
      .map(({ status, attributes }) => [attributes['http.response.status_code'], status]);
    expect(byStatus).toEqual([
      [200, 0],
      [400, 0],
      [401, 0],
    ]);
    expect(receiver.spans.map(({ name }) => name)).not.toContainEqual(
      expect.stringMatching(/health|ready|metrics|web/),
    );
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'ours' });
    expect(receiver.bodies.join('')).not.toMatch(/sesame|sentence/);
  });

  it('have the work of the engine for phonemes, too', async () => {
    const say = await startSay(env);
    await say.ready();
    await (await say.post('/dev/phonemize', { text: 'A sentence.' })).json();
    const { spanId } = await receiver.span('POST /dev/phonemize');
    expect(await receiver.span('inference')).toMatchObject({ parentSpanId: spanId });
  });

  it('name the error of a request that the service could not serve', async () => {
    const say = await startSay({ ...env, MAX_CONCURRENCY: '1', QUEUE_SIZE: '0' });
    await say.ready();
    const controller = new AbortController();
    const long = say.post(speak, { input: 'One more sentence. '.repeat(2000) }, { signal: controller.signal });
    await until(async () => (await say.active()) === 1, 'the first request has the slot');
    expect((await say.post(speak, { input: 'Hello.' })).status).toBe(503);
    const refused = await receiver.span(root);
    expect(refused).toMatchObject({
      status: 2,
      attributes: { 'http.response.status_code': 503, 'error.type': 'queue_full' },
    });
    controller.abort();
    await long.then((response) => response.arrayBuffer()).catch(() => {});
    // A client that hangs up is no error of the service.
    await until(() => receiver.spans.filter(({ name }) => name === root).length === 2, 'the span of the first request');
    const cut = receiver.spans.filter(({ name }) => name === root)[1]!;
    expect([cut.attributes['http.response.status_code'], cut.status]).toEqual([499, 0]);
  });

  it('are sent before the process ends', async () => {
    const say = await startSay({ ...env, OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await say.ready();
    await (await say.post(speak, { input: 'The last words.' })).arrayBuffer();
    expect(receiver.spans).toEqual([]);
    await say.stop();
    expect(receiver.spans.map(({ name }) => name).sort()).toEqual([root, 'inference', 'queue']);
  });

  it('follow the sampler, and the decision of the client', async () => {
    const say = await startSay({ ...env, OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    await say.ready();
    const post = (flags?: string) => {
      const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
      return say.post(speak, { input: 'Hello.' }, { headers: flags === undefined ? {} : { traceparent } });
    };
    for (const flags of [undefined, '00', '01']) await (await post(flags)).arrayBuffer();
    await say.stop();
    expect(receiver.spans.filter(({ name }) => name === root)).toHaveLength(1);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('that nobody receives cost a warning, and no request', async () => {
    const say = await startSay({
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      // It is tried again until then.
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    });
    await say.ready();
    for (let turn = 0; turn < 3; turn++) {
      expect((await say.post(speak, { input: 'Hello.' })).status).toBe(200);
    }
    await until(() => say.log.some((line) => line.includes('Traces: ')), 'the warning');
    await say.stop();
    expect(say.log.filter((line) => line.includes('Traces: '))).toHaveLength(1);
  });
});

describe('without traces', () => {
  const preload = fileURLToPath(new URL('./fixtures/loaded-modules.cjs', import.meta.url));

  it.each([
    ['no endpoint', {}, undefined],
    ['an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    ['OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }, undefined],
    ['another exporter', { OTEL_TRACES_EXPORTER: 'none' }, undefined],
    ['another protocol', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'the OTLP protocol grpc is not supported'],
    [
      'an endpoint that is no URL, instead of which OpenTelemetry takes localhost',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' },
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http or https URL',
    ],
    [
      'an endpoint without its scheme',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL',
    ],
  ])('because of %s, nothing is loaded and nothing is sent', async (name, change, warning) => {
    const base = name === 'no endpoint' ? {} : env;
    const say = await startSay({ ...base, ...change, NODE_OPTIONS: `--require=${preload}` });
    await say.ready();
    await (await say.post(speak, { input: 'Hello.' })).arrayBuffer();
    await say.stop();
    expect(say.log.filter((line) => line.startsWith('loaded for traces'))).toEqual(['loaded for traces: 0']);
    const warnings = warning === undefined ? [] : [expect.stringContaining(warning)];
    expect(say.log.filter((line) => line.includes('Traces: '))).toEqual(warnings);
    expect(receiver.bodies).toEqual([]);
  });

  it('would be loaded with an endpoint', async () => {
    const say = await startSay({ ...env, NODE_OPTIONS: `--require=${preload}` });
    await say.ready();
    await say.stop();
    const loaded = say.log.find((line) => line.startsWith('loaded for traces'));
    expect(Number(loaded?.split(': ')[1])).toBeGreaterThan(10);
  });
});
