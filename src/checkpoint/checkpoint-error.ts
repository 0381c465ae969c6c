import { HearsayError } from '../errors.ts';

/** A checkpoint file is damaged or has unsupported content. The message names no path. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** A HearsayError `model_load_failed` for a file of a checkpoint. @param problem follows a colon */
export function unusableFile(file: string, problem: string, cause?: unknown): HearsayError {
  return new HearsayError('model_load_failed', `The checkpoint's ${file} cannot be used: ${problem}.`, { cause });
}
