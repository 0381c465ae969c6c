import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** A new path for an upload. The queue of jobs knows such names: it removes what a crash has left. */
export const uploadPath = (directory: string) => join(directory, `hearsay-upload-${randomUUID()}`);
