import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTexts } from './texts.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texts-'));
  await writeFile(at('a.txt'), '\uFEFFOne.');
  await writeFile(at('latin.txt'), Buffer.from('café', 'latin1'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('files are read, and words are one text', async () => {
  const path = at('a.txt');
  expect(await readTexts([path])).toEqual({ texts: [{ path, stem: 'a', text: 'One.' }], problems: [] });
  expect((await readTexts(['Good', 'morning.'])).texts).toEqual([{ path: '-', stem: 'speech', text: 'Good morning.' }]);
});

it('a text that is not UTF-8 does not affect the others', async () => {
  const { texts, problems } = await readTexts([at('latin.txt'), at('a.txt')]);
  expect(texts.map(({ stem }) => stem)).toEqual(['a']);
  expect(problems).toEqual([`${at('latin.txt')}: the text is not UTF-8`]);
});

it.skipIf(process.getuid?.() === 0)('an unreadable text does not affect the others', async () => {
  await writeFile(at('locked.txt'), 'Two.');
  await chmod(at('locked.txt'), 0);
  const { texts, problems } = await readTexts([at('locked.txt'), at('a.txt')]);
  expect(texts.map(({ stem }) => stem)).toEqual(['a']);
  expect(problems).toEqual([expect.stringMatching(/locked\.txt: EACCES/)]);
});

it.each([[['gone.txt']], [['my notes.md']], [['Read', 'gone.txt']], [['', 'gone.html']]])(
  'names of texts that are not there are not spoken: %j',
  async (args) => {
    await expect(readTexts(args)).rejects.toThrow(`There is no file ${args.at(-1)}`);
  },
);

it.each(['The end of notes.txt is near.', 'One.\nSee notes.txt', `${'long '.repeat(60)}notes.txt`])(
  'a text is no name: %j',
  async (text) => {
    expect((await readTexts([text])).texts[0]).toMatchObject({ text });
  },
);
