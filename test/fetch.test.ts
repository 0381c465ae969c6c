import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { until } from './fixtures/service.ts';
import { microFiles } from './fixtures/whisper-micro.ts';

let hub: LocalHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startLocalHub();
  hub.put('openai/whisper-small', microFiles());
  dataDir = await mkdtemp(join(tmpdir(), 'fetch-'));
});
afterEach(async () => {
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const entry = fileURLToPath(new URL('../dist/fetch.js', import.meta.url));
const folder = () => join(dataDir, 'models', 'hub', 'openai--whisper-small@main');

function startFetch(names: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [entry, ...names], {
    env: { PATH: process.env.PATH, HF_ENDPOINT: hub.endpoint, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (out[name] += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...out })),
  );
  return { child, ended };
}
const runFetch = (...call: Parameters<typeof startFetch>) => startFetch(...call).ended;

describe('npm run fetch', () => {
  it('downloads a model, says how far it is and where it lies, and needs nothing the next time', async () => {
    const first = await runFetch(['small']);
    expect(first).toMatchObject({ code: 0, stdout: `small: ${folder()}\n` });
    expect(first.stderr).toContain('(100 %) downloaded');
    expect(existsSync(join(folder(), 'model.safetensors'))).toBe(true);
    expect(await runFetch(['small'], { HF_HUB_OFFLINE: '1' })).toMatchObject({ code: 0, stderr: '' });
  });

  it('says what is wrong, in one line', async () => {
    for (const [names, code, message] of [
      [[], 2, /^Usage: .*\nModels: tiny, base/],
      [['nonsense'], 1, /^nonsense: .*neither a preset/],
      [['base'], 1, /^base: .*no model repository openai\/whisper-base.*\n$/],
    ] as const) {
      const { stderr, ...ended } = await runFetch([...names]);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(stderr).toMatch(message);
    }
    const wrong = await runFetch(['small'], { HF_ENDPOINT: 'nonsense' });
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toMatch(/^HF_ENDPOINT/);
  });

  it('keeps what has arrived where it is interrupted', async () => {
    hub.faults = [{ kind: 'none' }, ...Array(20).fill({ kind: 'stall', after: 50 })];
    const { child, ended } = startFetch(['small']);
    await until(() => hub.requests.length > 2, 'the download stalls');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1, stderr: 'small: stopped; what has arrived is kept\n' });
    hub.faults = [];
    expect(await runFetch(['small'])).toMatchObject({ code: 0 });
  });
});
