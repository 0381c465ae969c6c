import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { audio, synthesisApp } from '../../../test/fixtures/synthesis-app.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { wavHeader } from '../../audio/wav.ts';

const start = perTest(synthesisApp);

describe('POST /dev/generate_from_phonemes', () => {
  const path = '/dev/generate_from_phonemes';

  it('speaks phonemes, always as a complete wav', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'audio', bytes: wavHeader(OUTPUT_RATE) };
      yield audio('samples!');
    };
    const response = await t.post(path, {
      phonemes: 'həlˈO wˈɜɹld.',
      voice: { id: 'bf_emma' },
      response_format: 'mp3',
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('audio/wav');
    expect(response.rawPayload.equals(Buffer.concat([wavHeader(OUTPUT_RATE, 8), Buffer.from('samples!')]))).toBe(true);
    expect(t.models.jobs).toEqual([
      {
        kind: 'speech',
        input: { phonemes: 'həlˈO wˈɜɹld.' },
        voice: [{ name: 'bf_emma', weight: 1 }],
        language: 'b',
        speed: 1,
        volume: 1,
        format: 'wav',
        captions: false,
      },
    ]);
    expect(await t.files()).toEqual([]);
  });

  it('rejects and names characters that are not phonemes', async () => {
    const { models, post } = await start();
    const response = await post(path, { phonemes: 'hə7lˈO 7 😀', voice: 'af_heart' });
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      expect.objectContaining({ param: 'phonemes', message: 'Unknown phonemes: 7 😀' }),
    ]);
    const others = ['', '\n', '\ud800', 'a[pause:61s]', 'a[pause:1]'].map((phonemes) => ({ phonemes }));
    for (const body of [{}, ...others, { phonemes: 'həlˈO', voice: 'x' }]) {
      expect((await post(path, body)).statusCode).toBe(400);
    }
    expect(models.jobs).toEqual([]);
  });
});
