import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorResponses } from '../../http/errors.ts';
import type { Gpu } from './gpu.ts';

const threads = z.object({
  total_threads: z.int(),
  active_threads: z.int().describe('Threads that compute at this moment'),
  thread_names: z.array(z.string()),
  thread_details: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      state: z.string().describe('The letter of the kernel, e.g. S for asleep'),
    }),
  ),
  memory_mb: z.number().describe('Resident memory of this process'),
});

const usage = {
  total_gb: z.number(),
  used_gb: z.number(),
  free_gb: z.number(),
  percent_used: z.number(),
};

const storage = z.object({
  storage_info: z.array(z.object({ device: z.string(), mountpoint: z.string(), fstype: z.string(), ...usage })),
  temp: z.object({ folder: z.string(), files: z.int(), bytes: z.int(), ...usage }).describe('The folder of downloads'),
});

const system = z.object({
  cpu: z.object({
    cpu_count: z.int(),
    model: z.string(),
    cpu_percent: z.number(),
    per_cpu_percent: z.array(z.number()),
    load_avg: z.array(z.number()),
  }),
  memory: z.object({
    virtual: z.object({ total_gb: z.number(), available_gb: z.number(), used_gb: z.number(), percent: z.number() }),
    swap: z.object({ total_gb: z.number(), used_gb: z.number(), free_gb: z.number(), percent: z.number() }),
  }),
  process: z.object({
    pid: z.int(),
    node: z.string(),
    uptime_seconds: z.number(),
    cpu_seconds: z.number(),
    memory_mb: z.number(),
    memory_percent: z.number(),
  }),
  network: z.object({
    interfaces: z.array(
      z.object({ name: z.string(), state: z.string(), received_bytes: z.number(), sent_bytes: z.number() }),
    ),
  }),
  gpu: z.object({ name: z.string() }).loose().nullable(),
});

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;
const round = (value: number) => Math.round(value * 100) / 100;
const gb = (bytes: number) => round(bytes / GIBIBYTE);
const percent = (part: number, whole: number) => (whole > 0 ? round((100 * part) / whole) : 0);

export interface DebugOptions {
  /** The folder of downloads. */
  folder: string;
  readGpu: () => Promise<Gpu | null>;
}

/** GET /debug/threads, /debug/storage and /debug/system: facts about machine and process, without any setting. */
export function debugRoutes(app: FastifyInstance, { folder, readGpu }: DebugOptions): void {
  const route = <Answer>(name: string, summary: string, schema: z.ZodType<Answer>, read: () => Promise<Answer>) =>
    app.get(
      `/debug/${name}`,
      {
        schema: {
          tags: ['debug'],
          summary,
          security: [{ key: [] }],
          response: { 200: schema, ...errorResponses },
        },
      },
      async (_request, reply) => reply.header('cache-control', 'no-store').send(await read()),
    );
  route('threads', 'Threads of the HTTP process', threads, readThreads);
  route('storage', 'Disks, and the folder of downloads', storage, () => readStorage(folder));
  route('system', 'Machine and process', system, () => readSystem(readGpu));
}

async function readThreads(): Promise<z.infer<typeof threads>> {
  const details = await threadDetails();
  return {
    total_threads: details.length,
    active_threads: details.filter(({ state }) => state === 'R').length,
    thread_names: details.map(({ name }) => name),
    thread_details: details,
    memory_mb: round(process.memoryUsage.rss() / MEBIBYTE),
  };
}

/** As Linux lists them; elsewhere only the main thread is known. */
async function threadDetails(): Promise<z.infer<typeof threads>['thread_details']> {
  const folder = '/proc/self/task';
  const ids = await readdir(folder).catch(() => []);
  const details = await Promise.all(
    // A thread may end while it is looked at.
    ids.map(async (id) => parseThread(await readFile(join(folder, id, 'stat'), 'utf8').catch(() => ''))),
  );
  const found = details.filter((thread) => thread !== undefined);
  return found.length > 0 ? found : [{ id: process.pid, name: 'main', state: 'R' }];
}

function parseThread(text: string): { id: number; name: string; state: string } | undefined {
  const [, id, name = '', state = ''] = /^(\d+) \((.*)\) (\w)/s.exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id), name, state };
}

async function readStorage(folder: string): Promise<z.infer<typeof storage>> {
  const { fsSize } = await systemInformation();
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  const names = await readdir(folder);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name))
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
      folder,
      files: names.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      total_gb: gb(total),
      used_gb: gb(used),
      free_gb: gb(bsize * bavail),
      percent_used: percent(used, total),
    },
  };
}

async function readSystem(readGpu: () => Promise<Gpu | null>): Promise<z.infer<typeof system>> {
  const information = await systemInformation();
  const [cpu, load, memory, network, gpu] = await Promise.all([
    information.cpu(),
    information.currentLoad(),
    information.mem(),
    information.networkStats('*'),
    readGpu(),
  ]);
  const usedByProcesses = memory.total - memory.available;
  const resident = process.memoryUsage.rss();
  const { user, system } = process.cpuUsage();
  return {
    cpu: {
      cpu_count: load.cpus.length,
      model: `${cpu.manufacturer} ${cpu.brand}`.trim(),
      cpu_percent: round(load.currentLoad),
      per_cpu_percent: load.cpus.map((core) => round(core.load)),
      load_avg: loadavg().map(round),
    },
    memory: {
      virtual: {
        total_gb: gb(memory.total),
        available_gb: gb(memory.available),
        used_gb: gb(usedByProcesses),
        percent: percent(usedByProcesses, memory.total),
      },
      swap: {
        total_gb: gb(memory.swaptotal),
        used_gb: gb(memory.swapused),
        free_gb: gb(memory.swapfree),
        percent: percent(memory.swapused, memory.swaptotal),
      },
    },
    process: {
      pid: process.pid,
      node: process.version,
      uptime_seconds: round(process.uptime()),
      cpu_seconds: round((user + system) / 1e6),
      memory_mb: round(resident / MEBIBYTE),
      memory_percent: percent(resident, memory.total),
    },
    network: {
      interfaces: network.map(({ iface, operstate, rx_bytes, tx_bytes }) => ({
        name: iface,
        state: operstate,
        received_bytes: rx_bytes,
        sent_bytes: tx_bytes,
      })),
    },
    gpu,
  };
}

/** Loaded when it is first asked for: it is large, and most services never need it. */
async function systemInformation() {
  return (await import('systeminformation')).default;
}
