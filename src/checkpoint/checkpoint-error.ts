import { HearsayError } from '../errors.ts';

/** A checkpoint file that is damaged, or holds what is not accepted. The message names no path. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** What is wrong with one of a checkpoint's files, as a sentence: `model_load_failed`. */
export function unusableFile(file: string, problem: string, cause?: unknown): HearsayError {
  return new HearsayError('model_load_failed', `The checkpoint's ${file} cannot be used: ${problem}.`, { cause });
}
