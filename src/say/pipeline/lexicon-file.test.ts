import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LexiconFile } from './lexicon-file.ts';

let directory: string;
let path: string;
let warnings: string[];
let file: LexiconFile;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lexicon-'));
  path = join(directory, 'lexicon.json');
  warnings = [];
  file = new LexiconFile(path, (message) => warnings.push(message));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Replaces the file atomically, as editors do. */
function put(content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
const pronounced = async (word: string) => (await file.current())?.pronounce(word);

describe('LexiconFile', () => {
  it('is undefined without a file, and follows the file as it is created, changed and removed', async () => {
    expect(await file.current()).toBeUndefined();
    put('{"kokoro": "kˈOkəɹO"}');
    expect(await pronounced('kokoro')).toBe('kˈOkəɹO');
    // Some editors put a byte order mark first.
    put('\uFEFF{"kokoro": "kˈɑkəɹO"}');
    expect(await Promise.all([pronounced('kokoro'), pronounced('kokoro')])).toEqual(['kˈɑkəɹO', 'kˈɑkəɹO']);
    rmSync(path);
    expect(await file.current()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it.each([
    ['invalid JSON', '{"kokoro": ', 'not valid JSON'],
    ['a JSON array', '["kokoro"]', 'object'],
    ['unknown phonemes', '{"kokoro": "k0"}', 'kokoro has unknown phonemes: 0'],
  ])('warns once about %s, and keeps the previous lexicon', async (_, content, reason) => {
    put('{"kokoro": "kˈOkəɹO"}');
    await file.current();
    put(content);
    for (let times = 0; times < 3; times++) expect(await pronounced('kokoro')).toBe('kˈOkəɹO');
    expect(warnings).toEqual([expect.stringContaining(reason)]);
    put('{"kokoro": "kˈɑkəɹO"}');
    expect(await pronounced('kokoro')).toBe('kˈɑkəɹO');
  });

  it('ignores directories and oversized files', async () => {
    mkdirSync(path);
    expect(await file.current()).toBeUndefined();
    rmSync(path, { recursive: true });
    put(`{${' '.repeat(20 << 20)}}`);
    expect(await file.current()).toBeUndefined();
    expect(warnings).toHaveLength(2);
  });
});
