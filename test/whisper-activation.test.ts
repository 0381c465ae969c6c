import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';
import { shareCompiledModels } from './fixtures/shared-models.ts';
import { microFiles, recordingFile, recordings } from './fixtures/whisper-micro.ts';

let hub: LocalHub;
let dataDir: string;
let env: Record<string, string>;
beforeEach(async () => {
  hub = await startLocalHub();
  hub.put('openai/whisper-small', microFiles());
  dataDir = await mkdtemp(join(tmpdir(), 'activation-'));
  shareCompiledModels(dataDir);
  env = { HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir };
});
afterEach(async () => {
  await endAll();
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const french = 'french';
const transcribe = async (hear: Hear) =>
  (await (await hear.post({ file: recordingFile(french) })).json()) as { text: string };
const presets = async (hear: Hear) =>
  (await (await hear.get('/api/model/presets')).json()) as { active: string; loaded: string };
const activeModel = async () => (await readFile(join(dataDir, 'active_model'), 'utf8')).trim();
const downloads = () => hub.requests.filter(({ url }) => url.endsWith('/model.safetensors'));

async function expectSmall(hear: Hear): Promise<void> {
  expect(await presets(hear)).toMatchObject({ active: 'small', loaded: 'small' });
  expect(await (await hear.get('/health')).json()).toMatchObject({ status: 'healthy', model: 'small' });
  expect((await transcribe(hear)).text).toBe(recordings[french]!.text);
}

async function expectFailure(response: Response, pattern: RegExp): Promise<void> {
  expect(response.status).toBe(503);
  const { detail } = (await response.json()) as { detail: { error: string; message: string } };
  expect(detail.error).toBe('model_load_failed');
  expect(detail.message).toMatch(pattern);
}

async function expectMoonshine(hear: Hear): Promise<void> {
  expect(await presets(hear)).toMatchObject({ active: 'moonshine-tiny', loaded: 'moonshine-tiny' });
  expect((await hear.get('/ready')).status).toBe(200);
}

describe('activation', () => {
  it('switches from Moonshine to Whisper and back, and survives a restart', async () => {
    const hear = await startHear(env);
    await hear.ready();
    await expectMoonshine(hear);
    const [old] = hear.engines();

    expect((await hear.activate('small')).status).toBe(200);
    await expectSmall(hear);
    expect(hear.engines()).not.toContain(old);
    expect(await activeModel()).toBe('small');
    await hear.stop();

    const again = await startHear({ ...env, HF_ENDPOINT: 'http://127.0.0.1:9' });
    await again.ready();
    await expectSmall(again);
    expect((await again.activate('moonshine-tiny')).status).toBe(200);
    await expectMoonshine(again);
    expect(await activeModel()).toBe('moonshine-tiny');
    await again.stop();
    expect(downloads()).toHaveLength(1);
  });

  it('serves with the old model until the new one is ready', async () => {
    const hear = await startHear(env);
    await hear.ready();
    let done = false;
    const activation = hear.activate('small').finally(() => {
      done = true;
    });
    let served = 0;
    while (!done) {
      expect((await hear.post({ file: recordingFile(french) })).status).toBe(200);
      served++;
    }
    expect((await activation).status).toBe(200);
    expect(served).toBeGreaterThan(0);
    await expectSmall(hear);
    await hear.stop();
  });

  it('resumes an interrupted download', async () => {
    hub.faults = [{ kind: 'none' }, { kind: 'drop', after: 100 }, { kind: 'drop', after: 1000 }];
    const hear = await startHear(env);
    await hear.ready();
    expect((await hear.activate('small')).status).toBe(200);
    await expectSmall(hear);
    expect(hub.requests.filter(({ headers }) => headers.range !== undefined).length).toBeGreaterThan(0);
    await hear.stop();
  });

  it('rejects a file that differs from the hub, and accepts the right one next time', async () => {
    hub.faults = Array(100).fill({ kind: 'corrupt' });
    const hear = await startHear(env);
    await hear.ready();
    await expectFailure(await hear.activate('small'), /openai\/whisper-small/);
    await expectMoonshine(hear);
    hub.faults = [];
    expect((await hear.activate('small')).status).toBe(200);
    await expectSmall(hear);
    await hear.stop();
  });

  it('reports what the hub refuses', async () => {
    const hear = await startHear(env);
    await hear.ready();
    await expectFailure(await hear.activate('base'), /no model repository openai\/whisper-base/);
    hub.token = 'secret';
    await expectFailure(await hear.activate('small'), /HF_TOKEN/);
    await expectMoonshine(hear);
    await hear.stop();

    const allowed = await startHear({ ...env, HF_TOKEN: 'secret' });
    await allowed.ready();
    expect((await allowed.activate('small')).status).toBe(200);
    await expectSmall(allowed);
    await allowed.stop();
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
    const folder = join(dataDir, 'models', 'hub', 'openai--whisper-small@main');
    await mkdir(folder, { recursive: true });
    const hash = createHash('sha256').update(microFiles()['model.safetensors']!.content).digest('hex');
    await symlink('/dev/full', join(folder, `model.safetensors.${hash}.part`));
    const hear = await startHear(env);
    await hear.ready();
    await expectFailure(await hear.activate('small'), /disk is full/);
    await expectMoonshine(hear);
    await hear.stop();
  });

  it('of one model twice at once shares one download', async () => {
    const hear = await startHear(env);
    await hear.ready();
    const answers = await Promise.all([hear.activate('small'), hear.activate('small')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectSmall(hear);
    expect(downloads()).toHaveLength(1);
    await hear.stop();
  });

  it('works while the configured model is loading, and after it failed', async () => {
    hub.put('openai/whisper-base', microFiles());
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 10 }];
    const warming = await startHear({ ...env, MODEL_SIZE: 'base' });
    await until(() => hub.faults.length === 0, 'the download stalls');
    expect((await warming.get('/ready')).status).toBe(503);
    expect((await warming.activate('small')).status).toBe(200);
    await expectSmall(warming);
    await warming.stop();

    hub.faults = [];
    const other = join(dataDir, 'other');
    shareCompiledModels(other);
    const failed = await startHear({ ...env, DATA_DIR: other, MODEL_SIZE: 'nobody/nothing' });
    await until(async () => (await failed.get('/health')).status === 503, 'the model has failed');
    expect((await failed.activate('small')).status).toBe(200);
    await expectSmall(failed);
    await failed.stop();
  });
});

describe('a downloaded Whisper model', () => {
  it.each(['small', 'tiny'])('is the default: %s goes before the built-in one', async (size) => {
    hub.put('openai/whisper-tiny', microFiles());
    const hear = await startHear(env);
    await hear.ready();
    expect((await hear.activate(size)).status).toBe(200);
    await hear.stop();
    await rm(join(dataDir, 'active_model'));
    const again = await startHear(env);
    await again.ready();
    expect(await (await again.get('/health')).json()).toMatchObject({ status: 'healthy', model: size });
    expect((await transcribe(again)).text).toBe(recordings[french]!.text);
    expect(again.log.join('\n')).toContain(`Model: ${size} (the best one on this machine)`);
    await again.stop();
  });
});
