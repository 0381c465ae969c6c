import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';
import { microFiles } from './fixtures/whisper-micro.ts';

let hub: LocalHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startLocalHub();
  hub.put('openai/whisper-small', microFiles());
  dataDir = await mkdtemp(join(tmpdir(), 'removal-'));
});
afterEach(async () => {
  await endAll();
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const namesIn = (folder: string) => readdir(join(dataDir, 'models', folder));
const compiledWhisper = async () => (await namesIn('compiled')).filter((name) => !name.startsWith('moonshine-'));

interface Rows {
  presets: { size: string; on_disk: boolean; downloaded_bytes: number }[];
}

async function small(hear: Hear) {
  const { presets } = (await (await hear.get('/api/model/presets')).json()) as Rows;
  return presets.find(({ size }) => size === 'small');
}

async function expectInUse(response: Response): Promise<void> {
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ detail: { error: 'model_in_use' } });
}

describe('removing a model', () => {
  it('frees the disk, of the compiled model too, and the model can be activated again', async () => {
    const hear = await startHear({ HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir });
    await hear.ready();
    for (let round = 0; round < 2; round++) {
      expect((await hear.activate('small')).status).toBe(200);
      expect(await small(hear)).toMatchObject({ on_disk: true });
      await expectInUse(await hear.remove('small'));
      expect((await hear.activate('moonshine-tiny')).status).toBe(200);
      expect((await compiledWhisper()).length).toBe(1);
      const removed = await hear.remove('small');
      expect(removed.status).toBe(200);
      expect(((await removed.json()) as Rows).presets).toContainEqual(await small(hear));
      expect(await small(hear)).toMatchObject({ on_disk: false, downloaded_bytes: 0 });
      expect([await namesIn('hub'), await compiledWhisper()]).toEqual([[], []]);
    }
    for (const size of ['small', 'base']) expect((await hear.remove(size)).status).toBe(404);
    await expectInUse(await hear.remove('moonshine-tiny'));
  });

  it('removes a download that was cancelled, after the activation before it', async () => {
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 50 }];
    const hear = await startHear({ HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir });
    await hear.ready();
    const activation = hear.activate('small');
    while (!((await small(hear))!.downloaded_bytes > 0)) await new Promise((resolve) => setTimeout(resolve, 50));
    const removal = hear.remove('small');
    expect((await hear.cancel('small')).status).toBe(200);
    expect((await activation).status).toBe(409);
    expect((await removal).status).toBe(200);
    expect(await small(hear)).toMatchObject({ on_disk: false, downloaded_bytes: 0 });
    expect(await namesIn('hub')).toEqual([]);
  });
});
