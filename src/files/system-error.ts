/** Whether an error comes from the operating system, such as that of a file: its message is for users, unlike that of a bug. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return (error as NodeJS.ErrnoException | null)?.syscall !== undefined;
}
