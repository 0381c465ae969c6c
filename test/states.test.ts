import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';
import { shareCompiledModels } from './fixtures/shared-models.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

let hub: LocalHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startLocalHub();
  hub.put('openai/whisper-small', { 'config.json': { content: '{"model_type": "whisper"}' } });
  dataDir = await mkdtemp(join(tmpdir(), 'states-'));
  shareCompiledModels(dataDir);
});
afterEach(async () => {
  await endAll();
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const presetSizes = ['tiny', 'base', 'small', 'medium', 'large-v3', 'large-v3-turbo', 'distil-large-v3'];

/** A tenth of a second of silence. */
const silence = Buffer.concat([wavHeader(16_000, 3200), Buffer.alloc(3200)]);

async function expectAnswer(response: Response | Promise<Response>, status: number, retryAfter?: string) {
  const answer = await response;
  const text = await answer.text();
  expect(answer.status, text).toBe(status);
  expect(answer.headers.get('retry-after'), text).toBe(retryAfter ?? null);
  return JSON.parse(text);
}

/** Checks a response with the error envelope and a detail object; returns its message. */
async function expectFailure(
  response: Response | Promise<Response>,
  status: number,
  code: string,
  retryAfter?: string,
) {
  const { error, detail } = await expectAnswer(response, status, retryAfter);
  const type = status === 503 ? 'server_error' : 'invalid_request_error';
  expect(detail).toEqual({ error: code, message: error.message, type });
  expect(error).toMatchObject({ code: status, type });
  return error.message as string;
}

const presetsOf = async (hear: Hear) => expectAnswer(hear.get('/api/model/presets'), 200);
const transcribe = (hear: Hear) => hear.post({ file: silence });

async function expectReady(hear: Hear): Promise<void> {
  expect(await expectAnswer(hear.get('/ready'), 200)).toEqual({ status: 'ready' });
  expect(await expectAnswer(hear.get('/health'), 200)).toEqual({
    status: 'healthy',
    model_loaded: true,
    device: 'cpu',
    compute_type: 'int8',
    model: 'moonshine-tiny',
  });
  expect(await expectAnswer(transcribe(hear), 200)).toEqual({ text: '' });
  expect(await presetsOf(hear)).toMatchObject({ active: 'moonshine-tiny', loaded: 'moonshine-tiny' });
}

const activeModel = () => readFile(join(dataDir, 'active_model'), 'utf8');

describe('warming', () => {
  it('is reported by every route and ends with an activation', async () => {
    hub.put('org/slow', { 'config.json': { content: '{"model_type": "whisper"}' } });
    // The download never proceeds: the model stays warming.
    hub.faults.push({ kind: 'stall', after: 0 });
    const hear = await startHear({ MODEL_SIZE: 'org/slow', HF_ENDPOINT: hub.endpoint });

    expect(await expectAnswer(hear.get('/health'), 200)).toEqual({ status: 'warming', model_loaded: false });
    expect(await expectAnswer(hear.get('/ready'), 503, '10')).toEqual({ status: 'warming' });
    for (const task of ['transcriptions', 'translations'] as const) {
      await expectFailure(hear.post({ file: silence, task }), 503, 'model_warming', '10');
    }
    const { data } = await expectAnswer(hear.get('/v1/models'), 200);
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['asr-1']);
    const { active, loaded, presets } = await presetsOf(hear);
    expect([active, loaded]).toEqual(['org/slow', '']);
    const sizes = presets.map(({ size }: { size: string }) => size);
    expect(sizes.slice(0, 8)).toEqual(['org/slow', ...presetSizes]);
    expect(sizes).toEqual(expect.arrayContaining(['tiny.en', 'distil-large-v3.5', 'moonshine-tiny']));

    expect(await expectAnswer(hear.activate('moonshine-tiny'), 200)).toMatchObject({
      active: 'moonshine-tiny',
      loaded: 'moonshine-tiny',
    });
    await expectReady(hear);
    await hear.stop();
  });

  it('starts with the process and becomes ready', async () => {
    const hear = await startHear();
    await expectFailure(transcribe(hear), 503, 'model_warming', '10');
    expect(await expectAnswer(hear.get('/ready'), 503, '10')).toEqual({ status: 'warming' });
    await hear.ready();
    await expectReady(hear);
    const { data } = await expectAnswer(hear.get('/v1/models'), 200);
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['asr-1', 'moonshine-tiny']);
    await hear.stop();
  });
});

