import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { voiceStyle } from '../../../test/fixtures/kokoro.ts';
import { modelsDir } from '../../../test/fixtures/models-dir.ts';
import { writeTensor } from '../../checkpoint/pytorch-writer.ts';
import { VoicePacks } from './voices.ts';

const directory = join(modelsDir, 'voices');
const voices = new VoicePacks({ checkpoint: join(modelsDir, 'absent'), saved: directory }, 256);
const one = (name: string) => [{ name, weight: 1 }];

beforeAll(() => {
  mkdirSync(directory, { recursive: true });
  const data = Float32Array.from({ length: 4 * 256 }, (_, index) => index);
  writeFileSync(join(directory, 'mine.pt'), writeTensor('mine', { dims: [4, 1, 256], data }));
  writeFileSync(join(directory, 'flat.pt'), writeTensor('flat', { dims: [4, 256], data }));
  writeFileSync(join(directory, 'broken.pt'), 'nothing');
  writeFileSync(join(directory, 'af_heart.pt'), writeTensor('heart', { dims: [4, 1, 256], data }));
  writeFileSync(join(directory, 'nan.pt'), writeTensor('nan', { dims: [4, 1, 256], data: data.fill(Number.NaN) }));
});

describe('VoicePacks', () => {
  it('selects the row by length from a packaged voice', async () => {
    expect(await voices.style(one('af_heart'), 12)).toEqual(voiceStyle('af_heart', 12));
    expect(await voices.style(one('af_heart'), 510)).toEqual(voiceStyle('af_heart', 510));
  });

  it('blends voices', async () => {
    const [heart, bella] = [voiceStyle('af_heart', 30), voiceStyle('af_bella', 30)];
    const blend = await voices.style(
      [
        { name: 'af_heart', weight: 1.5 },
        { name: 'af_bella', weight: -0.5 },
      ],
      30,
    );
    expect(blend).toEqual(heart.map((value, index) => 1.5 * value - 0.5 * bella[index]!));
  });

  it('reads saved voices, and uses the last row for longer chunks', async () => {
    expect((await voices.style(one('mine'), 2))[0]).toBe(256);
    expect((await voices.style(one('mine'), 500))[0]).toBe(768);
    expect((await voices.style(one('mine'), 0))[0]).toBe(0);
  });

  it('prefers voices of the checkpoint to packaged ones, and those to saved ones', async () => {
    expect(await voices.style(one('af_heart'), 12)).toEqual(voiceStyle('af_heart', 12));
    const own = new VoicePacks({ checkpoint: directory }, 256);
    expect((await own.style(one('af_heart'), 2))[0]).toBe(256);
  });

  it('follows a saved voice as it is created, changed and removed', async () => {
    const put = (value: number) => {
      const data = new Float32Array(256).fill(value);
      writeFileSync(join(directory, 'changing.pt'), writeTensor('changing', { dims: [1, 1, 256], data }));
    };
    const refused = { code: 'invalid_request' };
    await expect(voices.style(one('changing'), 1)).rejects.toMatchObject(refused);
    put(1);
    expect((await voices.style(one('changing'), 1))[0]).toBe(1);
    put(2);
    expect((await voices.style(one('changing'), 1))[0]).toBe(2);
    rmSync(join(directory, 'changing.pt'));
    await expect(voices.style(one('changing'), 1)).rejects.toMatchObject(refused);
  });

  it.each(['unknown', '../voices/mine', 'flat', 'broken', 'nan'])('rejects the voice %s', async (name) => {
    await expect(voices.style(one(name), 1)).rejects.toMatchObject({ code: 'invalid_request', param: 'voice' });
  });
});
