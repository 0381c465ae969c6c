import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { HearsayError } from '../../../errors.ts';
import { readWhisperConfiguration } from '../configuration.ts';
import { type SpecialTokens, WhisperTokenizer } from './tokenizer.ts';

/** The official checkpoints with the smallest download, by the size of their vocabulary. */
const repositories: Readonly<Record<number, string>> = {
  51864: 'openai/whisper-tiny.en',
  51865: 'openai/whisper-tiny',
  51866: 'openai/whisper-large-v3',
};
const FILES = /^tokenizer\.json$/;

/**
 * Finds the tokenizer of a checkpoint of OpenAI's own code, which has none: a matching one in the same directory, or
 * else that of the official repository with this vocabulary. For an official vocabulary the number of tokens must match
 * exactly, since several checkpoints may share a directory; others may be padded.
 * @throws HearsayError `model_load_failed` if the checkpoint cannot be read, or if no official vocabulary has its size and
 *   there is no tokenizer beside it, or one that cannot be used
 */
export async function findTokenizer(
  path: string,
): Promise<{ directory: string } | { repository: string; files: RegExp }> {
  const { vocabulary } = await readWhisperConfiguration(path);
  const directory = dirname(path);
  const repository = repositories[vocabulary];
  const beside = await tokenizerIn(directory);
  const tokens = 'tokens' in beside ? beside.tokens : undefined;
  if (tokens !== undefined && fits(tokens, vocabulary)) return { directory };
  // What lies beside it may belong to another checkpoint.
  if (repository !== undefined) return { repository, files: FILES };
  if ('error' in beside && hasTokenizer(await readdir(directory))) throw beside.error;
  const lacking = tokens === undefined ? 'no tokenizer' : `not the tokenizer beside it, which has ${tokens}`;
  throw unusableFile(basename(path), `it has ${vocabulary} tokens but ${lacking}: put its tokenizer.json beside it`);
}

/** Whether a tokenizer can belong to a model: an official vocabulary has its size, others may be padded. */
const fits = (tokens: number, vocabulary: number) =>
  tokens === vocabulary || (tokens < vocabulary && !(vocabulary in repositories));

/**
 * Checks that a tokenizer belongs to the weights beside it: the languages and tasks of another one would be silently wrong.
 * @param vocabulary tokens that the weights know
 * @throws HearsayError `model_load_failed`
 */
export function checkTokenizer(special: SpecialTokens, vocabulary: number): void {
  const tokens = countTokens(special);
  if (fits(tokens, vocabulary)) return;
  throw unusableFile('tokenizer', `it has ${tokens} tokens but the model ${vocabulary}: it belongs to another model`);
}

/** Timestamps come last. */
const countTokens = ({ timestampEnd }: SpecialTokens) => timestampEnd + 1;

const hasTokenizer = (files: readonly string[]) =>
  files.some((file) => /^(?:tokenizer|vocab|vocabulary)\.json$|^vocabulary\.txt$/.test(file));

/** Number of tokens in the tokenizer of a directory, or why it cannot be used. */
async function tokenizerIn(directory: string): Promise<{ tokens: number } | { error: HearsayError }> {
  try {
    return { tokens: countTokens((await WhisperTokenizer.read(directory)).special) };
  } catch (error) {
    if (error instanceof HearsayError) return { error };
    throw error;
  }
}
