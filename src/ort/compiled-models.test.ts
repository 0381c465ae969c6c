import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  compiledKey,
  compiledModel,
  loadCompiled,
  removeCompiled,
  removeScratch,
  sourceHash,
} from './compiled-models.ts';

let modelsDir: string;
const checkpoint = '/checkpoints/parrot';
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'compiled-models-'));
});
afterEach(() => rm(modelsDir, { recursive: true, force: true }));

describe('removeCompiled', () => {
  it('removes what was compiled from a checkpoint, also after MODELS_DIR has moved', async () => {
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    const before = join(modelsDir, 'before');
    for (const [key, name] of [
      ['a-1', 'a'],
      ['a-2', 'a'],
      ['b-1', 'b'],
    ] as const) {
      await compiledModel(before, key, join(before, 'hub', name), write);
    }
    const now = join(modelsDir, 'now');
    await rename(before, now);
    await removeCompiled(now, join(now, 'hub/a'));
    expect(await readdir(join(now, 'compiled'))).toEqual(['b-1']);
    await removeCompiled(join(modelsDir, 'nowhere'), 'a');
  });
});

describe('compiledModel', () => {
  it('compiles once and reuses the result', async () => {
    let times = 0;
    const write = async (directory: string) => {
      times++;
      await writeFile(join(directory, 'graph.onnx'), 'graph');
    };
    const folder = await compiledModel(modelsDir, 'tiny-1', checkpoint, write);
    expect(await compiledModel(modelsDir, 'tiny-1', checkpoint, write)).toBe(folder);
    expect(times).toBe(1);
    expect(await readFile(join(folder, 'graph.onnx'), 'utf8')).toBe('graph');
    expect(await compiledModel(modelsDir, 'tiny-2', checkpoint, write)).not.toBe(folder);
  });

  it('can be read by other users, as far as the umask allows', async () => {
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    const folder = await compiledModel(modelsDir, 'tiny-1', checkpoint, write);
    expect((await stat(folder)).mode).toBe((await stat(dirname(folder))).mode);
  });

  it('leaves nothing behind if compiling fails', async () => {
    const failing = compiledModel(modelsDir, 'tiny-1', checkpoint, async (folder) => {
      await writeFile(join(folder, 'half'), 'x');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await readdir(join(modelsDir, 'compiled'))).toEqual([]);
  });

  it('reports a full disk and leaves nothing behind', async () => {
    const failing = compiledModel(modelsDir, 'tiny-1', checkpoint, async (folder) => {
      await writeFile(join(folder, 'half'), 'x');
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    await expect(failing).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('disk is full'),
    });
    expect(await readdir(join(modelsDir, 'compiled'))).toEqual([]);
  });

  it('leaves one complete model after concurrent calls', async () => {
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    const folders = await Promise.all(
      Array.from({ length: 5 }, () => compiledModel(modelsDir, 'tiny-1', checkpoint, write)),
    );
    expect(new Set(folders).size).toBe(1);
    expect(await readdir(join(modelsDir, 'compiled'))).toEqual(['tiny-1']);
  });

  it('left the partial model of a killed process: removes it after a day', async () => {
    const parent = join(modelsDir, 'compiled');
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    for (const name of ['.tiny-1-abandoned', '.tiny-1-running', 'tiny-0']) {
      await mkdir(join(parent, name), { recursive: true });
      await write(join(parent, name));
    }
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const name of ['.tiny-1-abandoned', 'tiny-0']) await utimes(join(parent, name), twoDaysAgo, twoDaysAgo);
    await compiledModel(modelsDir, 'tiny-1', checkpoint, write);
    expect((await readdir(parent)).sort()).toEqual(['.tiny-1-running', 'tiny-0', 'tiny-1']);
  });

  it('kept the partial model of a killed process for a day, and one more for each restart that was killed', async () => {
    const parent = join(modelsDir, 'compiled');
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    let own = '';
    await compiledModel(modelsDir, 'tiny-0', checkpoint, async (folder) => {
      own = basename(folder);
      await write(folder);
    });
    const ofPid = (pid: number) => own.replace(`-${process.pid}-`, `-${pid}-`);
    // The second is larger than any id: its process has ended.
    const [earlier, ended, running, elsewhere] = [
      own,
      ofPid(2 ** 22 + 1),
      ofPid(process.ppid),
      '.tiny-0-host-1-abcdef',
    ];
    const writing = `${ended.slice(0, -1)}_`;
    const before = Date.now() / 1000 - 11 * 60;
    for (const name of [earlier, ended, running, elsewhere, writing]) {
      await mkdir(join(parent, name));
      await write(join(parent, name));
      if (name !== writing) await utimes(join(parent, name, 'graph.onnx'), before, before);
      await utimes(join(parent, name), before, before);
    }
    await compiledModel(modelsDir, 'tiny-1', checkpoint, write);
    expect((await readdir(parent)).sort()).toEqual(['tiny-0', 'tiny-1', running, elsewhere, writing].sort());
  });

  it('removes what was not loaded for 30 days when another model is compiled', async () => {
    const write = (folder: string) => writeFile(join(folder, 'graph.onnx'), 'graph');
    const daysAgo = async (key: string, days: number) => {
      const time = Date.now() / 1000 - days * 86_400;
      await utimes(join(await compiledModel(modelsDir, key, checkpoint, write), 'checkpoint.txt'), time, time);
    };
    const compiled = async () => (await readdir(join(modelsDir, 'compiled'))).sort();
    await daysAgo('tiny-0', 31);
    await daysAgo('tiny-1', 29);
    await compiledModel(modelsDir, 'tiny-2', checkpoint, write);
    expect(await compiled()).toEqual(['tiny-1', 'tiny-2']);
    await daysAgo('tiny-1', 31);
    await compiledModel(modelsDir, 'tiny-1', checkpoint, write);
    await compiledModel(modelsDir, 'tiny-3', checkpoint, write);
    expect(await compiled()).toEqual(['tiny-1', 'tiny-2', 'tiny-3']);
  });

  it('left the partial model of a cancelled load: its parent removes it, and nothing else', async () => {
    const parent = join(modelsDir, 'compiled');
    let scratch: string[] = [];
    await compiledModel(modelsDir, 'tiny-1', checkpoint, async (folder) => {
      await writeFile(join(folder, 'graph.onnx'), 'graph');
      scratch = await readdir(parent);
    });
    expect(scratch).toHaveLength(1);
    const pidOf = (name: string, pid: number) => name.replace(`-${process.pid}-`, `-${pid}-`);
    const [own, another, longer] = [scratch[0]!, pidOf(scratch[0]!, 7), pidOf(scratch[0]!, Number(`1${process.pid}`))];
    for (const name of [own, another, longer, own.slice(1), '.tiny-1-elsewhere-1-abcdef']) {
      await mkdir(join(parent, name));
      await writeFile(join(parent, name, 'half'), 'x');
    }
    await removeScratch(modelsDir, process.pid);
    const left = ['tiny-1', another, longer, own.slice(1), '.tiny-1-elsewhere-1-abcdef'];
    expect((await readdir(parent)).sort()).toEqual(left.sort());
    await removeScratch(join(modelsDir, 'missing'), process.pid);
  });

  it('uses a temporary directory if MODELS_DIR cannot be written', async () => {
    await writeFile(join(modelsDir, 'file'), '');
    const folder = await compiledModel(join(modelsDir, 'file'), 'tiny-1', checkpoint, (to) =>
      writeFile(join(to, 'graph.onnx'), 'graph'),
    );
    expect(await readFile(join(folder, 'graph.onnx'), 'utf8')).toBe('graph');
    // The next call removes the one before.
    const again = await compiledModel(join(modelsDir, 'file'), 'tiny-1', checkpoint, (to) =>
      writeFile(join(to, 'graph.onnx'), ''),
    );
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await rm(again, { recursive: true });
  });
});

