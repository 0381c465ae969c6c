import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { gb, percent } from './debug-units.ts';

const usage = {
  total_gb: z.number(),
  used_gb: z.number(),
  free_gb: z.number(),
  percent_used: z.number(),
};

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
  route(app, {
    method: 'GET',
    url: '/debug/storage',
    tag: 'debug',
    summary: 'Disks and the directory of downloads',
    response: { 200: storage },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await readStorage(dir)),
  });
}

async function readStorage(dir: string): Promise<z.infer<typeof storage>> {
  // Loaded on first use: it is large and most services never need it.
  const { fsSize } = (await import('systeminformation')).default;
  const { bsize, blocks, bfree, bavail } = await statfs(dir);
  const names = await readdir(dir);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dir, name))
        .then(({ size }) => size)
        .catch(() => 0),
    ),
  );
  const total = bsize * blocks;
  const used = bsize * (blocks - bfree);
  return {
    storage_info: (await fsSize()).map(({ fs, mount, type, size, used, available }) => ({
      device: fs,
      mountpoint: mount,
      fstype: type,
      total_gb: gb(size),
      used_gb: gb(used),
      free_gb: gb(available),
      percent_used: percent(used, size),
    })),
    temp: {
      folder: dir,
      files: names.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      total_gb: gb(total),
      used_gb: gb(used),
      free_gb: gb(bsize * bavail),
      percent_used: percent(used, total),
    },
  };
}
