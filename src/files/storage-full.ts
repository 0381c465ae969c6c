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
