import { constants, open as openFile } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const RETRY_MS = 50;
const open = promisify(openFile);

/*
 * Named pipes are opened without waiting for their other end, and read and written as sockets: a thread that waits for
 * either could not be interrupted, and would keep the process from ending.
 */

/** Opens a named pipe for reading. The stream ends when a writer has closed it. @throws errors of the file system */
export async function readPipe(path: string): Promise<Socket> {
  return new Socket({
    fd: await open(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
}

/** Opens a named pipe for writing, once it has a reader. @throws the error of the file system; the reason of `signal` */
export async function writePipe(path: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    try {
      const fd = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
