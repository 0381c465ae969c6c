import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from '../../test/fixtures/local-hub.ts';
import { Hub } from '../inference/hub.ts';
import { modelFiles } from './model-files.ts';

let folder: string;
let server: LocalHub;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'model-files-'));
  server = await startLocalHub();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const find = (size: string) => {
  const hub = new Hub({ endpoint: server.endpoint, offline: false, modelsDir: folder, retries: 0 });
  return modelFiles(size, hub, new AbortController().signal);
};
const refusal = (pattern: RegExp) => ({ code: 'model_load_failed', message: expect.stringMatching(pattern) });

describe('modelFiles', () => {
  it('needs nothing for the built-in model', async () => {
    expect(await find('moonshine-tiny')).toBe('moonshine-tiny');
    expect(server.requests).toEqual([]);
  });

  it('fetches the configuration of a preset first, and no weights for what cannot be run', async () => {
    server.put('openai/whisper-small', {
      'config.json': { content: '{"model_type":"whisper"}' },
      'model.safetensors': { content: 'x'.repeat(1000) },
    });
    await expect(find('small')).rejects.toMatchObject(refusal(/whisper checkpoint, which this release cannot run/));
    expect(server.requests.some(({ url }) => url.includes('config.json'))).toBe(true);
    expect(server.requests.some(({ url }) => url.includes('safetensors'))).toBe(false);
  });

  it('takes a revision, and any hub id', async () => {
    server.put('openai/whisper-base', { 'config.json': { content: '{"model_type":"tuned"}' } }, 'v2');
    server.put('somebody/else', { 'config.json': { content: '{"model_type":"other"}' } });
    await expect(find('base@v2')).rejects.toMatchObject(refusal(/tuned checkpoint/));
    await expect(find('somebody/else')).rejects.toMatchObject(refusal(/other checkpoint/));
  });

  it('takes a folder on disk', async () => {
    const checkpoint = join(folder, 'checkpoint');
    mkdirSync(checkpoint);
    for (const [config, message] of [
      ['{"model_type":"whisper"}', /whisper checkpoint/],
      ['{', /not readable JSON/],
      ['null', /names no model_type/],
      ['{"model_type":3}', /names no model_type/],
    ] as const) {
      writeFileSync(join(checkpoint, 'config.json'), config);
      await expect(find(checkpoint)).rejects.toMatchObject(refusal(message));
    }
    expect(server.requests).toEqual([]);
  });

  it('says what a size may be, and what the hub said', async () => {
    await expect(find('nonsense')).rejects.toMatchObject(refusal(/neither a preset, nor a folder .* nor a hub id/));
    await expect(find('nobody/nothing')).rejects.toMatchObject(refusal(/nobody\/nothing/));
    await expect(find('../..')).rejects.toMatchObject(refusal(/./));
  });
});
