import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

const services = ['hear', 'say'];
const modelFolders = readdirSync(join(src, 'models'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'common')
  .map(({ name }) => name);
const text = ['text', 'text/english', 'text/languages.ts'];

/**
 * What each folder may import of other folders, from the bottom up. A folder may also be a single file; the longest
 * name that fits a path is its folder. `models/*` means all folders below models/. Every folder may import errors.ts.
 */
const allowed: Record<string, string[]> = {
  'errors.ts': [],
  config: [],
  files: [],
  scheduling: [],
  checkpoint: ['files'],
  audio: [],
  text: [],
  'text/cjk': ['text'],
  'text/english': ['text'],
  'text/espeak': ['text'],
  'text/japanese': ['text', 'text/cjk'],
  'text/mandarin': ['text', 'text/cjk'],
  'text/languages.ts': ['text', 'text/english', 'text/espeak', 'text/japanese', 'text/mandarin'],
  ort: ['files', 'machine'],
  hub: ['files'],
  contracts: ['text', 'audio'],
  engine: ['scheduling'],
  tracing: ['config'],
  machine: [],
  http: ['config', 'files', 'machine', 'scheduling', 'tracing'],
  wyoming: ['files'],
  vad: ['contracts', 'ort'],
  diarization: ['contracts', 'scheduling'],
  'models/common': ['contracts', 'vad'],
  'models/entry.ts': ['contracts', 'ort', 'text'],
  ...Object.fromEntries(
    modelFolders.map((name) => [
      `models/${name}`,
      [
        'models/entry.ts',
        'models/common',
        'contracts',
        'scheduling',
        'vad',
        'ort',
        'machine',
        'checkpoint',
        'audio',
        ...text,
        'files',
      ],
    ]),
  ),
  models: ['contracts', 'models/*'],
  hear: [
    'http',
    'machine',
    'tracing',
    'wyoming',
    'config',
    'engine',
    'hub',
    'models',
    'models/*',
    'vad',
    'diarization',
    'contracts',
    'scheduling',
    'ort',
    'audio',
    'files',
  ],
  say: [
    'http',
    'machine',
    'tracing',
    'wyoming',
    'config',
    'engine',
    'hub',
    'models',
    'models/*',
    'contracts',
    'scheduling',
    'ort',
    'checkpoint',
    'audio',
    ...text,
    'files',
  ],
  bin: ['hear', 'say', 'http', 'config', 'engine', 'hub', 'models', 'contracts', 'audio', 'text', 'files'],
};
const nativePackages = ['onnxruntime-node', 'node-av'];

interface Import {
  file: string;
  folder: string;
  target: string;
  /** Whether it loads the module together with the file: neither `import()` nor `import type`. */
  isStatic: boolean;
}

/** The longest entry of `allowed` that a path below src/ lies in; the path's first part if there is none. */
function folderOf(path: string): string {
  const folders = Object.keys(allowed).filter((folder) => path === folder || path.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? path.split('/')[0]!;
}

const STATIC =
  /^(?:import|export)\s+(type\s+)?(?:(?:[\w$]+,\s*)?(?:[\w$]+|\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)\s+from\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

function importsOf(file: string): Import[] {
  const path = relative(src, file);
  const folder = folderOf(path);
  const text = readFileSync(file, 'utf8');
  return [
    ...[...text.matchAll(STATIC)].map(([, type, target]) => ({
      file: path,
      folder,
      target: target!,
      isStatic: type === undefined,
    })),
    ...[...text.matchAll(DYNAMIC)].map(([, target]) => ({ file: path, folder, target: target!, isStatic: false })),
  ];
}

/** The path below src/ that an import names; undefined for a package. */
function targetOf({ file, target }: Pick<Import, 'file' | 'target'>): string | undefined {
  return target.startsWith('.') ? relative(src, resolve(dirname(join(src, file)), target)) : undefined;
}

/** The static imports of files, and of what they import, below src/. */
function staticImports(...entries: string[]): Import[] {
  const reached = new Map<string, Import[]>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    const found = importsOf(join(src, file)).filter(({ isStatic }) => isStatic);
    reached.set(file, found);
    for (const each of found) {
      const target = targetOf(each);
      if (target !== undefined) visit(target);
    }
  };
  entries.forEach(visit);
  return [...reached.values()].flat();
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(src, name));
const sources = files.filter((file) => !file.endsWith('.test.ts'));
const imports = sources.flatMap(importsOf);

const isNative = ({ target }: Import) => nativePackages.includes(target.split('/')[0]!);

describe('imports', () => {
  it('are found', () => {
    expect(imports.length).toBeGreaterThan(100);
    const file = 'models/moonshine/moonshine.ts';
    const folder = 'models/moonshine';
    expect(imports.filter((found) => found.file === file)).toEqual([
      { file, folder, target: '../../ort/device.ts', isStatic: true },
      { file, folder, target: '../entry.ts', isStatic: false },
      { file, folder, target: './presets.ts', isStatic: true },
      { file, folder, target: './recognizer.ts', isStatic: false },
    ]);
  });

  it('go down only', () => {
    const wrong = imports.filter((found) => {
      const target = targetOf(found);
      if (target === undefined) return false;
      const to = folderOf(target);
      const mayImport = [found.folder, 'errors.ts', ...(allowed[found.folder] ?? [])];
      return !mayImport.some((name) => to === name || (name.endsWith('/*') && to.startsWith(name.slice(0, -1))));
    });
    expect(wrong).toEqual([]);
  });

  it('stay within folders that have a rule', () => {
    const folders = new Set(files.map((file) => folderOf(relative(src, file))));
    expect([...folders].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('of native packages are in ort and audio only', () => {
    const native = imports.filter(isNative);
    expect(native.length).toBeGreaterThan(1);
    expect(native.filter(({ folder }) => folder !== 'ort' && folder !== 'audio')).toEqual([]);
  });

  it('of the HTTP processes reach the registry, and neither a model nor a native package', () => {
    // engine.ts runs in the forked process; the registry imports models dynamically.
    const reached = staticImports(...services.map((service) => `${service}/main.ts`));
    expect(reached.map(targetOf)).toContain('models/registry.ts');
    expect(reached.filter(isNative)).toEqual([]);
    // For fleets only.
    expect(reached.filter(({ target }) => target.startsWith('@nats-io/'))).toEqual([]);
    const models = reached.filter((found) =>
      /^models\/\w+\/(graph|runtime)\/|^ort\/session/.test(targetOf(found) ?? ''),
    );
    expect(models).toEqual([]);
  });
});

describe('graph folders', () => {
  const graphs = files.map((file) => relative(src, file)).filter((file) => /^models\/\w+\/graph\//.test(file));

  it('do not import the runtime', () => {
    const wrong = imports.filter((found) => graphs.includes(found.file) && targetOf(found)?.includes('/runtime/'));
    expect(graphs.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it('import only code that is in the hash of a compiled model', () => {
    // These hold no part of what a graph computes.
    const uncovered = /^(errors|files\/.*|ort\/(session|device|compiled-models|node-placement|no-telemetry))\.ts$/;
    let models = 0;
    for (const file of sources.map((source) => relative(src, source))) {
      const paths = /SOURCES = \[([^\]]*)\]/.exec(readFileSync(join(src, file), 'utf8'))?.[1];
      if (paths === undefined || !file.startsWith('models/')) continue;
      models++;
      const covered = [...paths.matchAll(/'([^']+)'/g)].map(([, path]) => path!);
      const own = graphs.filter((graph) => graph.startsWith(`${file.split('/').slice(0, 2).join('/')}/graph/`));
      const outside = staticImports(...own.filter((graph) => !graph.endsWith('.test.ts')))
        .map(targetOf)
        .filter((target) => target !== undefined && !uncovered.test(target))
        .filter((target) => !covered.some((path) => target === `${path}.ts` || target!.startsWith(`${path}/`)));
      expect([file, outside]).toEqual([file, []]);
    }
    expect(models).toBeGreaterThanOrEqual(3);
  });
});
