import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasTokenTables,
  officialLanguages,
  readTokenTable,
  smallTokenTable,
  tokenizerJson,
  writeTokenizer,
} from '../../../../test/fixtures/whisper-tokenizer.ts';
import { HearsayError } from '../../../errors.ts';
import { WhisperTokenizer } from './tokenizer.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-tokenizer-'));
afterAll(() => rmSync(root, { recursive: true }));

const newDirectory = () => mkdtempSync(join(root, 'checkpoint-'));
const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../test/fixtures/whisper/${name}.json`, import.meta.url), 'utf8'));

/** Made by scripts/whisper-goldens/tokenizer.py. */
interface Golden {
  lines: string[];
  vocabularies: Record<
    'multilingual' | 'gpt2',
    { special: Record<string, number>; nonSpeech: number[]; ids: string; words: string }
  >;
  random: [number[], string][];
}
const golden: Golden = fixture('tokenizer');

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
const words = (tokenizer: WhisperTokenizer, tokens: number[]) =>
  ['en', 'ja'].map((language) => tokenizer.words(tokens, language).map(({ text, tokens: part }) => [text, part]));

describe.skipIf(!hasTokenTables).each(['multilingual', 'gpt2'] as const)(
  'WhisperTokenizer with the %s token table',
  (name) => {
    const reference = golden.vocabularies[name];
    let tokenizer: WhisperTokenizer;
    let encoded: number[][];

    beforeAll(async () => {
      const directory = newDirectory();
      writeTokenizer(directory, readTokenTable(name));
      tokenizer = await WhisperTokenizer.read(directory);
      encoded = golden.lines.map((line) => tokenizer.encode(line));
    });

    it('encodes 1,000 lines in 20 scripts like the reference', () => {
      expect(golden.lines).toHaveLength(1000);
      const wrong = golden.lines.filter((_, i) => digest(encoded[i]) !== reference.ids.slice(8 * i, 8 * i + 8));
      expect(wrong).toEqual([]);
    });

    it('decodes the lines back', () => {
      expect(encoded.map((tokens) => tokenizer.decode(tokens))).toEqual(golden.lines);
    });

    it('splits the lines into words like the reference', () => {
      const wrong = golden.lines.filter(
        (_, i) => digest(words(tokenizer, encoded[i]!)) !== reference.words.slice(8 * i, 8 * i + 8),
      );
      expect(wrong).toEqual([]);
    });

    it('finds special and non-speech tokens', () => {
      const { special, nonSpeechTokens } = tokenizer;
      expect(nonSpeechTokens).toEqual(reference.nonSpeech);
      expect({ ...special, languages: [...special.languages.keys()] }).toEqual({
        endOfText: reference.special.endoftext,
        startOfTranscript: reference.special.startoftranscript,
        startOfPrevious: reference.special.startofprev,
        startOfLm: reference.special.startoflm,
        noSpeech: reference.special.nospeech,
        noTimestamps: reference.special.notimestamps,
        transcribe: reference.special.transcribe,
        translate: reference.special.translate,
        timestampBegin: reference.special['0.00'],
        timestampEnd: reference.special['30.00'],
        languages: officialLanguages,
      });
      expect([special.languages.get('en'), special.languages.get('su')]).toEqual([
        reference.special.en,
        reference.special.su,
      ]);
    });

    it.skipIf(name === 'gpt2')('decodes and splits broken characters like the reference', () => {
      expect(golden.random).toHaveLength(300);
      const wrong = golden.random.filter(([tokens, hash]) => {
        // The reference writes out special tokens; our `decode` drops them.
        const endOfText = tokenizer.special.endOfText;
        const text = tokenizer.decode(tokens.filter((token) => token !== endOfText));
        const withNames = tokens.includes(endOfText) ? decodeWithNames(tokenizer, tokens) : text;
        return digest([withNames, ...words(tokenizer, tokens)]) !== hash;
      });
      expect(wrong).toEqual([]);
    });
  },
);

/** Decodes tokens with end-of-text tokens as their name; bytes do not join across them. */
function decodeWithNames(tokenizer: WhisperTokenizer, tokens: number[]): string {
  const { endOfText } = tokenizer.special;
  let text = '';
  let part: number[] = [];
  for (const token of [...tokens, undefined]) {
    if (token !== undefined && token !== endOfText) part.push(token);
    else {
      text += tokenizer.decode(part) + (token === undefined ? '' : '<|endoftext|>');
      part = [];
    }
  }
  return text;
}

describe('WhisperTokenizer', () => {
  const small = smallTokenTable([' hello', 'world', ' 12']);
  const read = async (files: Record<string, unknown>) => {
    const directory = newDirectory();
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
    }
    return await WhisperTokenizer.read(directory);
  };
  const smallTokenizer = () =>
    read({ 'tokenizer.json': tokenizerJson(small, { languages: ['en', 'fr'], lastTimestamp: 2 }) });

  it('encodes like the tokenizers library with its tokenizer.json', async () => {
    const { tokenizer, lines, tokens } = fixture('small-tokenizer');
    const ours = await read({ 'tokenizer.json': tokenizer });
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.map((line: string) => ours.encode(line))).toEqual(tokens);
    expect(tokens.map((line: number[]) => ours.decode(line))).toEqual(lines);
    expect(ours.special).toMatchObject({ endOfText: 500, noSpeech: 507, timestampBegin: 509, timestampEnd: 609 });
    expect([...ours.special.languages]).toEqual([['en', 502], ['fr', 503]]); // biome-ignore format: short
  });

  it('reads vocab.json and merges.txt, with added tokens from either file', async () => {
    const { model, added_tokens } = tokenizerJson(small, { languages: ['en'] });
    const files = { 'vocab.json': model.vocab, 'merges.txt': `#version: 0.2\r\n${model.merges.join('\r\n')}\r\n` };
    const added = Object.fromEntries(added_tokens.map(({ id, content }) => [content, id]));
    const decoder = Object.fromEntries(added_tokens.map(({ id, content, special }) => [id, { content, special }]));
    const expected = await read({ 'tokenizer.json': tokenizerJson(small, { languages: ['en'] }) });
    for (const source of [
      { 'added_tokens.json': added },
      { 'tokenizer_config.json': { added_tokens_decoder: decoder } },
    ]) {
      const tokenizer = await read({ ...files, ...source });
      expect(tokenizer.special).toEqual(expected.special);
      expect(tokenizer.encode('say hello world 123')).toEqual(expected.encode('say hello world 123'));
    }
    expect(expected.encode(' hello')).toHaveLength(1);
  });

  it('reads the additional language of large-v3, which shifts later tokens', async () => {
    const { special } = await read({ 'tokenizer.json': tokenizerJson(small) });
    const languages = [...officialLanguages, 'yue'];
    const { special: large } = await read({ 'tokenizer.json': tokenizerJson(small, { languages }) });
    expect([...large.languages.keys()]).toEqual(languages);
    expect(large.languages.get('yue')).toBe(special.languages.get('su')! + 1);
    expect(large.translate).toBe(special.translate + 1);
    expect(large.timestampEnd).toBe(special.timestampEnd + 1);
  });

  it('reads an end-of-text token listed as ordinary, and the old name of <|nospeech|>', async () => {
    const { model, added_tokens } = tokenizerJson(small);
    const [endOfText, ...others] = added_tokens;
    const renamed = others.map((token) =>
      token.content === '<|nospeech|>' ? { ...token, content: '<|nocaptions|>' } : token,
    );
    const vocab = { ...model.vocab, '<|endoftext|>': endOfText!.id };
    const tokenizer = await read({ 'tokenizer.json': { model: { ...model, vocab }, added_tokens: renamed } });
    const expected = await read({ 'tokenizer.json': tokenizerJson(small) });
    expect(tokenizer.special).toEqual(expected.special);
    expect(tokenizer.decode([endOfText!.id, ...tokenizer.encode('a')])).toBe('a');
  });

  it('counts timestamps that an early vocabulary does not list', async () => {
    const { model, added_tokens } = tokenizerJson(small);
    const listed = added_tokens.filter(({ special }) => special);
    const tokenizer = await read({ 'tokenizer.json': { model, added_tokens: listed } });
    expect(tokenizer.special).toEqual((await read({ 'tokenizer.json': tokenizerJson(small) })).special);
    expect(tokenizer.decode([tokenizer.special.timestampBegin + 7])).toBe('');
  });

  it('decodes words that a checkpoint adds as text', async () => {
    const json = tokenizerJson(small);
    const id = json.added_tokens.at(-1)!.id + 1;
    const added_tokens = [...json.added_tokens, { id, content: ' Łódź', special: false }];
    const tokenizer = await read({ 'tokenizer.json': { ...json, added_tokens } });
    expect(tokenizer.decode([...tokenizer.encode('to'), id])).toBe('to Łódź');
    expect(tokenizer.special.timestampEnd).toBe(id - 1);
  });

  it('neither encodes text to special tokens nor decodes special tokens to text', async () => {
    const tokenizer = await smallTokenizer();
    const { special } = tokenizer;
    const first = special.endOfText;
    for (const text of ['<|endoftext|>', ' <|en|><|0.00|> ']) {
      expect(Math.max(...tokenizer.encode(text))).toBeLessThan(first);
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    }
    const [a] = tokenizer.encode('a');
    expect(tokenizer.decode([special.startOfTranscript, special.timestampBegin, a!, special.timestampEnd])).toBe('a');
    expect(tokenizer.decode([a!, special.timestampEnd + 1, 1_000_000])).toBe('a');
    expect(tokenizer.decode([])).toBe('');
    expect(tokenizer.encode('')).toEqual([]);
    expect(special.startOfLm).toBe(first + 6);
  });

  it('never splits a character or loses a token', async () => {
    const tokenizer = await smallTokenizer();
    const tokens = tokenizer.encode('né 😀!');
    expect(tokenizer.words(tokens, 'fr').map(({ text }) => text)).toEqual(['né', ' 😀', '!']);
    expect(tokenizer.words(tokens, 'ja').map(({ text }) => text)).toEqual(['n', 'é', ' ', '😀', '!']);
    for (let length = 0; length <= tokens.length; length++) {
      const cut = tokens.slice(0, length);
      for (const language of ['fr', 'zh']) {
        const parts = tokenizer.words(cut, language);
        expect(parts.flatMap((part) => part.tokens)).toEqual(cut);
        expect(parts.map(({ text }) => text).join('')).toBe(tokenizer.decode(cut));
      }
    }
    expect(tokenizer.words([], 'en')).toEqual([]);
  });

  it('gives special tokens as words with their names', async () => {
    const tokenizer = await smallTokenizer();
    const { endOfText, timestampEnd } = tokenizer.special;
    const tokens = [timestampEnd, ...tokenizer.encode(' hello'), endOfText];
    expect(tokenizer.words(tokens, 'en').map(({ text }) => text)).toEqual(['<|2.00|>', ' hello', '<|endoftext|>']);
  });

  it('encodes megabytes without a space, and lone surrogates', async () => {
    const tokenizer = await smallTokenizer();
    const long = 'world'.repeat(200_000);
    expect(tokenizer.encode(long)).toHaveLength(200_000);
    // Surrogate pairs across every possible split.
    const faces = `a${'😀'.repeat(2_000_000)}`;
    expect(tokenizer.decode(tokenizer.encode(faces)) === faces).toBe(true);
    expect(tokenizer.decode(tokenizer.encode('a\ud83d b'))).toBe('a\ufffd b');
  });

  const json = tokenizerJson(small);
  const without = (name: string) => ({
    ...json,
    added_tokens: json.added_tokens.filter(({ content }) => content !== name),
  });
  const model = (change: object) => ({ 'tokenizer.json': { ...json, model: { ...json.model, ...change } } });

  it.each<[string, Record<string, unknown>, string]>([
    ['missing files', {}, 'neither tokenizer.json nor vocab.json'],
    ['vocab.json alone', { 'vocab.json': json.model.vocab }, 'neither tokenizer.json nor vocab.json'],
    ['invalid JSON', { 'tokenizer.json': '{' }, 'tokenizer.json cannot be used: it is not JSON'],
    [
      'a pointer of Git LFS',
      { 'tokenizer.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 2203239\n' },
      'tokenizer.json cannot be used: it is a pointer of Git LFS',
    ],
    ['another kind of model', model({ type: 'Unigram' }), 'model.type'],
    ['ids that are not numbers', model({ vocab: { a: 'b' } }), 'model.vocab: not a map'],
    ['ids out of range', model({ vocab: { a: 2 ** 30 } }), 'model.vocab: not a map'],
    ['malformed merges', model({ merges: [5] }), 'model.merges: not a list'],
    ['a merge of three tokens', model({ merges: ['a b c'] }), 'the merge a b c does not have two'],
    ['a merge of one token', model({ merges: ['a'] }), 'the merge a does not have two'],
    ['a merge to an unknown token', model({ merges: ['a q'] }), 'a merge names aq, which is not a token'],
    ['a merge to a property of Object', model({ merges: ['to String'] }), 'a merge names to,'],
    [
      'a token not in byte-level form',
      model({ vocab: { ...json.model.vocab, 日: 300 } }),
      'the token 日 is not written',
    ],
    ['a byte without a token', model({ vocab: { a: 1 }, merges: [] }), 'no token for the byte 0'],
    ['a missing <|translate|>', { 'tokenizer.json': without('<|translate|>') }, 'it has no token <|translate|>'],
    ['a missing <|nospeech|>', { 'tokenizer.json': without('<|nospeech|>') }, 'it has no token <|nospeech|>'],
    ['added tokens without ids', { 'vocab.json': json.model.vocab, 'merges.txt': '', 'tokenizer_config.json': { added_tokens_decoder: { x: { content: '<|a|>' } } } }, 'has no id'], // biome-ignore format: one case a line
  ])('rejects %s', async (_, files, message) => {
    const error = await read(files).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(HearsayError);
    expect((error as HearsayError).code).toBe('model_load_failed');
    expect((error as HearsayError).message).toContain(message);
    expect((error as HearsayError).message).not.toContain(root);
  });
});
