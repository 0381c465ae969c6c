import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

const services = ['hear', 'say'];

/**
 * What each room may import of other rooms, from the bottom up. A room is a folder, or a file directly in src/; the
 * longest name that fits a path is its room. Every room may import errors.ts.
 */
const allowed: Record<string, string[]> = {
  'errors.ts': [],
  config: [],
  files: [],
  scheduling: [],
  checkpoint: [],
  audio: [],
  text: [],
  ort: ['files'],
  hub: ['files'],
  contracts: ['text', 'audio'],
  engine: ['scheduling'],
  http: ['config', 'files', 'scheduling'],
  vad: ['contracts', 'ort'],
  'models/common': [],
  ...Object.fromEntries(
    ['whisper', 'moonshine', 'kokoro', 'flite'].map((name) => [
      `models/${name}`,
      ['models/common', 'contracts', 'scheduling', 'vad', 'ort', 'checkpoint', 'audio', 'text', 'files'],
    ]),
  ),
  hear: ['http', 'config', 'engine', 'hub', 'models', 'vad', 'contracts', 'scheduling', 'ort', 'audio', 'files'],
  say: [
    'http',
    'config',
    'engine',
    'hub',
    'models',
    'contracts',
    'scheduling',
    'ort',
    'checkpoint',
    'audio',
    'text',
    'files',
  ],
  bin: ['hear', 'say', 'http', 'config', 'hub'],
};
const nativePackages = ['onnxruntime-node', 'node-av'];

interface Import {
  file: string;
  room: string;
  target: string;
}

/** The longest entry of `allowed` that a path below src/ lies in; the path's first part if there is none. */
function roomOf(path: string): string {
  const rooms = Object.keys(allowed).filter((room) => path === room || path.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? path.split('/')[0]!;
}

function importsOf(file: string): Import[] {
  const path = relative(src, file);
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => ({
    file: path,
    room: roomOf(path),
    target: target!,
  }));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(src, name));
const imports = files.filter((file) => !file.endsWith('.test.ts')).flatMap(importsOf);

describe('import directions', () => {
  it('sees the imports', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({
      file: 'models/moonshine/worker.ts',
      room: 'models/moonshine',
      target: '../../scheduling/worker.ts',
    });
  });

  it('go down only', () => {
    const wrong = imports.filter(({ file, room, target }) => {
      if (!target.startsWith('.')) return false;
      const to = roomOf(relative(src, resolve(dirname(join(src, file)), target)));
      const mayImport = [room, 'errors.ts', ...(allowed[room] ?? [])];
      return !mayImport.some((name) => to === name || to.startsWith(`${name}/`));
    });
    expect(wrong).toEqual([]);
  });

  it('every room has its rule, and every rule its room', () => {
    const rooms = new Set(files.map((file) => roomOf(relative(src, file))));
    expect([...rooms].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('only ort and audio import native packages', () => {
    const native = imports.filter(({ target }) => nativePackages.some((name) => target.split('/')[0] === name));
    expect(native.length).toBeGreaterThan(1);
    expect(native.filter(({ room }) => room !== 'ort' && room !== 'audio')).toEqual([]);
  });

  it('the files that a service serves HTTP from load no model', () => {
    // engine.ts runs in the forked process; nothing that runs in the HTTP process may reach a native package.
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { file: from, target } of importsOf(join(src, file))) {
        if (target.startsWith('.')) visit(relative(src, resolve(dirname(join(src, from)), target)));
        else expect(nativePackages, `${from} imports ${target}`).not.toContain(target.split('/')[0]);
      }
    };
    for (const service of services) {
      const main = `${service}/main.ts`;
      if (files.includes(join(src, main))) visit(main);
    }
    expect(reached.size).toBeGreaterThan(20);
  });
});
