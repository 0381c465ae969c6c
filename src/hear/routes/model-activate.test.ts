import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

const start = perTest(transcriptionApp);

const activate = (app: TestApp['app'], size: unknown) =>
  app.inject({ method: 'POST', url: '/api/model/activate', payload: { size } });

describe('POST /api/model/activate', () => {
  it('activates and stores a preset, the configured size and the built-in model in every state', async () => {
    const { app, models, persisted } = await start({ modelSize: 'org/own' });
    for (const state of ['warming', 'failed', 'uninitialized', 'ready'] as const) {
      for (const size of ['large-v3', 'tiny.en', 'org/own', 'moonshine-tiny']) {
        models.state = state;
        const response = await activate(app, size);
        expect(response.statusCode).toBe(200);
        expect(response.json()).toMatchObject({ active: size, loaded: size });
        expect(response.json().presets[0].size).toBe('org/own');
        expect(persisted.at(-1)).toBe(size);
      }
    }
  });

  it('rejects sizes that are not selectable', async () => {
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

  it('answers 503 and stores nothing if the model cannot be loaded', async () => {
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
});
