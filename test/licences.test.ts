import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledPackages } from '../scripts/bundle-packages.mjs';

interface LockedPackage {
  version: string;
  license?: string;
  dev?: true;
  optional?: true;
  devOptional?: true;
}

const root = new URL('..', import.meta.url);
const page = fileURLToPath(new URL('docs/licences.md', root));
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const isInstalled = (name: string, { dev }: LockedPackage) => dev === undefined || bundledPackages.includes(name);

/** Packages that a user gets: installed, or bundled in dist/. */
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ''), ...entry }))
  .filter((entry) => isInstalled(entry.name, entry))
  .sort((a, b) => a.name.localeCompare(b.name));

/** Licences that ask for no more than their text next to the code. */
const permissive = [
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSD-4-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unicode-3.0',
  // The public domain.
  'Unlicense',
];

describe('docs/licences.md', () => {
  it('lists every package that a user gets', () => {
    const rows = packages.map(({ name, version, license = 'unknown' }) => {
      const how = bundledPackages.includes(name) ? 'bundled, in part' : 'installed';
      return `| ${name} | ${version} | ${license} | ${how} |\n`;
    });
    const text = readFileSync(page, 'utf8');
    const head = '| package | version | licence that it states | |\n| --- | --- | --- | --- |\n';
    const table = `<!-- generated -->\n\n${head}${rows.join('')}`;
    const expected = text.slice(0, text.indexOf('<!-- generated -->')) + table;
    if (process.env.UPDATE_DOCS) writeFileSync(page, expected);
    expect(readFileSync(page, 'utf8')).toBe(expected);
  });

  it('explains every licence that asks for more than its text', () => {
    const others = packages.filter(({ license }) => !permissive.includes(license ?? 'unknown'));
    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([
      '@echogarden/espeak-ng-emscripten: GPL-3.0',
    ]);
    const explained = readFileSync(page, 'utf8').split('<!-- generated -->')[0];
    for (const { name } of others) expect(explained).toContain(name);
  });
});
