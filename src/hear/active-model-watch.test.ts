import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { persistActiveModel } from './active-model.ts';
import { watchActiveModel } from './active-model-watch.ts';

let dataDir: string;
let stop = () => {};
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'active-model-watch-'));
});
afterEach(async () => {
  stop();
  await rm(dataDir, { recursive: true });
});

function watch(activate: (name: string) => Promise<void>) {
  const activated: string[] = [];
  const log: string[] = [];
  const models = {
    active: 'tiny',
    async activate(name: string) {
      activated.push(name);
      await activate(name);
      models.active = name;
    },
  };
  const line = (text: string) => void log.push(text);
  stop = watchActiveModel(dataDir, models, { info: line, warn: line } as never, { intervalMs: 20 });
  return { activated, log, models };
}

it('an activation was known to one replica only: those with the same DATA_DIR load the model, too', async () => {
  await persistActiveModel(dataDir, 'tiny');
  const { activated, models } = watch(async () => {});
  await sleep(60);
  expect(activated).toEqual([]);
  await persistActiveModel(dataDir, 'base');
  await vi.waitFor(() => expect(models.active).toBe('base'));
  await persistActiveModel(dataDir, 'base');
  await sleep(60);
  expect(activated).toEqual(['base']);
});

it('a model that another replica activated and that fails here is tried once, with a warning', async () => {
  const { activated, log, models } = watch(async (name) => {
    if (name === 'huge') throw new Error('Not enough memory.');
  });
  await sleep(60);
  await persistActiveModel(dataDir, 'huge');
  await vi.waitFor(() => expect(log.at(-1)).toBe('The model huge cannot be used here: Not enough memory.'));
  await sleep(60);
  expect(activated).toEqual(['huge']);
  // Emptied or removed by hand, the file names no model.
  await writeFile(join(dataDir, 'active_model'), '');
  await sleep(60);
  await rm(join(dataDir, 'active_model'));
  await sleep(60);
  expect([activated, models.active]).toEqual([['huge'], 'tiny']);
  await persistActiveModel(dataDir, 'base');
  await vi.waitFor(() => expect(models.active).toBe('base'));
});
