import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

const services = ['speech-to-text', 'text-to-speech'];
const models = ['whisper', 'moonshine', 'kokoro', 'flite'];
const foundation = ['onnx', 'checkpoint', 'audio', 'inference'];
/** Text to words and phonemes, for every voice model and for the synthesis service. */
const text = 'text';

/** What the files of a folder may import of other folders; files directly in src/ may be imported by all. */
const allowed: Record<string, string[]> = {
  ...Object.fromEntries(services.map((name) => [name, ['http', ...foundation, ...models, 'silero', text]])),
  // Speech models recognize the windows that voice activity cuts.
  ...Object.fromEntries(models.map((name) => [name, [...foundation, 'silero', 'recognition', text]])),
  // What speech models share knows no model but the one that says where speech is.
  recognition: ['silero'],
  silero: foundation,
  inference: [],
  http: [],
  onnx: [],
  checkpoint: [],
  audio: [],
  text: [],
};
const nativePackages = ['onnxruntime-node', 'node-av'];

interface Import {
  file: string;
  folder: string;
  target: string;
}

function importsOf(file: string): Import[] {
  const folder = relative(src, file).split('/').slice(0, -1)[0] ?? '';
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => ({
    file: relative(src, file),
    folder,
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
      file: 'moonshine/worker.ts',
      folder: 'moonshine',
      target: '../inference/worker.ts',
    });
  });

  it('go down only: services, then models, then what they stand on', () => {
    const wrong = imports.filter(({ file, folder, target }) => {
      if (!target.startsWith('.') || folder === '') return false;
      const to = relative(src, resolve(dirname(join(src, file)), target)).split('/');
      const targetFolder = to.length > 1 ? to[0]! : '';
      return targetFolder !== '' && targetFolder !== folder && !allowed[folder]?.includes(targetFolder);
    });
    expect(wrong).toEqual([]);
  });

  it('every folder has its rule', () => {
    const folders = new Set(imports.map(({ folder }) => folder).filter((folder) => folder !== ''));
    expect([...folders].filter((folder) => !allowed[folder])).toEqual([]);
  });

  it('native packages are imported by inference and audio alone', () => {
    const native = imports.filter(({ target }) => nativePackages.some((name) => target.split('/')[0] === name));
    expect(native.length).toBeGreaterThan(1);
    expect(native.filter(({ folder }) => folder !== 'inference' && folder !== 'audio')).toEqual([]);
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
