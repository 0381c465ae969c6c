import { HearsayError } from '../errors.ts';

const codes = new Set([
  'ENOSPC',
  'EDQUOT',
  // Too large for the file system or for a limit of the process.
  'EFBIG',
]);

/** Whether a file operation failed for lack of space. */
export function isStorageFull(error: unknown): boolean {
  return codes.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** `storage_full` for the errors of a full disk, any other error as it is. */
export function storageError(error: unknown, message = 'The disk is full: the upload was not saved.'): unknown {
  if (!isStorageFull(error)) return error;
  return new HearsayError('storage_full', message, { cause: error });
}
