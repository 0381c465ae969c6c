import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { languageNames } from './language-codes.ts';
import { isReserved, languageOf, officialVoices } from './voices.ts';

describe('officialVoices', () => {
  it('lists the packs in order, with names for people', () => {
    expect(officialVoices).toHaveLength(54);
    expect(officialVoices).toContainEqual({ id: 'af_heart', name: 'Heart' });
    expect(officialVoices.map(({ id }) => id)).toEqual(officialVoices.map(({ id }) => id).sort());
    expect(new Set(officialVoices.map(({ id }) => languageOf(id)))).toEqual(new Set('abefhijpz'));
  });

  it('are distinct from saved voices, whose names may lack a language', () => {
    expect(['jf_mine', 'peter', 'emma', 'xf_mine', 'b'].map(languageOf)).toEqual(['j', 'a', 'a', 'a', 'a']);
    expect(['af_heart', 'nova', 'af_mine'].map(isReserved)).toEqual([true, true, false]);
  });
});

it('docs/voices.md lists every voice, by its language', async () => {
  const page = await readFile(new URL('../../../docs/voices.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w)` ([\w ]+) \| (.*)$/gm)].map(([, letter, name, cells]) => ({
    language: [letter, name],
    voices: cells!.match(/\w+/g)!,
  }));
  expect(documented.map(({ language }) => language)).toEqual(Object.entries(languageNames));
  expect(documented.flatMap(({ voices }) => voices).sort()).toEqual(officialVoices.map(({ id }) => id));
  for (const { language, voices } of documented) for (const voice of voices) expect(voice[0]).toBe(language[0]);
});
