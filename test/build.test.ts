import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampOf = (checkout: string) => join(checkout, 'dist/.sources');

/** A copy of what a build reads, without packages for development. */
let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'hearsay-checkout-'));
  for (const name of ['src', 'console', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json']) {
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  }
  mkdirSync(join(checkout, 'dist'));
  cpSync(stampOf(root), stampOf(checkout));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const build = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(folder, 'scripts/build.mjs'), ...args], { cwd: tmpdir(), encoding: 'utf8' });

describe('npm start', () => {
  it('compiled at every start', () => {
    const before = statSync(stampOf(checkout)).mtimeMs;
    expect(build(checkout, '--if-changed')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(statSync(stampOf(checkout)).mtimeMs).toBe(before);
  });

  it('does not compile for a changed test', () => {
    writeFileSync(join(checkout, 'src/new.test.ts'), '');
    expect(build(checkout, '--if-changed')).toMatchObject({ status: 0, stderr: '' });
  });

  it('says what to do if sources have changed and there is no compiler', () => {
    writeFileSync(join(checkout, 'src/new.ts'), '');
    const { status, stderr } = build(checkout, '--if-changed');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The sources have changed since the last build, and TypeScript is not installed: .*\n$/);
    rmSync(stampOf(checkout));
    expect(build(checkout, '--if-changed').stderr).toMatch(/^dist\/ has not been built, .*\n$/);
  });

  it('compiles nothing in an installed package, which has no sources', () => {
    rmSync(join(checkout, 'src'), { recursive: true });
    rmSync(join(checkout, 'dist'), { recursive: true });
    expect(build(checkout, '--if-changed')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(checkout, 'dist'))).toBe(false);
  });
});

describe('npm run build', () => {
  it('bundles what compiled code imports', () => {
    const packages = join(root, 'dist/node_modules');
    expect(existsSync(join(packages, 'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1'))).toBe(true);
    expect(existsSync(join(packages, 'onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1'))).toBe(true);
    expect(existsSync(join(packages, 'onnxruntime-node/bin/napi-v6/win32'))).toBe(process.platform === 'win32');
    expect(readFileSync(join(packages, 'onnxruntime-node/LICENSE'), 'utf8')).toContain('Microsoft');
  });
});
