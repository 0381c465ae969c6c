import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { mb } from './debug-units.ts';

const threads = z.object({
  total_threads: z.int(),
  active_threads: z.int().describe('Threads running now'),
  thread_names: z.array(z.string()),
  thread_details: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      state: z.string().describe('State letter of the kernel, e.g. S for sleeping'),
    }),
  ),
  memory_mb: z.number().describe('Resident memory of this process'),
});

/** GET /debug/threads. */
export function debugThreadsRoute(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/debug/threads',
    operationId: 'debugThreads',
    tag: 'debug',
    summary: 'Threads of the HTTP process',
    response: { 200: threads },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await readThreads()),
  });
}

async function readThreads(): Promise<z.infer<typeof threads>> {
  const details = await threadDetails();
  return {
    total_threads: details.length,
    active_threads: details.filter(({ state }) => state === 'R').length,
    thread_names: details.map(({ name }) => name),
    thread_details: details,
    memory_mb: mb(process.memoryUsage.rss()),
  };
}

/** Reads the threads from /proc; only the main thread is known without it. */
async function threadDetails(): Promise<z.infer<typeof threads>['thread_details']> {
  const dir = '/proc/self/task';
  const ids = await readdir(dir).catch(() => []);
  const details = await Promise.all(
    // A thread may end meanwhile.
    ids.map(async (id) => parseThread(await readFile(join(dir, id, 'stat'), 'utf8').catch(() => ''))),
  );
  const running = details.filter((thread) => thread !== undefined);
  return running.length > 0 ? running : [{ id: process.pid, name: 'main', state: 'R' }];
}

function parseThread(text: string): { id: number; name: string; state: string } | undefined {
  const [, id, name = '', state = ''] = /^(\d+) \((.*)\) (\w)/s.exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id), name, state };
}
