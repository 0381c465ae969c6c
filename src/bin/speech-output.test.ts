import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openOutput } from './speech-output.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const open = (name: string, signal = new AbortController().signal) =>
  openOutput(at(name), { format: 'pcm', temporaryDir: at('temporary'), signal });

async function speak(name: string): Promise<void> {
  const output = await open(name);
  await output.restart();
  await output.write(Buffer.from('speech'));
  await output.finish();
}

it('a file appears when it is complete', async () => {
  const output = await open('new.pcm');
  await output.write(Buffer.from('speech'));
  expect(await readdir(folder)).toEqual(['temporary']);
  await output.finish();
  expect((await readdir(folder)).sort()).toEqual(['new.pcm', 'temporary']);
  expect(await readdir(at('temporary'))).toEqual([]);
});

it('a file that is replaced keeps its mode and the links to it', async () => {
  await writeFile(at('file.pcm'), 'before');
  await chmod(at('file.pcm'), 0o640);
  await symlink('file.pcm', at('link.pcm'));
  await speak('link.pcm');
  expect((await lstat(at('link.pcm'))).isSymbolicLink()).toBe(true);
  expect((await stat(at('file.pcm'))).mode & 0o777).toBe(0o640);
  expect(await readFile(at('file.pcm'), 'utf8')).toBe('speech');
});

it('a link to no file yet leads to a new one', async () => {
  await symlink('later.pcm', at('link.pcm'));
  await speak('link.pcm');
  expect((await lstat(at('later.pcm'))).isFile()).toBe(true);
  expect(await readFile(at('link.pcm'), 'utf8')).toBe('speech');
});

it('a named pipe receives the speech and is not replaced', async () => {
  execFileSync('mkfifo', [at('pipe.pcm')]);
  const read = readFile(at('pipe.pcm'), 'utf8');
  await speak('pipe.pcm');
  expect(await read).toBe('speech');
  expect((await stat(at('pipe.pcm'))).isFIFO()).toBe(true);
});

it('a named pipe without a reader is waited for until its signal aborts', async () => {
  execFileSync('mkfifo', [at('pipe.pcm')]);
  const controller = new AbortController();
  const opened = open('pipe.pcm', controller.signal);
  controller.abort();
  await expect(opened).rejects.toThrow('aborted');
});
