import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

const start = perTest(transcriptionApp);

const remove = (app: TestApp['app'], size: unknown) =>
  app.inject({ method: 'POST', url: '/api/model/remove', payload: { size } });

describe('POST /api/model/remove', () => {
  it('answers with the presets, in every state', async () => {
    const { app, models } = await start();
    for (const state of ['warming', 'failed', 'uninitialized', 'ready'] as const) {
      models.state = state;
      models.stored.tiny = { isOnDisk: true, downloadedBytes: 10 };
      const response = await remove(app, 'tiny');
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ active: 'small', loaded: 'small' });
      const row = response.json().presets.find(({ size }: { size: string }) => size === 'tiny');
      expect(row).toMatchObject({ on_disk: false, downloaded_bytes: 0 });
    }
  });

  it('answers 404 if nothing was downloaded', async () => {
    const { app } = await start();
    const response = await remove(app, 'tiny');
    expect([response.statusCode, response.json().error.param]).toEqual([404, 'size']);
    expect(response.json().detail).toBe('Nothing of tiny was downloaded.');
  });

  it('answers 409 for the selected model, and 503 while the service shuts down', async () => {
    const { app, models, drain } = await start();
    models.stored.small = { isOnDisk: true, downloadedBytes: 10 };
    models.onRemove = () => Promise.reject(new HearsayError('model_in_use', 'small is the selected model.'));
    const response = await remove(app, 'small');
    expect([response.statusCode, response.json().detail.error]).toEqual([409, 'model_in_use']);
    expect(models.stored.small).toBeDefined();
    drain.start();
    expect((await remove(app, 'small')).json().detail.error).toBe('draining');
  });

  it('rejects sizes that are not selectable, and other bodies', async () => {
    const { app } = await start();
    const unknown = await remove(app, '../../etc');
    expect([unknown.statusCode, unknown.json().detail.error]).toEqual([400, 'invalid_model']);
    for (const size of [undefined, 5, null]) expect((await remove(app, size)).statusCode).toBe(400);
  });
});
