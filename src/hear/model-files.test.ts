import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from '../../test/fixtures/local-hub.ts';
import { openAiFile } from '../../test/fixtures/openai-checkpoint.ts';
import { Hub } from '../hub/hub.ts';
import { bestCachedSize, modelFiles, removeModel, storedModel } from './model-files.ts';

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

const openHub = () => new Hub({ endpoint: server.endpoint, offline: false, modelsDir: folder, retries: 0 });
const find = (size: string) => modelFiles(size, openHub());
const refusal = (pattern: RegExp) => ({ code: 'model_load_failed', message: expect.stringMatching(pattern) });

describe('modelFiles', () => {
  it('finds the built-in model without a request', async () => {
    expect(await find('moonshine-tiny')).toEqual({ modelType: 'moonshine', checkpoint: 'moonshine-tiny' });
    expect(server.requests).toEqual([]);
  });

  it('downloads the files of a Whisper checkpoint, and no other forms of its weights', async () => {
    const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors', 'generation_config.json'];
    const others = [
      'pytorch_model.bin',
      'model.fp32-00001-of-00002.safetensors',
      'README.md',
      'onnx/model.safetensors',
    ];
    server.put('openai/whisper-small', {
      ...Object.fromEntries([...names, ...others].map((name) => [name, { content: name }])),
      'config.json': { content: '{"model_type":"whisper"}' },
    });
    const { modelType, checkpoint } = await find('small');
    expect(modelType).toBe('whisper');
    expect(readdirSync(checkpoint).filter((name) => !name.startsWith('.'))).toEqual(['config.json', ...names].sort());
  });

  it('downloads no weights of an unsupported type', async () => {
    server.put('org/other', {
      'config.json': { content: '{"model_type":"other"}' },
      'model.safetensors': { content: 'x'.repeat(1000) },
    });
    await expect(find('org/other')).rejects.toMatchObject(refusal(/other checkpoint, which this release cannot run/));
    expect(server.requests.some(({ url }) => url.includes('config.json'))).toBe(true);
    expect(server.requests.some(({ url }) => url.includes('safetensors'))).toBe(false);
  });

  it('accepts a revision, and any hub id', async () => {
    server.put('openai/whisper-base', { 'config.json': { content: '{"model_type":"tuned"}' } }, 'v2');
    server.put('org/else', { 'config.json': { content: '{"model_type":"other"}' } });
    await expect(find('base@v2')).rejects.toMatchObject(refusal(/tuned checkpoint/));
    await expect(find('org/else')).rejects.toMatchObject(refusal(/other checkpoint/));
  });

  it('accepts a directory', async () => {
    const checkpoint = join(folder, 'checkpoint');
    mkdirSync(checkpoint);
    for (const [config, message] of [
      ['{"model_type":"other"}', /other checkpoint/],
      ['\uFEFF{"model_type":"moonshine"}', /moonshine checkpoint/],
      ['{', /not readable JSON/],
      ['null', /names no model_type/],
      ['{"model_type":3}', /names no model_type/],
    ] as const) {
      writeFileSync(join(checkpoint, 'config.json'), config);
      await expect(find(checkpoint)).rejects.toMatchObject(refusal(message));
    }
    writeFileSync(join(checkpoint, 'config.json'), '{"model_type":"whisper"}');
    expect(await find(checkpoint)).toEqual({ modelType: 'whisper', checkpoint });
    expect(server.requests).toEqual([]);
  });

  it('took a directory that cannot be read for none', async () => {
    symlinkSync('loop', join(folder, 'loop'));
    await expect(find(join(folder, 'loop'))).rejects.toMatchObject(refusal(/config\.json cannot be read \(ELOOP\)/));
    await expect(find(join(folder, 'none'))).rejects.toMatchObject(refusal(/neither a preset, nor a folder/));
  });

  const ctranslate2Config = '{"suppress_ids":[],"suppress_ids_begin":[],"lang_ids":[],"alignment_heads":[]}';

  it('downloads the files of a CTranslate2 checkpoint', async () => {
    const names = ['model.bin', 'preprocessor_config.json', 'tokenizer.json', 'vocabulary.json', 'vocabulary.txt'];
    server.put('org/ct2-small', {
      ...Object.fromEntries([...names, 'README.md', 'model.safetensors'].map((name) => [name, { content: name }])),
      'config.json': { content: ctranslate2Config },
    });
    const { modelType, checkpoint } = await find('org/ct2-small');
    expect(modelType).toBe('whisper');
    expect(readdirSync(checkpoint).filter((name) => !name.startsWith('.'))).toEqual(['config.json', ...names].sort());
  });

  it('accepts a directory of CTranslate2', async () => {
    writeFileSync(join(folder, 'config.json'), ctranslate2Config);
    expect(await find(folder)).toEqual({ modelType: 'whisper', checkpoint: folder });
  });

  it('distinguishes CTranslate2 from the official form even if config.json names a model_type', async () => {
    server.put('org/ct2-base', {
      'config.json': { content: `{"model_type":"whisper",${ctranslate2Config.slice(1)}` },
      'model.bin': { content: 'weights' },
    });
    const { checkpoint } = await find('org/ct2-base');
    expect(readdirSync(checkpoint).filter((name) => !name.startsWith('.'))).toEqual(['config.json', 'model.bin']);
  });

  describe("a file of OpenAI's own code", () => {
    const dims = (vocabulary: number) => ({
      ...{ n_mels: 80, n_vocab: vocabulary, n_audio_ctx: 1, n_audio_state: 1, n_audio_head: 1, n_audio_layer: 1 },
      ...{ n_text_ctx: 1, n_text_state: 1, n_text_head: 1, n_text_layer: 1 },
    });
    const one = { shape: [1, 1], data: Float32Array.of(1) };
    const weights = { 'encoder.blocks.0.mlp.0.weight': one, 'decoder.blocks.0.mlp.0.weight': one };
    let path: string;
    beforeEach(() => {
      path = join(folder, 'base.pt');
      writeFileSync(path, openAiFile(dims(51_865), weights));
    });

    it('gets the official tokenizer from the hub, and nothing else', async () => {
      server.put('openai/whisper-tiny', {
        'tokenizer.json': { content: '{}' },
        'model.safetensors': { content: 'x'.repeat(1000) },
      });
      const { tokenizer, ...files } = await find(path);
      expect(files).toEqual({ modelType: 'whisper', checkpoint: path });
      expect(readdirSync(tokenizer!).filter((name) => !name.startsWith('.'))).toEqual(['tokenizer.json']);
    });

    it('is on this machine once its tokenizer is', async () => {
      server.put('openai/whisper-tiny', { 'tokenizer.json': { content: '{}' } });
      expect(await storedModel(path, openHub())).toEqual({ isOnDisk: false, downloadedBytes: 0 });
      await find(path);
      expect(await storedModel(path, openHub())).toEqual({ isOnDisk: true, downloadedBytes: 2 });
    });

    it('says which tokenizer it needs if the hub has none', async () => {
      const problem = /needs a tokenizer: put the tokenizer\.json of openai\/whisper-tiny beside base\.pt, or let it/;
      await expect(find(path)).rejects.toMatchObject(refusal(problem));
    });

    it('is refused if it is damaged, without a request', async () => {
      writeFileSync(path, openAiFile(dims(51_865), weights).subarray(0, 500));
      await expect(find(path)).rejects.toMatchObject(refusal(/base\.pt cannot be used: the file was truncated/));
      expect(server.requests).toEqual([]);
    });

    it('must exist', async () => {
      await expect(find(join(folder, 'small.pt'))).rejects.toMatchObject(refusal(/nor a \.pt file, nor a hub id/));
    });
  });

  it('names the valid sizes, and passes on errors of the hub', async () => {
    await expect(find('nonsense')).rejects.toMatchObject(refusal(/neither a preset, nor a folder .* nor a hub id/));
    await expect(find('org/nothing')).rejects.toMatchObject(refusal(/org\/nothing/));
    await expect(find('../..')).rejects.toMatchObject(refusal(/./));
  });
});

