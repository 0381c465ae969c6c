import { spawn } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { hasLexicons, lexiconFolder, lexiconNames } from './fixtures/lexicons.ts';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { until } from './fixtures/service.ts';
import { microTensors, openAiForm } from './fixtures/whisper-forms.ts';
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

const entry = fileURLToPath(new URL('../dist/bin/hearsay.js', import.meta.url));
const folder = () => join(dataDir, 'models', 'hub', 'openai--whisper-small@main');

function startFetch(names: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [entry, 'fetch', ...names], {
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
  it('downloads a model with progress, prints its path, and downloads nothing the second time', async () => {
    const first = await runFetch(['small']);
    expect(first).toMatchObject({ code: 0, stdout: `small: ${folder()}\n` });
    expect(first.stderr).toContain('(100 %) downloaded');
    expect(existsSync(join(folder(), 'model.safetensors'))).toBe(true);
    expect(await runFetch(['small'], { HF_HUB_OFFLINE: '1' })).toMatchObject({ code: 0, stderr: '' });
  });

  it('ignores invalid settings of the server', async () => {
    expect(await runFetch(['small'], { PORT: 'tcp://10.0.0.1:8000' })).toMatchObject({ code: 0 });
  });

  it('downloads the speaker model, and nothing else from its repository', async () => {
    const file = 'campplus_cn_common.bin';
    hub.put('funasr/campplus', { [file]: { content: 'weights', lfs: true }, 'examples/a.wav': { content: 'sound' } });
    const folder = join(dataDir, 'models', 'hub', 'funasr--campplus@main');
    expect(await runFetch(['campplus'])).toMatchObject({ code: 0, stdout: `campplus: ${folder}\n` });
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual([file]);
  });

  it("downloads the tokenizer that a file of OpenAI's own code lacks", async () => {
    hub.put('openai/whisper-tiny', microFiles());
    const path = join(dataDir, 'base.pt');
    writeFileSync(path, openAiForm(await microTensors(51_865)));
    expect(await runFetch([path])).toMatchObject({ code: 0, stdout: `${path}: ${path}\n` });
    const tokenizer = join(dataDir, 'models', 'hub', 'openai--whisper-tiny@main');
    expect(readdirSync(tokenizer).filter((name) => !name.startsWith('.'))).toEqual(['tokenizer.json']);
  });

  describe('kokoro', () => {
    const model = () => join(dataDir, 'models', 'hub', 'hexgrad--Kokoro-82M@main');
    const lexicons = () => join(dataDir, 'models', 'misaki');
    beforeEach(() => {
      const names = ['config.json', 'kokoro-v1_0.pth'];
      const files = names.map((name) => [name, { content: readFileSync(join(smallKokoro, name)) }]);
      hub.put('hexgrad/Kokoro-82M', Object.fromEntries(files));
    });

    it('downloads without lexicons if they are unavailable, and says so', async () => {
      const { stderr, ...ended } = await runFetch(['kokoro'], { MISAKI_ENDPOINT: hub.endpoint });
      expect(ended).toEqual({ code: 0, stdout: `kokoro: ${model()}\n` });
      expect(stderr).toMatch(/^lexicons: .*no file us_gold\.json.*pronouncing dictionary/m);
      const offline = await runFetch(['kokoro'], { HF_HUB_OFFLINE: '1' });
      expect(offline).toMatchObject({ code: 0, stderr: expect.stringContaining('HF_HUB_OFFLINE forbids') });
    });

    it.skipIf(!hasLexicons)('downloads the lexicons too', async () => {
      const server = createServer((request, response) => {
        createReadStream(join(lexiconFolder, request.url!.split('/').at(-1)!)).pipe(response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
        const { stderr, ...ended } = await runFetch(['kokoro'], { MISAKI_ENDPOINT: endpoint });
        expect(ended).toEqual({ code: 0, stdout: `kokoro: ${model()}\nlexicons: ${lexicons()}\n` });
        expect(stderr).toContain('lexicons: 13 of 13 MB (100 %) downloaded');
        expect(readdirSync(lexicons()).sort()).toEqual(lexiconNames);
        for (const name of lexiconNames) {
          expect(readFileSync(join(lexicons(), name)).equals(readFileSync(join(lexiconFolder, name)))).toBe(true);
        }
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });
  });

  it('reports an error in one line', async () => {
    for (const [names, code, message] of [
      [[], 2, /^Name the models: tiny, base/],
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

  it('keeps partial downloads when interrupted', async () => {
    hub.faults = [{ kind: 'none' }, ...Array(20).fill({ kind: 'stall', after: 50 })];
    const { child, ended } = startFetch(['small']);
    await until(() => hub.requests.length > 2, 'the download stalls');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: 'small: stopped; what has arrived is kept\n' });
    hub.faults = [];
    expect(await runFetch(['small'])).toMatchObject({ code: 0 });
  });
});
