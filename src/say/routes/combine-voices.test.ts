import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { synthesisApp } from '../../../test/fixtures/synthesis-app.ts';

const start = perTest(synthesisApp);

describe('POST /v1/audio/voices/combine', () => {
  const path = '/v1/audio/voices/combine';

  it('is forbidden by default, before the body is validated', async () => {
    const { combined, post } = await start();
    for (const body of ['af_heart', 5, undefined]) {
      const response = await post(path, body);
      expect([response.statusCode, response.json().error.type]).toEqual([403, 'permission_error']);
    }
    expect(combined).toEqual([]);
  });

  it('returns the voice pack of a blend', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    const response = await post(path, 'af_heart(3) + jf_alpha(1)');
    expect([response.statusCode, response.body]).toEqual([200, 'a voice pack']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a_blend.pt"',
      'content-length': '12',
    });
    expect(combined).toEqual([
      {
        name: 'a_blend',
        weights: [
          { name: 'af_heart', weight: 0.75 },
          { name: 'jf_alpha', weight: 0.25 },
        ],
      },
    ]);
  });

  it('uses the requested name', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    const response = await post(`${path}?name=my_voice`, 'af_heart');
    expect(response.headers['content-disposition']).toBe('attachment; filename="my_voice.pt"');
    expect(combined).toEqual([{ name: 'my_voice', weights: [{ name: 'af_heart', weight: 1 }] }]);
  });

  it('rejects malformed blends', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    for (const body of ['', 'nobody', 'af_heart(', 'af_heart-af_bella(2)', '../af_heart', 5, null, [], {}]) {
      expect([body, (await post(path, body)).statusCode]).toEqual([body, 400]);
    }
    expect(combined).toEqual([]);
  });
});