describe('bestCachedSize', () => {
  it('returns the best preset whose files are all on this machine', async () => {
    expect(await bestCachedSize(openHub())).toBeUndefined();
    for (const [size, best] of [
      ['tiny.en', 'tiny.en'],
      ['tiny', 'tiny'],
      ['base', 'base'],
      ['distil-whisper/distil-large-v3', 'distil-large-v3'],
      ['small', 'small'],
      ['large-v3', 'large-v3'],
      ['medium', 'large-v3'],
    ] as const) {
      server.put(size.includes('/') ? size : `openai/whisper-${size}`, {
        'config.json': { content: '{"model_type":"whisper"}' },
        'model.safetensors': { content: size },
      });
      await find(size);
      expect(await bestCachedSize(openHub())).toBe(best);
    }
    rmSync(join((await find('large-v3')).checkpoint, 'model.safetensors'));
    expect(await bestCachedSize(openHub())).toBe('medium');
    expect(server.requests.filter(({ url }) => url.includes('safetensors'))).toHaveLength(7);
  });
});

describe('storedModel', () => {
  const stored = (size: string) => storedModel(size, openHub());
  const missing = { isOnDisk: false, downloadedBytes: 0 };
  const configuration = '{"model_type":"whisper"}';

  it('finds a downloaded preset, revision and hub id, and sends no request', async () => {
    const files = { 'config.json': { content: configuration }, 'model.safetensors': { content: 'x'.repeat(1000) } };
    for (const size of ['small', 'small@v2', 'org/own']) {
      server.put(size === 'org/own' ? size : 'openai/whisper-small', files, size === 'small@v2' ? 'v2' : 'main');
      expect(await stored(size)).toEqual(missing);
      await find(size);
      server.requests.length = 0;
      expect(await stored(size)).toEqual({ isOnDisk: true, downloadedBytes: 1000 + configuration.length });
      expect(server.requests).toEqual([]);
    }
    expect(await stored('base')).toEqual(missing);
  });

  it('counts the bytes of an incomplete download', async () => {
    server.put('openai/whisper-small', {
      'config.json': { content: configuration },
      'model.safetensors': { content: 'x'.repeat(100_000), lfs: true },
    });
    server.faults = [{ kind: 'none' }, { kind: 'drop', after: 50_000 }];
    await expect(find('small')).rejects.toMatchObject({ code: 'model_load_failed' });
    const { isOnDisk, downloadedBytes } = await stored('small');
    expect(isOnDisk).toBe(false);
    expect(downloadedBytes).toBeGreaterThan(configuration.length);
    expect(downloadedBytes).toBeLessThanOrEqual(50_000 + configuration.length);
  });

  it('finds a built-in model and a directory', async () => {
    const present = { isOnDisk: true, downloadedBytes: 0 };
    expect(await stored('moonshine-tiny')).toEqual(present);
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'config.json'), configuration);
    expect(await stored(own)).toEqual(present);
  });

  it('finds nothing of names that are none, damaged configurations and unsupported models', async () => {
    for (const name of ['', 'nonsense', '../..', 'org/name', '\0', 'a'.repeat(5000)]) {
      expect([name, await stored(name)]).toEqual([name, missing]);
    }
    const own = join(folder, 'own');
    mkdirSync(own);
    for (const text of ['', '{"model_type":"other"}', '[]']) {
      writeFileSync(join(own, 'config.json'), text);
      expect(await stored(own)).toEqual(missing);
    }
  });
});

describe('removeModel', () => {
  it('removes a download, and nothing that came otherwise', async () => {
    server.put('openai/whisper-small', { 'config.json': { content: '{"model_type":"whisper"}' } });
    await openHub().fetch('openai/whisper-small', () => true);
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'config.json'), '{"model_type":"whisper"}');
    writeFileSync(join(folder, 'own.pt'), '');
    for (const size of [own, join(folder, 'own.pt'), 'moonshine-tiny', 'base', 'small@v2']) {
      expect([size, await removeModel(size, openHub(), folder)]).toEqual([size, false]);
    }
    expect(readdirSync(own)).toEqual(['config.json']);
    expect(await removeModel('small', openHub(), folder)).toBe(true);
    expect(await storedModel('small', openHub())).toEqual({ isOnDisk: false, downloadedBytes: 0 });
  });
});