it.skipIf(!hasIpv6)('an IPv6 address is logged as a valid URL', async () => {
  const hear = await startHear({ HOST: '::1', WARMUP_ON_START: 'false' });
  expect(hear.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  await expectAnswer(hear.get('/health'), 200);
  await hear.stop();
});

describe('failed', () => {
  const env = { MODEL_SIZE: 'nonsense', FAILURE_WINDOW_SECONDS: '3' };
  const failed = async (hear: Hear) => {
    await until(async () => (await hear.get('/health')).status === 503, 'the model has failed');
    const line = hear.log.find((text) => text.includes('could not be loaded'))!;
    return JSON.parse(line).time as number;
  };

  it('is reported for FAILURE_WINDOW_SECONDS before the process exits', async () => {
    const hear = await startHear(env);
    const since = await failed(hear);
    const health = await expectAnswer(hear.get('/health'), 503);
    expect(health).toEqual({ status: 'failed', error: expect.stringContaining('nonsense') });
    expect(await expectAnswer(hear.get('/ready'), 503, '10')).toEqual({ status: 'failed' });
    await expectFailure(transcribe(hear), 503, 'model_failed');
    await expectAnswer(hear.get('/v1/models'), 200);
    expect(await presetsOf(hear)).toMatchObject({ active: 'nonsense', loaded: '' });
    expect((await hear.exited).code).toBe(1);
    // A timer may be a millisecond early.
    expect(Date.now() - since).toBeGreaterThanOrEqual(2990);
  });

  it('ends with an activation, which keeps the process running and is stored', async () => {
    const hear = await startHear({ ...env, DATA_DIR: dataDir });
    const since = await failed(hear);
    await expectAnswer(hear.activate('moonshine-tiny'), 200);
    await expectReady(hear);
    expect((await activeModel()).trim()).toBe('moonshine-tiny');
    await sleep(Math.max(0, since + 3500 - Date.now()));
    await expectReady(hear);
    await hear.stop();

    const again = await startHear({ ...env, DATA_DIR: dataDir });
    await again.ready();
    await expectReady(again);
    expect((await presetsOf(again)).presets[0]).toMatchObject({ size: 'nonsense' });
    await again.stop();
  });
});

describe('a device that the model cannot run on', () => {
  it('fails the start with its reason', async () => {
    const hear = await startHear({ DEVICE: 'cuda', FAILURE_WINDOW_SECONDS: '3' });
    await until(async () => (await hear.get('/health')).status === 503, 'the model has failed');
    const { error } = await expectAnswer(hear.get('/health'), 503);
    expect(error).toBe('The model moonshine-tiny runs on the CPU only.');
    expect((await hear.exited).code).toBe(1);
  });
});

describe('WARMUP_ON_START=false', () => {
  it('the first request loads the model', async () => {
    const hear = await startHear({ WARMUP_ON_START: 'false' });
    expect(await expectAnswer(hear.get('/ready'), 503, '10')).toEqual({ status: 'uninitialized' });
    expect(await expectAnswer(hear.get('/health'), 200)).toEqual({ status: 'healthy', model_loaded: false });
    expect(await presetsOf(hear)).toMatchObject({ active: 'moonshine-tiny', loaded: '' });
    expect(hear.engines()).toEqual([]);
    const answers = await Promise.all([transcribe(hear), transcribe(hear)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(hear.engines()).toHaveLength(1);
    await expectReady(hear);
    await hear.stop();
  });

  it('a failed load fails its request; the next request retries', async () => {
    const hear = await startHear({
      WARMUP_ON_START: 'false',
      MODEL_SIZE: 'nonsense',
      FAILURE_WINDOW_SECONDS: '3',
      DATA_DIR: dataDir,
    });
    const attempts = () => hear.log.filter((line) => line.includes('nonsense could not be loaded')).length;
    for (const attempt of [1, 2]) {
      expect(await expectFailure(transcribe(hear), 503, 'model_unavailable', '10')).toContain('nonsense');
      expect(attempts()).toBe(attempt);
      expect(await expectAnswer(hear.get('/ready'), 503, '10')).toEqual({ status: 'uninitialized' });
      expect(await expectAnswer(hear.get('/health'), 200)).toEqual({ status: 'healthy', model_loaded: false });
    }
    await sleep(3000);
    await expectAnswer(hear.activate('moonshine-tiny'), 200);
    await expectReady(hear);
    await hear.stop();
  });
});

describe('a failed activation', () => {
  it('keeps the old model serving and reports the reason', async () => {
    const hear = await startHear({ HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir });
    await hear.ready();
    const engines = hear.engines();

    const message = await expectFailure(hear.activate('small'), 503, 'model_load_failed');
    expect(message).toMatch(/checkpoint .* tokenizer\.json/);
    expect(hub.requests.some(({ url }) => url.endsWith('config.json'))).toBe(true);

    expect(await expectFailure(hear.activate('base'), 503, 'model_load_failed')).toMatch(
      /127\.0\.0\.1.*no model repository openai\/whisper-base/,
    );
    hub.listStatus = 401;
    expect(await expectFailure(hear.activate('base'), 503, 'model_load_failed')).toMatch(/gated or private.*HF_TOKEN/);

    const unknown = await expectFailure(hear.activate('nonsense'), 400, 'invalid_model');
    expect(unknown).toContain('nonsense');
    for (const body of ['{}', '{"size": 3}', 'size=tiny', '']) {
      const response = await fetch(`${hear.url}/api/model/activate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await expectAnswer(response, 400);
    }

    await expectReady(hear);
    expect(hear.engines()).toEqual(engines);
    await expect(activeModel()).rejects.toThrow(/ENOENT/);
    // A loaded model is activated at once and stored.
    await expectAnswer(hear.activate('moonshine-tiny'), 200);
    expect(hear.engines()).toEqual(engines);
    expect((await activeModel()).trim()).toBe('moonshine-tiny');
    await hear.stop();
  });

  it('because of an unwritable DATA_DIR is refused with 500, after a warning at start', async () => {
    // Not even root can create a directory there.
    const hear = await startHear({ DATA_DIR: '/sys/hearsay', MODELS_DIR: join(dataDir, 'models') });
    await hear.ready();
    const [engine] = hear.engines();
    expect(hear.log.some((line) => /"level":40.*DATA_DIR.*is not writable \((EPERM|EACCES|EROFS)\)/.test(line))).toBe(
      true,
    );
    const { error } = await expectAnswer(hear.activate('moonshine-tiny'), 500);
    expect(error).toMatchObject({ type: 'server_error', message: expect.stringMatching(/DATA_DIR is not writable/) });
    await expectReady(hear);
    expect(hear.engines()).toEqual([engine]);
    await hear.stop();
  });

  it('reports that downloads are forbidden', async () => {
    const hear = await startHear({ HF_ENDPOINT: hub.endpoint, HF_HUB_OFFLINE: '1' });
    await hear.ready();
    expect(await expectFailure(hear.activate('small'), 503, 'model_load_failed')).toMatch(/HF_HUB_OFFLINE/);
    expect(hub.requests).toEqual([]);
    await expectReady(hear);
    await hear.stop();
  });

  it('reports an unreachable hub', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const hear = await startHear({ HF_ENDPOINT: `http://127.0.0.1:${port}` });
    await hear.ready();
    const message = await expectFailure(hear.activate('small'), 503, 'model_load_failed');
    expect(message).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}.*ECONNREFUSED`));
    await expectReady(hear);
    await hear.stop();
  });
});

describe('the model activated last', () => {
  it('falls back to the configured one, with a warning, if it cannot be loaded', async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'active_model'), 'small\n');
    const hear = await startHear({ HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir, MODEL_SIZE: 'moonshine-tiny' });
    await hear.ready();
    await expectReady(hear);
    const warnings = hear.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toContain('small could not be loaded: loading moonshine-tiny instead.');
    await hear.stop();
  });
});

describe('a default language that the model does not know', () => {
  it('fails the start with its reason', async () => {
    const hear = await startHear({ DEFAULT_LANGUAGE: 'German' });
    await until(async () => (await hear.get('/health')).status === 503, 'the model has failed');
    const { error } = await expectAnswer(hear.get('/health'), 503);
    expect(error).toMatch(/moonshine-tiny.*DEFAULT_LANGUAGE de.*small/);
    await expectFailure(transcribe(hear), 503, 'model_failed');
    expect(hear.engines()).toEqual([]);
  });
});
