/** Whether a file operation failed because the process or the system has too many open files: it may succeed later. */
export function isOutOfFiles(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}
