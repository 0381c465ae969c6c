import { HearsayError } from '../errors.ts';

/** A checkpoint file is damaged or has unsupported content. The message names no path. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** How the text begins that a clone without Git LFS has in place of a large file. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
/** More than such a text has. */
export const MAX_POINTER_BYTES = 1024;

/** @throws HearsayError `model_load_failed` if the file is a pointer of Git LFS. @param start its first bytes or characters */
export function refusePointer(file: string, start: Uint8Array | string): void {
  const text = typeof start === 'string' ? start : Buffer.from(start.subarray(0, MAX_POINTER_BYTES)).toString('latin1');
  if (!text.startsWith(LFS_POINTER)) return;
  throw unusableFile(file, 'it is a pointer of Git LFS, not the file itself: `git lfs pull` gets it');
}

/** A HearsayError `model_load_failed` for a file of a checkpoint. @param problem follows a colon */
export function unusableFile(file: string, problem: string, cause?: unknown): HearsayError {
  return new HearsayError('model_load_failed', `The checkpoint's ${file} cannot be used: ${problem}.`, { cause });
}
