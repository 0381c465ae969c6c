import { z } from 'zod';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { readJson, readText } from '../../../checkpoint/text-files.ts';
import { HearsayError } from '../../../errors.ts';
import { MAX_TOKENS, type Merge } from './byte-pair-encoding.ts';
import { mergesOf, type Pair, readTokenList, withMissingMerges } from './token-list.ts';

/** The token table of a checkpoint. */
export interface Vocabulary {
  /** File it was read from, for messages. */
  file: string;
  /** Bytes of the ordinary tokens by id, as a character (U+0000 to U+00FF) per byte. */
  pieces: ReadonlyMap<number, string>;
  /** In order of priority. */
  merges: readonly Merge[];
  /** Ids of the special tokens by name, e.g. `<|en|>`. */
  special: ReadonlyMap<string, number>;
}

const isId = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < MAX_TOKENS;
const isPair = (value: unknown) =>
  typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string'));

// Checked by hand: a zod schema for 50,000 entries takes as long as everything else.
const vocabularySchema = z.custom<Record<string, number>>(
  (value) => typeof value === 'object' && value !== null && Object.values(value).every(isId),
  'not a map of tokens to their ids',
);
const mergesSchema = z.custom<(string | string[])[]>(
  (value) => Array.isArray(value) && value.every(isPair),
  'not a list of pairs of tokens',
);
const addedSchema = z.object({
  id: z.custom<number>(isId, 'not the id of a token'),
  content: z.string(),
  special: z.boolean().optional(),
});
const tokenizerSchema = z.object({
  model: z.object({ type: z.literal('BPE'), vocab: vocabularySchema, merges: mergesSchema }),
  added_tokens: z.array(addedSchema).default([]),
});
const tokenizerConfigSchema = z.object({
  added_tokens_decoder: z
    .record(z.string(), z.object({ content: z.string(), special: z.boolean().optional() }))
    .default({}),
});

type AddedToken = z.infer<typeof addedSchema>;

/** Never text in a Whisper vocabulary, even if a file does not mark it special. */
const SPECIAL = /^<\|.*\|>$/;

/**
 * Reads `tokenizer.json`, or else `vocab.json` and `merges.txt` with the tokens that `added_tokens.json` or
 * `tokenizer_config.json` add, or else CTranslate2's `vocabulary.json` or `vocabulary.txt`.
 * @throws HearsayError `model_load_failed` naming the file and what is wrong
 */
export async function readVocabulary(directory: string): Promise<Vocabulary> {
  const tokenizer = await readJson(directory, 'tokenizer.json', tokenizerSchema);
  if (tokenizer !== undefined) {
    const { model, added_tokens } = tokenizer;
    const merges = model.merges.map((merge) => (typeof merge === 'string' ? merge.split(' ') : merge));
    return vocabulary('tokenizer.json', model.vocab, merges, added_tokens);
  }
  const vocab = await readJson(directory, 'vocab.json', vocabularySchema);
  const merges = await readText(directory, 'merges.txt');
  if (vocab === undefined || merges === undefined) return readListedVocabulary(directory);
  const lines = merges
    .split('\n')
    .filter((line, index) => line !== '' && !(index === 0 && line.startsWith('#version')));
  const pairs = lines.map((line) => line.replace(/\r$/, '').split(' '));
  return vocabulary('vocab.json', vocab, pairs, await readAddedTokens(directory));
}

async function readListedVocabulary(directory: string): Promise<Vocabulary> {
  const list = await readTokenList(directory);
  if (list === undefined) {
    const problem = 'The checkpoint has neither tokenizer.json nor vocab.json with merges.txt nor a vocabulary.';
    throw new HearsayError('model_load_failed', problem);
  }
  const vocab = Object.fromEntries(list.tokens.map((token, id) => [token, id]));
  const text = new Map(Object.entries(vocab).filter(([token]) => !SPECIAL.test(token)));
  return vocabulary(list.file, vocab, mergesOf(text), []);
}

async function readAddedTokens(directory: string): Promise<AddedToken[]> {
  const config = await readJson(directory, 'tokenizer_config.json', tokenizerConfigSchema);
  const decoder = Object.entries(config?.added_tokens_decoder ?? {});
  if (decoder.length > 0) return decoder.map(([key, token]) => ({ ...token, id: Number(key) }));
  const added = (await readJson(directory, 'added_tokens.json', vocabularySchema)) ?? {};
  return Object.entries(added).map(([content, key]) => ({ id: key, content }));
}

function vocabulary(
  file: string,
  vocab: Readonly<Record<string, number>>,
  pairs: readonly (readonly string[])[],
  added: readonly AddedToken[],
): Vocabulary {
  const special = new Map(Object.entries(vocab).filter(([name]) => SPECIAL.test(name)));
  const pieces = new Map<number, string>();
  for (const [name, key] of Object.entries(vocab)) {
    if (!special.has(name)) pieces.set(key, bytesOf(name, file));
  }
  for (const { id: key, content, special: isSpecial = false } of added) {
    if (!isId(key)) throw unusableFile(file, `the added token ${content} has no id`);
    if (isSpecial || SPECIAL.test(content)) {
      special.set(content, key);
      pieces.delete(key);
    } else pieces.set(key, Buffer.from(content).toString('latin1'));
  }
  const idOf = (name: string) => {
    const key = Object.hasOwn(vocab, name) ? vocab[name] : undefined;
    if (key === undefined) throw unusableFile(file, `a merge names ${name}, which is not a token`);
    return key;
  };
  const listed = pairs.map((pair) => {
    if (!isTokenPair(pair)) throw unusableFile(file, `the merge ${pair.join(' ')} does not have two tokens`);
    return pair;
  });
  const text = new Map(Object.entries(vocab).filter(([, key]) => pieces.has(key)));
  const merges = withMissingMerges(listed, text).map(([left, right]) => ({
    left: idOf(left),
    right: idOf(right),
    merged: idOf(left + right),
  }));
  return { file, pieces, merges, special };
}

function isTokenPair(pair: readonly string[]): pair is Pair {
  return pair.length === 2;
}

/**
 * GPT-2 writes every byte as a visible character: visible Latin-1 characters as themselves, the other bytes in order from
 * U+0100 on.
 */
const byteOfCharacter = new Map<string, string>();
for (let byte = 0, others = 0; byte < 256; byte++) {
  const visible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  byteOfCharacter.set(String.fromCharCode(visible ? byte : 256 + others++), String.fromCharCode(byte));
}

function bytesOf(name: string, file: string): string {
  let bytes = '';
  for (const character of name) {
    const byte = byteOfCharacter.get(character);
    if (byte === undefined) throw unusableFile(file, `the token ${name} is not written in byte-level form`);
    bytes += byte;
  }
  return bytes;
}
