import { randomUUID } from 'node:crypto';
import { link, open, rename, stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createDirectory } from './create-directory.ts';

/** Another live process holds the lock. */
export class DirectoryLocked extends Error {
  override readonly name = 'DirectoryLocked';
}

/** Less than the path of a socket may have: 108 bytes on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;
const NAME = 'lock';

/**
 * Locks a directory, created if missing, for this process. The lock is a socket: the kernel tells whether its process
 * lives, also in another container, and one that was killed leaves nothing to wait for. It holds among processes of one
 * machine.
 * @returns a function that unlocks
 * @throws DirectoryLocked; the error of the file system
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await createDirectory(directory, 0o700);
  const handle = await open(directory);
  // Paths of sockets must be short.
  const short = Buffer.byteLength(directory) + 45 > MAX_SOCKET_PATH_BYTES ? `/proc/self/fd/${handle.fd}` : directory;
  const own = `${NAME}-${randomUUID().slice(0, 8)}`;
  let server: Server | undefined;
  try {
    server = await listen(join(short, own));
    const { ino } = await stat(join(directory, own));
    await take(directory, own, (name) => isAlive(join(short, name)));
    const held = server;
    return async () => {
      const current = await stat(join(directory, NAME)).catch(() => undefined);
      if (current?.ino === ino) await unlink(join(directory, NAME));
      await new Promise((resolve) => held.close(resolve));
    };
  } catch (error) {
    server?.close();
    throw error;
  } finally {
    await unlink(join(directory, own)).catch(() => {});
    await handle.close();
  }
}

/** Gives the socket the name of the lock, replacing one whose process is gone. */
async function take(directory: string, own: string, isAlive: (name: string) => Promise<boolean>): Promise<void> {
  const lock = join(directory, NAME);
  for (let attempt = 0; attempt < 10; attempt++) {
    const isFree = await link(join(directory, own), lock).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        // Whoever holds the lock has removed this name as a leftover.
        if (error.code === 'ENOENT') throw inUse(directory);
        throw error;
      },
    );
    if (isFree) return;
    const dead = await stat(lock).catch(() => undefined);
    if (await isAlive(NAME)) throw inUse(directory);
    const aside = `${lock}-${randomUUID().slice(0, 8)}`;
    await rename(lock, aside).catch(() => {});
    const moved = await stat(aside).catch(() => undefined);
    // Another process has taken the dead one's place meanwhile.
    if (moved && moved.ino !== dead?.ino) await link(aside, lock).catch(() => {});
    await unlink(aside).catch(() => {});
  }
  throw new DirectoryLocked(`${directory} is being taken by other processes`);
}

const inUse = (directory: string) => new DirectoryLocked(`${directory} is in use by another process`);

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    // The lock alone keeps no process alive.
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // A full backlog is one of a live process, which may be stopped.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
