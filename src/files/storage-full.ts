const codes = new Set([
  'ENOSPC',
  'EDQUOT',
  // Too large for the file system, or for the limit that the process runs under.
  'EFBIG',
]);

/** Whether a file operation failed for want of room. */
export function isStorageFull(error: unknown): boolean {
  return codes.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}
