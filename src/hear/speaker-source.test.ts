import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from '../../test/fixtures/local-hub.ts';
import { Hub } from '../hub/hub.ts';
import { speakerSource } from './speaker-source.ts';

const REPOSITORY = 'funasr/campplus';
const FILE = 'campplus_cn_common.bin';

let local: LocalHub;
let hub: Hub;
let modelsDir: string;
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'hearsay-speakers-'));
  local = await startLocalHub();
  local.put(REPOSITORY, {
    [FILE]: { content: 'weights' },
    'README.md': { content: 'words' },
    'example/a.bin': { content: 'sound' },
  });
  hub = new Hub({ endpoint: local.endpoint, offline: false, modelsDir, retries: 0 });
});
afterEach(async () => {
  await local.close();
  await rm(modelsDir, { recursive: true });
});

const folder = () => join(modelsDir, 'hub', 'funasr--campplus@main');

describe('speakerSource', () => {
  it('has no model until the official one is fetched', async () => {
    const source = speakerSource(undefined, hub);
    expect([await source.name(), await source.files()]).toEqual([undefined, undefined]);
    await speakerSource('campplus', hub).files();
    expect(await source.name()).toBe('campplus');
    expect(await source.files()).toEqual({ modelType: 'campplus', checkpoint: folder() });
  });

  it('downloads only the named files of a repository', async () => {
    const source = speakerSource('campplus', hub);
    expect(await source.name()).toBe('campplus');
    expect(await source.files()).toEqual({ modelType: 'campplus', checkpoint: folder() });
    expect(await readdir(folder())).toEqual(expect.arrayContaining([FILE]));
    expect(await readdir(folder())).not.toContain('README.md');
    local.put('org/voices', { 'voices.pt': { content: 'weights' } }, 'v2');
    const checkpoint = join(modelsDir, 'hub', 'org--voices@v2');
    expect(await speakerSource('org/voices@v2', hub).files()).toEqual({ modelType: 'campplus', checkpoint });
  });

  it('accepts a file or a directory, and shows only its name', async () => {
    const path = join(modelsDir, 'voices.pt');
    await writeFile(path, 'weights');
    const source = speakerSource(path, hub);
    expect(await source.name()).toBe('voices.pt');
    expect(await source.files()).toEqual({ modelType: 'campplus', checkpoint: path });
    expect(await speakerSource(modelsDir, hub).files()).toEqual({ modelType: 'campplus', checkpoint: modelsDir });
  });

  it('rejects anything else, again and again', async () => {
    const source = speakerSource('/models/none.pt', hub);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(source.files()).rejects.toMatchObject({
        code: 'model_load_failed',
        message: 'The model none.pt is neither campplus, nor a file or folder, nor a hub id such as org/name.',
      });
    }
  });
});
