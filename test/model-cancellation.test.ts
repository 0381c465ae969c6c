import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';
import { microFiles } from './fixtures/whisper-micro.ts';

interface Presets {
  active: string;
  loaded: string;
  presets: { size: string; on_disk: boolean; downloaded_bytes: number }[];
  loading?: { size: string; received_bytes: number; total_bytes: number };
}

const files = microFiles();
const totalBytes = Object.values(files).reduce((sum, { content }) => sum + Buffer.from(content).length, 0);

let hub: LocalHub;
let dataDir: string;
let env: Record<string, string>;
beforeEach(async () => {
  hub = await startLocalHub();
  hub.put('openai/whisper-small', files);
  dataDir = await mkdtemp(join(tmpdir(), 'cancellation-'));
  env = { HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir };
});
afterEach(async () => {
  await endAll();
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const presets = async (hear: Hear) => (await (await hear.get('/api/model/presets')).json()) as Presets;
const small = async (hear: Hear) => (await presets(hear)).presets.find(({ size }) => size === 'small')!;
const namesIn = (folder: string) => readdir(join(dataDir, 'models', folder)).catch(() => [] as string[]);
const isDownloading = async (hear: Hear) => ((await presets(hear)).loading?.received_bytes ?? 0) > 0;

async function started(extra: Record<string, string> = {}): Promise<Hear> {
  const hear = await startHear({ ...env, ...extra });
  await hear.ready();
  return hear;
}

async function expectCancelled(response: Response): Promise<void> {
  expect(response.status).toBe(409);
  const { detail } = (await response.json()) as { detail: object };
  expect(detail).toMatchObject({ error: 'activation_cancelled', message: 'The activation of small was cancelled.' });
}

/** Only the engine of the built-in model runs, and serves. */
async function expectAsBefore(hear: Hear, engine: number): Promise<void> {
  const { active, loaded, loading } = await presets(hear);
  expect({ active, loaded, loading }).toEqual({
    active: 'moonshine-tiny',
    loaded: 'moonshine-tiny',
    loading: undefined,
  });
  expect(hear.engines()).toEqual([engine]);
  expect((await hear.get('/ready')).status).toBe(200);
  expect(await readdir(dataDir)).not.toContain('active_model');
  expect((await namesIn('compiled')).filter((name) => name.startsWith('.'))).toEqual([]);
}

describe('cancelling an activation', () => {
  it('ends the download at any file, keeps what came, and the next activation resumes it', async () => {
    const hear = await started();
    const [engine] = hear.engines();
    hub.listStalls = true;
    const listing = hear.activate('small');
    await until(() => hub.requests.length > 0, 'the list of files is requested');
    expect((await hear.cancel('small')).status).toBe(200);
    await expectCancelled(await listing);
    await expectAsBefore(hear, engine!);
    hub.listStalls = false;

    let kept = 0;
    for (const file of ['first', 'second', 'third']) {
      // What stalled before comes at once.
      hub.faults = [...(file === 'first' ? [] : [{ kind: 'none' } as const]), { kind: 'stall', after: 20 }];
      const activation = hear.activate('small');
      await until(async () => hub.faults.length === 0 && (await small(hear)).downloaded_bytes > kept, 'a file stalls');
      const response = await hear.cancel('small');
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ active: 'moonshine-tiny', loaded: 'moonshine-tiny' });
      await expectCancelled(await activation);
      await expectAsBefore(hear, engine!);
      const { on_disk, downloaded_bytes } = await small(hear);
      expect(on_disk).toBe(false);
      expect(downloaded_bytes).toBeLessThan(totalBytes);
      kept = downloaded_bytes;
    }
    hub.faults = [];
    expect((await hear.activate('small')).status).toBe(200);
    expect(hub.requests.some(({ headers }) => /^bytes=[1-9]/.test(headers.range ?? ''))).toBe(true);
    const { on_disk, downloaded_bytes } = await small(hear);
    expect(on_disk).toBe(true);
    expect(downloaded_bytes).toBeGreaterThan(Buffer.from(files['model.safetensors']!.content).length);
    expect(downloaded_bytes).toBeLessThanOrEqual(totalBytes);
    expect(await presets(hear)).toMatchObject({ active: 'small', loaded: 'small' });
    await hear.stop();
  });

  it('ends every request that waits for the model, also if the first client has left', async () => {
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 20 }];
    const hear = await started();
    const [engine] = hear.engines();
    const gone = new AbortController();
    const body = JSON.stringify({ size: 'small' });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, signal: gone.signal };
    const first = fetch(`${hear.url}/api/model/activate`, init).catch((error) => error);
    await until(() => isDownloading(hear), 'the download begins');
    const others = [hear.activate('small'), hear.activate('small')];
    gone.abort();
    await first;
    await sleep(200);
    expect((await presets(hear)).loading).toMatchObject({ size: 'small' });
    // Whoever comes first ends it for all.
    const cancels = await Promise.all([hear.cancel('small'), hear.cancel('small')]);
    expect(cancels.map(({ status }) => status)).toContain(200);
    for (const other of others) await expectCancelled(await other);
    expect((await hear.cancel('small')).status).toBe(404);
    await expectAsBefore(hear, engine!);
    await hear.stop();
  });

  it('at any moment of a load leaves one model and its process, or comes too late', async () => {
    const hear = await started();
    const start = performance.now();
    expect((await hear.activate('small')).status).toBe(200);
    const loadMs = performance.now() - start;
    expect((await hear.activate('moonshine-tiny')).status).toBe(200);
    for (const part of [0, 0.4, 0.8, 1.2]) {
      // Compiled anew each time, so that some are cancelled while they compile.
      await rm(join(dataDir, 'models', 'compiled'), { recursive: true, force: true });
      const activation = hear.activate('small');
      await sleep(loadMs * part);
      const cancelled = await hear.cancel('small');
      if (cancelled.status === 200) {
        await expectCancelled(await activation);
        expect(await presets(hear)).toMatchObject({ active: 'moonshine-tiny', loaded: 'moonshine-tiny' });
      } else {
        expect(cancelled.status).toBe(404);
        expect((await activation).status).toBe(200);
        expect((await hear.activate('moonshine-tiny')).status).toBe(200);
      }
      await until(() => hear.engines().length === 1, 'one engine is left');
      expect((await namesIn('compiled')).filter((name) => name.startsWith('.'))).toEqual([]);
    }
    await hear.stop();
  }, 180_000);

  it('can be done after a crash of the service, whose download is resumed and not started by itself', async () => {
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 20 }];
    const hear = await started();
    const activation = hear.activate('small').catch((error) => error);
    await until(() => isDownloading(hear), 'the download begins');
    await until(async () => (await small(hear)).downloaded_bytes > 0, 'some bytes are kept');
    process.kill(hear.pid, 'SIGKILL');
    await hear.exited;
    await activation;

    const requests = hub.requests.length;
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 20 }];
    const again = await started();
    const [engine] = again.engines();
    const { on_disk, downloaded_bytes } = await small(again);
    expect([on_disk, downloaded_bytes > 0]).toEqual([false, true]);
    expect(hub.requests).toHaveLength(requests);
    const second = again.activate('small');
    await until(() => isDownloading(again), 'the download begins');
    expect((await again.cancel('small')).status).toBe(200);
    await expectCancelled(await second);
    await expectAsBefore(again, engine!);
    await again.stop();
  });

  it('does not end the load of the selected model; another one in its place does', async () => {
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 20 }];
    const hear = await startHear({ ...env, MODEL_SIZE: 'small' });
    await until(() => isDownloading(hear), 'the download begins');
    const refused = await hear.cancel('small');
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('activate another one in its place');
    expect(await presets(hear)).toMatchObject({ active: 'small', loaded: '', loading: { size: 'small' } });
    expect((await hear.activate('moonshine-tiny')).status).toBe(200);
    await until(async () => (await presets(hear)).loading === undefined, 'the download has ended');
    expect(await small(hear)).toMatchObject({ on_disk: false });
    await hear.stop();
  });
});
