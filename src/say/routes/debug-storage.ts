import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { type Mount, parseMounts } from '../../machine/proc.ts';
import { shared } from '../../machine/shared-answer.ts';
import { gb, percent } from './debug-units.ts';

const usage = {
  total_gb: z.number(),
  used_gb: z.number(),
  free_gb: z.number(),
  percent_used: z.number(),
};

type Usage = Record<keyof typeof usage, number>;

const storage = z.object({
  storage_info: z.array(z.object({ device: z.string(), mountpoint: z.string(), fstype: z.string(), ...usage })),
  temp: z
    .object({ folder: z.string(), files: z.int(), bytes: z.int(), ...usage })
    .describe('The directory of downloads'),
});

/**
 * GET /debug/storage.
 * @param dir the directory of downloads
 */
export function debugStorageRoute(app: FastifyInstance, dir: string): void {
  const read = shared(() => readStorage(dir));
  route(app, {
    method: 'GET',
    url: '/debug/storage',
    operationId: 'debugStorage',
    tag: 'debug',
    summary: 'Disks and the directory of downloads',
    description: 'Local file systems; at most two seconds old.',
    response: { 200: storage },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await read()),
  });
}

async function readStorage(dir: string): Promise<z.infer<typeof storage>> {
  const names = await readdir(dir);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dir, name))
        .then(({ size }) => size)
        .catch(() => 0),
    ),
  );
  const mounts = parseMounts(await readFile('/proc/self/mounts', 'utf8').catch(() => ''));
  const disks = await Promise.all(
    mounts.map(async (mount) => ({ ...mount, ...(await usageOf(mount.mountpoint).catch(() => undefined)) })),
  );
  return {
    // File systems without space are virtual.
    storage_info: disks.filter((disk): disk is Mount & Usage => (disk.total_gb ?? 0) > 0),
    temp: {
      folder: dir,
      files: names.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      ...(await usageOf(dir)),
    },
  };
}

async function usageOf(path: string): Promise<Usage> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  const total = bsize * blocks;
  const used = bsize * (blocks - bfree);
  return { total_gb: gb(total), used_gb: gb(used), free_gb: gb(bsize * bavail), percent_used: percent(used, total) };
}
