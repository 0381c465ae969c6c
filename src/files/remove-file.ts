import { unlink } from 'node:fs/promises';
import { isMissing } from './missing.ts';

/** Deletes a file if it exists. Uses `unlink`, one system call, because responses wait for it; `rm` needs three. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
