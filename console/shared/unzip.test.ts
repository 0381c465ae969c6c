import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UnreadableFile, ZipArchive } from './unzip.ts';
import { zip, zipFiles } from './zip.ts';

const text = async (archive: ZipArchive, name: string) => new TextDecoder().decode(await archive.read(name));
const archiveOf = (bytes: Uint8Array<ArrayBuffer>) => ZipArchive.open(new Blob([bytes]));

/** An archive of one deflated entry, whose directory claims `size` bytes. */
function deflated(content: string, size = Buffer.byteLength(content)): Uint8Array<ArrayBuffer> {
  const packed = deflateRawSync(content);
  const plain = zip([{ name: 'a', content }]);
  const headerBytes = 31;
  const directory = plain.slice(headerBytes + Buffer.byteLength(content));
  const archive = new Uint8Array(Buffer.concat([plain.subarray(0, headerBytes), packed, directory]));
  const view = new DataView(archive.buffer);
  const at = headerBytes + packed.length;
  view.setUint16(at + 10, 8, true);
  view.setUint32(at + 20, packed.length, true);
  view.setUint32(at + 24, size, true);
  view.setUint32(archive.length - 6, at, true);
  return archive;
}

describe('ZipArchive', () => {
  it('reads archives written by zip, with data before and after them', async () => {
    const archive = await archiveOf(
      zip([
        { name: 'folder/größe.txt', content: 'Zoë' },
        { name: 'empty', content: '' },
      ]),
    );
    expect(await text(archive, 'folder/größe.txt')).toBe('Zoë');
    expect(await text(archive, 'empty')).toBe('');
    expect(archive.has('other')).toBe(false);
    expect(await archive.read('other')).toBeUndefined();
  });

  it('inflates', async () => {
    const content = 'once upon a time '.repeat(5000);
    expect(await text(await archiveOf(deflated(content)), 'a')).toBe(content);
  });

  it('reads archives written by zipFiles', async () => {
    const files = [1, 2, 3].map((n) => ({ name: `${n}.mp3`, content: new Blob([new Uint8Array(n * 1000).fill(n)]) }));
    const archive = await ZipArchive.open(await zipFiles(files));
    expect(await archive.read('3.mp3')).toEqual(new Uint8Array(3000).fill(3));
  });

  it('stops a bomb at the size that it claims', async () => {
    const bomb = await archiveOf(deflated('0'.repeat(300_000), 1000));
    await expect(bomb.read('a')).rejects.toThrow('damaged');
    const honest = await archiveOf(deflated('0'.repeat(1000), 3_000_000_000));
    await expect(honest.read('a')).rejects.toThrow('too large');
  });

  it('refuses to inflate more than its limit in all', async () => {
    const archive = await archiveOf(deflated('0'.repeat(1000), 120_000_000));
    await expect(archive.read('a')).rejects.toThrow('damaged');
    await expect(archive.read('a')).rejects.toThrow('too large');
  });

  it('reports every kind of damage as such', async () => {
    const whole = deflated('once upon a time '.repeat(50));
    for (let length = 0; length < whole.length; length += 7)
      await expect(archiveOf(whole.slice(0, length))).rejects.toThrow(UnreadableFile);
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice();
      changed[at]! ^= 0xff;
      try {
        const archive = await archiveOf(changed);
        await archive.read('a');
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableFile);
      }
    }
  });

  it('reports an encrypted entry', async () => {
    const archive = zip([{ name: 'a', content: 'secret' }]);
    const directory = archive.length - 22 - 47;
    archive[directory + 8]! |= 1;
    await expect((await archiveOf(archive)).read('a')).rejects.toThrow('encrypted');
  });
});
