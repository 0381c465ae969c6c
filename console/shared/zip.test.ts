import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from './zip.ts';

const entries = [
  { name: 'a.xml', content: '<a/>' },
  { name: 'folder/größe.txt', content: 'Zoë 日本\n'.repeat(1000) },
  { name: 'empty', content: '' },
];

/** Reads an archive by its central directory, as readers do. */
function read(archive: Buffer): { name: string; content: string }[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  expect(at + archive.readUInt32LE(end + 12)).toBe(end);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const size = archive.readUInt32LE(at + 24);
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(local)).toBe(0x04034b50);
    // The local header says the same as the directory.
    expect(archive.subarray(local + 4, local + 28)).toEqual(archive.subarray(at + 6, at + 30));
    const content = archive.subarray(local + 30 + nameLength, local + 30 + nameLength + size);
    expect(archive.readUInt32LE(at + 16)).toBe(crc32(content));
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength;
    return { name, content: content.toString() };
  });
}

describe('zip', () => {
  it('writes all files with their checksums', () => {
    expect(read(Buffer.from(zip(entries)))).toEqual(entries);
  });

  it('writes the same archive for the same files', () => {
    expect(Buffer.from(zip(entries)).equals(zip(entries))).toBe(true);
  });

  it.skipIf(!hasUnzip())('is opened by unzip', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearsay-zip-'));
    try {
      writeFileSync(join(folder, 'a.zip'), zip(entries));
      execFileSync('unzip', ['-tq', join(folder, 'a.zip')]);
      expect(execFileSync('unzip', ['-p', join(folder, 'a.zip'), 'a.xml']).toString()).toBe('<a/>');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