describe('loadCompiled', () => {
  const write = (to: string) => writeFile(join(to, 'graph.onnx'), 'graph');
  const compile = async () => ({ folder: await compiledModel(modelsDir, 'tiny-1', checkpoint, write) });
  const load = async ({ folder }: { folder: string }) => {
    const graph = await readFile(join(folder, 'graph.onnx'), 'utf8');
    if (graph !== 'graph') throw new Error(`damaged: ${graph}`);
    return graph;
  };

  it('compiles a damaged model again', async () => {
    const { folder } = await compile();
    await writeFile(join(folder, 'graph.onnx'), 'gr');
    expect(await loadCompiled('tiny', { folder }, load, compile)).toBe('graph');
    expect(await readdir(join(modelsDir, 'compiled'))).toEqual(['tiny-1']);
  });

  it('removed a model that another replica had just compiled', async () => {
    const { folder } = await compile();
    await writeFile(join(folder, 'graph.onnx'), 'gr');
    let compiles = 0;
    const replaceThenLoad = async (compiled: { folder: string }) => {
      if (compiles > 0) return load(compiled);
      await loadCompiled('tiny', compiled, load, compile);
      await writeFile(join(folder, 'theirs'), '');
      throw new Error('damaged');
    };
    const again = async () => {
      compiles++;
      return compile();
    };
    expect(await loadCompiled('tiny', { folder }, replaceThenLoad, again)).toBe('graph');
    expect(await readdir(folder)).toEqual(['checkpoint.txt', 'graph.onnx', 'theirs']);
  });
});

describe('compiledKey', () => {
  it('depends on every part and on their boundaries', () => {
    const keys = [
      compiledKey('m', 'ab', 'c'),
      compiledKey('m', 'a', 'bc'),
      compiledKey('m', 'ab'),
      compiledKey('n', 'ab'),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(compiledKey('m', 'ab', 'c')).toBe(keys[0]);
  });
});

describe('sourceHash', () => {
  let root: string;
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const hash = () => sourceHash(['model/graph', 'model/configuration'], root);

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sources-'));
    await put('model/graph/encoder.ts', 'encoder');
    await put('model/graph/blocks/attention.ts', 'attention');
    await put('model/graph/encoder.test.ts', 'test');
    await put('model/configuration.ts', 'configuration');
    await put('model/runtime/decoding.ts', 'decoding');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it.each([
    'model/graph/encoder.ts',
    'model/graph/blocks/attention.ts',
    'model/configuration.ts',
    'model/graph/new.ts',
  ])('changes with %s', async (path) => {
    const before = await hash();
    expect(await hash()).toBe(before);
    await put(path, 'changed');
    expect(await hash()).not.toBe(before);
  });

  it.each(['model/runtime/decoding.ts', 'model/graph/encoder.test.ts', 'model/graph/notes.md'])(
    'does not change with %s',
    async (path) => {
      const before = await hash();
      await put(path, 'changed');
      expect(await hash()).toBe(before);
    },
  );

  it('throws for a path that does not exist', async () => {
    await expect(sourceHash(['model/absent'], root)).rejects.toThrow('ENOENT');
  });

  it('finds the modules of this repository', async () => {
    expect(await sourceHash(['ort/graph'])).not.toBe(await sourceHash(['ort/graph/builder']));
  });
});
