import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  hasTokenTables,
  readTokenTable,
  smallTokenTable,
  tokenizerJson,
  writeTokenizer,
} from '../../../../test/fixtures/whisper-tokenizer.ts';
import { mergesOf, withMissingMerges } from './token-list.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { readVocabulary } from './vocabulary.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-token-list-'));
afterAll(() => rmSync(root, { recursive: true }));
const newDirectory = () => mkdtempSync(join(root, 'list-'));

/** The tokens of a table and the special ones in the order of their ids, as CTranslate2's converter lists them. */
function tokenList(table: readonly string[]): string[] {
  const { model, added_tokens } = tokenizerJson(table);
  const tokens = Object.entries(model.vocab).sort((a, b) => a[1] - b[1]);
  return [...tokens.map(([token]) => token), ...added_tokens.map(({ content }) => content)];
}

const small = smallTokenTable(['hearing', 'hears', 'sea', 'seas', ' sea']);

describe('mergesOf', () => {
  const idsOf = (tokens: readonly string[]) => new Map(tokens.map((token, id) => [token, id]));

  it('finds the pair that each token was merged from', () => {
    expect(mergesOf(idsOf(['a', 'b', 'c', 'ab', 'abc', 'bc', 'cab', 'abab']))).toEqual([
      ['a', 'b'],
      ['ab', 'c'],
      ['b', 'c'],
      ['c', 'ab'],
      ['ab', 'ab'],
    ]);
  });

  it('follows the earlier merges where a token can be split in several ways', () => {
    // `ab` comes before `bc`, so that the text abc becomes ab + c.
    expect(mergesOf(idsOf(['a', 'b', 'c', 'ab', 'bc', 'abc'])).at(-1)).toEqual(['ab', 'c']);
    expect(mergesOf(idsOf(['a', 'b', 'c', 'bc', 'ab', 'abc'])).at(-1)).toEqual(['a', 'bc']);
  });

  it('leaves out tokens that no merge makes', () => {
    expect(mergesOf(idsOf(['a', 'b', 'xy', 'aba']))).toEqual([]);
  });
});

describe('withMissingMerges', () => {
  const ids = new Map(['a', 'b', 'c', 'ab', 'abc', 'bc', 'cab', 'xy'].map((token, id) => [token, id]));
  const all = mergesOf(ids);

  it.each([0, 1, 2])('adds the missing merge %i to a list', (index) => {
    expect(withMissingMerges(all.toSpliced(index, 1), ids)).toEqual(all);
  });

  it('does not change lists that are complete, or in another order than their tokens', () => {
    expect(withMissingMerges(all, ids)).toBe(all);
    expect(withMissingMerges([], ids)).toEqual([]);
    const reversed = all.toReversed().slice(1);
    expect(withMissingMerges(reversed, ids)).toBe(reversed);
  });

  it.skipIf(!hasTokenTables)('restores the first merge, which some published tokenizers lack', async () => {
    const table = readTokenTable('multilingual');
    const [whole, published] = [newDirectory(), newDirectory()];
    writeTokenizer(whole, table);
    const tokenizer = tokenizerJson(table);
    expect(tokenizer.model.merges.shift()).toMatch(/^Ġ.t$/);
    writeFileSync(join(published, 'tokenizer.json'), JSON.stringify(tokenizer));
    const text = ' the text that Thomas told them to type';
    const tokens = (await WhisperTokenizer.read(published)).encode(text);
    expect(tokens.slice(0, 3)).toEqual([264, 2487, 300]);
    expect(tokens).toEqual((await WhisperTokenizer.read(whole)).encode(text));
  });
});

describe('a list of tokens', () => {
  it.each(['vocabulary.json', 'vocabulary.txt'])('in %s is the vocabulary of tokenizer.json', async (file) => {
    const [listed, official] = [newDirectory(), newDirectory()];
    writeTokenizer(official, small);
    const tokens = tokenList(small);
    writeFileSync(join(listed, file), file.endsWith('.txt') ? `${tokens.join('\n')}\n` : JSON.stringify(tokens));
    expect(await readVocabulary(listed)).toEqual({ ...(await readVocabulary(official)), file });
    const [a, b] = [await WhisperTokenizer.read(listed), await WhisperTokenizer.read(official)];
    for (const text of ['hearing the seas', ' sea hears', 'Ä ♪♪ 海']) {
      expect(a.encode(text)).toEqual(b.encode(text));
      expect(a.decode(a.encode(text))).toBe(text);
    }
    expect(a.special).toEqual(b.special);
  });

  it.skipIf(!hasTokenTables).each(['multilingual', 'gpt2'] as const)(
    'gives the merges of the %s table',
    async (name) => {
      const table = readTokenTable(name);
      const merges = tokenizerJson(table).model.merges.map((pair) => pair.split(' '));
      const listed = newDirectory();
      writeFileSync(join(listed, 'vocabulary.json'), JSON.stringify(tokenList(table)));
      const official = newDirectory();
      writeTokenizer(official, table);
      expect(merges.length).toBeGreaterThan(49_000);
      expect((await readVocabulary(listed)).merges).toEqual((await readVocabulary(official)).merges);
    },
  );

  it.each([
    ['vocabulary.json', '{"a":1}', 'not a list of tokens'],
    ['vocabulary.json', '["a",3]', 'not a list of tokens'],
    ['vocabulary.json', '[', 'it is not JSON'],
    ['vocabulary.txt', 'a\nb\n', 'it has no token for the byte 0'],
    ['vocabulary.txt', 'a\n \n', 'the token   is not written in byte-level form'],
  ])('in %s that is %j is refused', async (file, content, problem) => {
    const directory = newDirectory();
    writeFileSync(join(directory, file), content);
    await expect(WhisperTokenizer.read(directory)).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining(problem),
    });
  });

  it('is not needed with tokenizer.json, but one of them is', async () => {
    const directory = newDirectory();
    await expect(readVocabulary(directory)).rejects.toMatchObject({
      message: expect.stringContaining('neither tokenizer.json nor vocab.json with merges.txt nor a vocabulary'),
    });
    writeTokenizer(directory, small);
    writeFileSync(join(directory, 'vocabulary.json'), '[');
    expect((await readVocabulary(directory)).file).toBe('tokenizer.json');
  });
});
