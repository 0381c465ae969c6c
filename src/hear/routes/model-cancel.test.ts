import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

const start = perTest(transcriptionApp);

const cancel = (app: TestApp['app'], size: unknown) =>
  app.inject({ method: 'POST', url: '/api/model/cancel', payload: { size } });

describe('POST /api/model/cancel', () => {
  it('answers the activation with 409 and the caller with the presets, in every state', async () => {
    const { app, models, persisted } = await start({ modelSize: 'org/own' });
    for (const state of ['warming', 'failed', 'uninitialized', 'ready'] as const) {
      models.state = state;
      let end: ((error: Error) => void) | undefined;
      models.onActivate = () =>
        new Promise((_resolve, reject) => {
          end = reject;
        });
      models.onCancel = async (name) => {
        end?.(new HearsayError('activation_cancelled', `The activation of ${name} was cancelled.`));
        return true;
      };
      const activation = app.inject({ method: 'POST', url: '/api/model/activate', payload: { size: 'org/own' } });
      void activation.then(() => {});
      while (!end) await new Promise(setImmediate);
      const response = await cancel(app, 'org/own');
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ active: 'small', loaded: 'small' });
      expect(response.json().presets[0]).toMatchObject({ size: 'org/own', on_disk: false });
      const answer = await activation;
      const message = 'The activation of org/own was cancelled.';
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toEqual({
        error: { message, type: 'invalid_request_error', code: 409, param: null },
        detail: { error: 'activation_cancelled', message, type: 'invalid_request_error' },
      });
    }
    expect(persisted).toEqual([]);
  });

  it('answers 404 if no activation of the model runs, with advice if it is the selected one', async () => {
    const { app, models } = await start();
    for (const [size, loaded] of [
      ['tiny', 'small'],
      ['small', 'small'],
      ['small', ''],
    ] as const) {
      models.loaded = loaded;
      const response = await cancel(app, size);
      expect([response.statusCode, response.json().error.param]).toEqual([404, 'size']);
      const advice = 'It is the selected model: activate another one in its place.';
      expect(response.json().detail.includes(advice)).toBe(loaded === '');
      expect(response.json().detail).toContain(`No activation of ${size} is running.`);
    }
  });

  it('rejects sizes that are not selectable, and other bodies', async () => {
    const { app, models } = await start();
    models.onCancel = () => Promise.reject(new Error('must not be called'));
    for (const size of ['org/own', '', 'Small', '../small', 'x'.repeat(10_000)]) {
      const response = await cancel(app, size);
      expect(response.statusCode).toBe(400);
      expect(response.json().detail).toMatchObject({ error: 'invalid_model', type: 'invalid_request_error' });
      expect(response.json().error.message.length).toBeLessThan(200);
    }
    for (const size of [undefined, null, 7, ['small']]) {
      const response = await cancel(app, size);
      expect([response.statusCode, response.json().error.param]).toEqual([400, 'size']);
    }
    for (const payload of ['', '{"size":', '[]', 'null']) {
      const headers = { 'content-type': 'application/json' };
      const response = await app.inject({ method: 'POST', url: '/api/model/cancel', headers, payload });
      expect([payload, response.statusCode]).toEqual([payload, 400]);
    }
  });

  it('refuses pages of other origins', async () => {
    const { app } = await start();
    const headers = { origin: 'https://evil.example', host: 'localhost' };
    const url = '/api/model/cancel';
    const response = await app.inject({ method: 'POST', url, headers, payload: { size: 'small' } });
    expect(response.statusCode).toBe(403);
  });
});
