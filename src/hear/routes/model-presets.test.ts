import { afterEach, expect, it } from 'vitest';
import { type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

let running: TestApp | undefined;
async function start(config: Parameters<typeof transcriptionApp>[0] = {}): Promise<TestApp> {
  running = await transcriptionApp(config);
  return running;
}
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const builtInPresets = [
  { size: 'tiny', label: 'Tiny', params: '39M' },
  { size: 'base', label: 'Base', params: '74M' },
  { size: 'small', label: 'Small', params: '244M' },
  { size: 'medium', label: 'Medium', params: '769M' },
  { size: 'large-v3', label: 'Large v3', params: '1550M' },
  { size: 'large-v3-turbo', label: 'Large v3 Turbo', params: '809M' },
  { size: 'distil-large-v3', label: 'Distil Large v3', params: '756M' },
  { size: 'moonshine-tiny', label: 'Moonshine Tiny', params: '27M' },
];

const activate = (app: TestApp['app'], size: unknown) =>
  app.inject({ method: 'POST', url: '/api/model/activate', payload: { size } });

it('lists asr-1 and the loaded model, in every state', async () => {
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
  expect((await app.inject('/v1/models/openai%2Fwhisper-small')).json().id).toBe('openai/whisper-small');
  const unknown = await app.inject('/v1/models/gpt-4');
  expect([unknown.statusCode, unknown.json().error.param]).toEqual([404, 'model']);
});

it('lists the presets, a configured size outside the table first', async () => {
  const { app, models } = await start();
  models.active = 'base';
  models.loaded = '';
  expect((await app.inject('/api/model/presets')).json()).toEqual({
    active: 'base',
    loaded: '',
    presets: builtInPresets,
  });
  await running?.close();
  const own = await start({ modelSize: 'org/own' });
  const { presets } = (await own.app.inject('/api/model/presets')).json();
  expect(presets[0]).toMatchObject({ size: 'org/own', label: 'org/own' });
  expect(presets.slice(1)).toEqual(builtInPresets);
  await running?.close();
  const known = await start({ modelSize: 'medium' });
  expect((await known.app.inject('/api/model/presets')).json().presets).toEqual(builtInPresets);
});

it('says what is being downloaded or loaded, while it is', async () => {
  const { app, models } = await start();
  models.loading = { size: 'tiny', received_bytes: 10, total_bytes: 40 };
  expect((await app.inject('/api/model/presets')).json().loading).toEqual(models.loading);
  models.loading = undefined;
  expect((await app.inject('/api/model/presets')).json()).not.toHaveProperty('loading');
});

it('activates a preset, the configured size and the built-in model, in every state, and remembers them', async () => {
  const { app, models, persisted } = await start({ modelSize: 'org/own' });
  for (const state of ['warming', 'failed', 'uninitialized', 'ready'] as const) {
    for (const size of ['large-v3', 'org/own', 'moonshine-tiny']) {
      models.state = state;
      const response = await activate(app, size);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ active: size, loaded: size });
      expect(response.json().presets).toHaveLength(9);
      expect(persisted.at(-1)).toBe(size);
    }
  }
});

it('refuses sizes that are not selectable', async () => {
  const { app, persisted, models } = await start();
  for (const size of ['org/own', '', 'Small', '../small']) {
    const response = await activate(app, size);
    expect(response.statusCode).toBe(400);
    expect(response.json().detail).toMatchObject({ error: 'invalid_model', type: 'invalid_request_error' });
    expect(response.json().error).toMatchObject({ code: 400, param: 'size', type: 'invalid_request_error' });
  }
  for (const size of [undefined, null, 7]) {
    const response = await activate(app, size);
    expect([response.statusCode, response.json().error.param]).toEqual([400, 'size']);
  }
  expect(persisted).toEqual([]);
  expect(models.active).toBe('small');
});

it('answers 503 when the model cannot be loaded, and remembers nothing', async () => {
  const { app, models, persisted } = await start();
  models.onActivate = async () => {
    throw new HearsayError('model_load_failed', 'The hub cannot be reached.');
  };
  const response = await activate(app, 'tiny');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBeUndefined();
  expect(response.json().detail).toMatchObject({ error: 'model_load_failed', message: 'The hub cannot be reached.' });
  expect(persisted).toEqual([]);
});

it('never lets an older choice overwrite a newer one', async () => {
  const { app, models, persisted } = await start();
  const finish: Record<string, () => void> = {};
  models.onActivate = (name) =>
    new Promise((resolve) => {
      finish[name] = resolve;
    });
  const both = [activate(app, 'tiny'), activate(app, 'base')];
  while (Object.keys(finish).length < 2) await new Promise(setImmediate);
  finish.tiny?.();
  finish.base?.();
  await Promise.all(both);
  expect(persisted.at(-1)).toBe(models.active);
});
