import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../src/config/version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hearsay-package-'));
const installed = join(folder, 'node_modules');
/** Without what npm sets for the scripts of this repository, such as `ignore-scripts`. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name))),
  HOME: process.env.HOME,
  DATA_DIR: join(folder, 'data'),
  HF_HUB_OFFLINE: '1',
};
const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });

/** The commands of docs/deploy.md that install the package and try it. */
function commandBlock(): string {
  const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  return /<!-- run by test\/package\.test\.ts -->\n\n```sh\n([^`]+)```/.exec(page)![1]!;
}

/** What those commands print. */
let commands: string;
let packed: { filename: string; files: { path: string }[] };
beforeAll(() => {
  [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], root));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  // As a user types it, but with what is in npm's cache already.
  const settings = { npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
  commands = execFileSync('sh', ['-e'], {
    cwd: folder,
    env: { ...env, ...settings },
    input: commandBlock(),
    encoding: 'utf8',
  });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Disk space of a directory, in bytes. */
function fileBytes(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('the package', () => {
  it('has the compiled sources, and neither sources, tests nor maps', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['dist/bin/hearsay.js', 'dist/console/hear.html', 'LICENSE']));
    expect(paths.filter((path) => /^(?:src|test|scripts)\/|\.map$|\.test\.|\.sources$/.test(path))).toEqual([]);
  });

  it('brings a licence with each package that it bundles', () => {
    const bundled = join(installed, 'hearsay/dist/node_modules');
    const scopes = readdirSync(bundled).flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(bundled, name)).map((each) => join(name, each)) : [name],
    );
    expect(scopes.length).toBeGreaterThan(4);
    const without = scopes.filter(
      (name) => !readdirSync(join(bundled, name)).some((file) => /^licen[cs]e/i.test(file)),
    );
    expect(without).toEqual([]);
  });

  it('takes less than 420 MB, without packages for development or browsers', () => {
    expect(fileBytes(installed) / 1e6).toBeLessThan(420);
    for (const name of ['typescript', 'vitest', 'onnxruntime-web', '@huggingface', 'werift', 'sharp']) {
      expect(existsSync(join(installed, name))).toBe(false);
    }
  });

  it('needs no install script', () => {
    const lock = JSON.parse(readFileSync(join(installed, '.package-lock.json'), 'utf8'));
    const packages = Object.entries(lock.packages as Record<string, { hasInstallScript?: true }>);
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  });

  it('does what docs/deploy.md says', () => {
    expect(commands.trim().split('\n').slice(-2)).toEqual([
      version,
      'My voice stays at home, and so do your recordings.',
    ]);
    expect(existsSync(join(folder, 'home.mp3'))).toBe(true);
  });
});

describe('the lockfile', () => {
  it('names no registry', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
  });
});
