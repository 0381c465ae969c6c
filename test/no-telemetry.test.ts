import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { endAll, startHear, startSay } from './fixtures/service.ts';
import { microCheckpoint } from './fixtures/whisper-micro.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterEach(async () => {
  await endAll();
  await rm(home, { recursive: true, force: true });
});

// onnxruntime keeps an identifier and unsent events in the home directory, but not on a CI: these tests start services
// without any variable that reveals one.
describe('onnxruntime sends no telemetry', () => {
  it.each([
    ['Moonshine', startHear, {}],
    ['Whisper', startHear, { MODEL_SIZE: microCheckpoint }],
    ['Kokoro', startSay, { TTS_MODEL: smallKokoro }],
  ])('%s', async (_name, start, env) => {
    const service = await start({ ...env, HOME: home });
    await service.ready();
    expect(await readdir(home)).toEqual([]);
    await service.stop();
    expect(await readdir(home)).toEqual([]);
  });
});
