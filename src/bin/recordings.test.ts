import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRecordings } from './recordings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const write = (name: string, content: string | Uint8Array = 'audio') => writeFile(at(name), content);
const find = async (...names: string[]) => {
  const { recordings, problems } = await findRecordings(names.map(at));
  const relative = (text: string) => text.replaceAll(`${folder}/`, '');
  return { stems: recordings.map(({ stem }) => stem), problems: problems.map(relative) };
};

describe('a folder', () => {
  it('has its recordings and those behind links, but follows no cycle', async () => {
    await mkdir(at('in/deep'), { recursive: true });
    for (const name of ['in/b.mp3', 'in/deep/a.mp3', 'in/notes.txt', 'out.mp3']) await write(name);
    await symlink('../out.mp3', at('in/link.mp3'));
    await symlink('gone.mp3', at('in/broken.mp3'));
    await symlink('..', at('in/deep/up'));
    expect(await find('in')).toEqual({
      stems: ['b', 'deep/a', 'link'],
      problems: ['in/broken.mp3: there is no such file'],
    });
  });

  it('skips macOS and TypeScript files', async () => {
    const packets = (...starts: number[]) => {
      const bytes = Buffer.alloc(400);
      for (const start of starts) bytes[start] = 0x47;
      return bytes;
    };
    await write('._talk.mp3');
    await write('code.ts', 'export const port = 8000;\n'.repeat(20));
    await write('module.mts', '');
    await write('film.ts', packets(0, 188));
    await write('camera.mts', packets(4, 196));
    expect(await find('.')).toEqual({ stems: ['camera', 'film'], problems: [] });
  });

  it('costs a file whose name is no text only itself', async () => {
    await write('a.mp3');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xe9]), Buffer.from('.mp3')]), 'audio');
    expect(await find('.')).toEqual({ stems: ['a'], problems: ['b\uFFFD.mp3: the name is not UTF-8'] });
  });

  it.skipIf(process.getuid?.() === 0)('costs a subfolder that cannot be read only itself', async () => {
    await mkdir(at('locked'));
    await write('a.mp3');
    await chmod(at('locked'), 0);
    expect(await find('.')).toEqual({ stems: ['a'], problems: [expect.stringMatching(/^locked: EACCES/)] });
  });
});

it('a file that is named twice is taken once, and files that differ in their extension keep it', async () => {
  for (const name of ['talk.mp3', 'talk.wav', 'talk.mp3.wav']) await write(name);
  expect(await find('.', 'talk.wav')).toEqual({ stems: ['talk.mp3', 'talk.mp3.wav', 'talk.wav'], problems: [] });
});

it('files of one name in several folders keep their folders', async () => {
  for (const folder of ['one', 'two/deep']) await mkdir(at(folder), { recursive: true });
  for (const name of ['talk.mp3', 'one/talk.mp3', 'one/talk.wav', 'one/b.mp3', 'two/talk.mp3', 'two/deep/talk.mp3']) {
    await write(name);
  }
  expect((await find('one/talk.mp3', 'two/talk.mp3')).stems).toEqual(['one/talk', 'two/talk']);
  expect((await find('talk.mp3', 'one/talk.mp3', 'one/b.mp3')).stems).toEqual(['talk', 'one/talk', 'b']);
  expect((await find('one/talk.mp3', 'one/talk.wav', 'two/talk.mp3')).stems).toEqual([
    'one/talk.mp3',
    'one/talk.wav',
    'two/talk',
  ]);
  expect((await find('one', 'two')).stems).toEqual(['b', 'one/talk.mp3', 'one/talk.wav', 'deep/talk', 'two/talk']);
  expect((await find('two', 'two/deep/talk.mp3', 'one/talk.mp3')).stems).toEqual(['deep/talk', 'two/talk', 'one/talk']);
});

it('two files that would have one transcript are refused', async () => {
  await write('stdin');
  await expect(findRecordings(['-', at('stdin')])).rejects.toThrow('would have the same name');
});

it('a pipe is read once', async () => {
  execFileSync('mkfifo', [at('pipe.mp3')]);
  const { recordings } = await findRecordings([at('pipe.mp3'), '-']);
  expect(recordings.map(({ isStream }) => isStream)).toEqual([true, true]);
});
