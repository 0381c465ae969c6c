import { basename, dirname } from 'node:path';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { HearsayError } from '../../../errors.ts';
import { readWhisperConfiguration } from '../configuration.ts';
import { WhisperTokenizer } from './tokenizer.ts';

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
 * @throws HearsayError `model_load_failed` if the checkpoint cannot be read, or no official vocabulary has its size
 */
export async function findTokenizer(
  path: string,
): Promise<{ directory: string } | { repository: string; files: RegExp }> {
  const { vocabulary } = await readWhisperConfiguration(path);
  const directory = dirname(path);
  const repository = repositories[vocabulary];
  const tokens = await tokensIn(directory);
  if (tokens === vocabulary || (tokens && !repository && tokens < vocabulary)) return { directory };
  if (repository !== undefined) return { repository, files: FILES };
  throw unusableFile(basename(path), `it has ${vocabulary} tokens but no tokenizer: put its tokenizer.json beside it`);
}

/** Number of tokens in the tokenizer of a directory; undefined if there is none that can be read. */
async function tokensIn(directory: string): Promise<number | undefined> {
  try {
    // Timestamps come last.
    return (await WhisperTokenizer.read(directory)).special.timestampEnd + 1;
  } catch (error) {
    if (error instanceof HearsayError) return undefined;
    throw error;
  }
}
