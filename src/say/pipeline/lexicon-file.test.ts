import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LexiconFile } from './lexicon-file.ts';

let folder: string;
let path: string;
let warnings: string[];
let file: LexiconFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lexicon-'));
  path = join(folder, 'lexicon.json');
  warnings = [];
  file = new LexiconFile(path, (message) => warnings.push(message));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** In one step, as editors do. */
function put(content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
const pronounced = async (word: string) => (await file.current())?.pronounce(word);

describe('LexiconFile', () => {
  it('is empty without a file, and follows it as it comes, changes and goes', async () => {
    expect(await file.current()).toBeUndefined();
    put('{"kokoro": "kˈOkəɹO"}');
    expect(await pronounced('kokoro')).toBe('kˈOkəɹO');
    put('{"kokoro": "kˈɑkəɹO"}');
    expect(await Promise.all([pronounced('kokoro'), pronounced('kokoro')])).toEqual(['kˈɑkəɹO', 'kˈɑkəɹO']);
    rmSync(path);
    expect(await file.current()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it.each([
    ['no JSON', '{"kokoro": ', 'no JSON'],
    ['no object', '["kokoro"]', 'must be an object'],
    ['unknown phonemes', '{"kokoro": "k0"}', 'kokoro has unknown phonemes: 0'],
  ])('warns once of %s, and keeps what it had', async (_, content, reason) => {
    put('{"kokoro": "kˈOkəɹO"}');
    await file.current();
    put(content);
    for (let times = 0; times < 3; times++) expect(await pronounced('kokoro')).toBe('kˈOkəɹO');
    expect(warnings).toEqual([expect.stringContaining(reason)]);
    put('{"kokoro": "kˈɑkəɹO"}');
    expect(await pronounced('kokoro')).toBe('kˈɑkəɹO');
  });

  it('reads neither folders nor endless files', async () => {
    mkdirSync(path);
    expect(await file.current()).toBeUndefined();
    rmSync(path, { recursive: true });
    put(`{${' '.repeat(20 << 20)}}`);
    expect(await file.current()).toBeUndefined();
    expect(warnings).toHaveLength(2);
  });
});
