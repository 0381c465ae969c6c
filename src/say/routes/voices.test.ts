import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { synthesisApp } from '../../../test/fixtures/synthesis-app.ts';

const start = perTest(synthesisApp);

const english = [
  { id: 'af_heart', name: 'Heart' },
  { id: 'af_bella', name: 'Bella' },
  { id: 'am_adam', name: 'Adam' },
  { id: 'bf_emma', name: 'Emma' },
];

describe('GET /v1/audio/voices', () => {
  it('lists the voices that the model speaks, loaded or not', async () => {
    const { app, models } = await start();
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: english });
    models.info = undefined;
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: english });
    models.info = { model: 'kokoro', backend: '', device: '', compute_type: '', sampleRate: 24_000, languages: ['j'] };
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: [{ id: 'jf_alpha', name: 'Alpha' }] });
  });

  it('returns a flat list with legacy=true', async () => {
    const { app } = await start();
    const ids = english.map(({ id }) => id);
    for (const value of ['true', 'True', '1']) {
      expect((await app.inject(`/v1/audio/voices?legacy=${value}`)).json()).toEqual(ids);
    }
    expect((await app.inject('/v1/audio/voices?legacy=false')).json()).toEqual({ voices: english });
    expect((await app.inject('/v1/audio/voices?legacy=')).json()).toEqual({ voices: english });
    expect((await app.inject('/v1/audio/voices?legacy=perhaps')).statusCode).toBe(400);
  });
});
