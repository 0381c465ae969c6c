import { readFile } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { type Gpu, gpu } from '../../machine/gpu-schema.ts';
import { type CpuTimes, load, parseCpuModel, parseCpuTimes, parseMemory, parseNetwork } from '../../machine/proc.ts';
import { shared } from '../../machine/shared-answer.ts';
import { gb, mb, percent, round } from './debug-units.ts';

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
  gpu: gpu.nullable(),
});

/** GET /debug/system: without any setting of the process. */
export function debugSystemRoute(app: FastifyInstance, readGpu: () => Promise<Gpu | null>): void {
  const readCpu = cpuReader();
  const read = shared(async () => {
    const [cpu, memory, interfaces, gpu] = await Promise.all([readCpu(), readMemory(), readInterfaces(), readGpu()]);
    return { cpu, memory, process: readProcess(), network: { interfaces }, gpu };
  });
  route(app, {
    method: 'GET',
    url: '/debug/system',
    operationId: 'debugSystem',
    tag: 'debug',
    summary: 'Machine and process',
    description: 'At most two seconds old.',
    response: { 200: system },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await read()),
  });
}

/** Empty without such a file, as on other systems than Linux. */
const readText = (path: string) => readFile(path, 'utf8').catch(() => '');

/** Milliseconds over which the first load is measured; later ones are measured since the previous request. */
const LOAD_MS = 200;

function cpuReader(): () => Promise<z.infer<typeof system>['cpu']> {
  const readTimes = async () => parseCpuTimes(await readText('/proc/stat'));
  let before: CpuTimes | undefined;
  let model: string | undefined;
  return async () => {
    model ??= parseCpuModel(await readText('/proc/cpuinfo'));
    if (before === undefined) {
      before = await readTimes();
      await sleep(LOAD_MS);
    }
    const earlier = before;
    const now = await readTimes();
    before = now;
    return {
      cpu_count: now.cores.length || availableParallelism(),
      model,
      cpu_percent: round(load(earlier.all, now.all)),
      per_cpu_percent: now.cores.map((core, index) => round(load(earlier.cores[index], core))),
      load_avg: loadavg().map(round),
    };
  };
}

async function readMemory(): Promise<z.infer<typeof system>['memory']> {
  const memory = parseMemory(await readText('/proc/meminfo'));
  const total = memory.get('MemTotal') ?? totalmem();
  const available = memory.get('MemAvailable') ?? freemem();
  const swapTotal = memory.get('SwapTotal') ?? 0;
  const swapFree = memory.get('SwapFree') ?? 0;
  return {
    virtual: {
      total_gb: gb(total),
      available_gb: gb(available),
      used_gb: gb(total - available),
      percent: percent(total - available, total),
    },
    swap: {
      total_gb: gb(swapTotal),
      used_gb: gb(swapTotal - swapFree),
      free_gb: gb(swapFree),
      percent: percent(swapTotal - swapFree, swapTotal),
    },
  };
}

async function readInterfaces(): Promise<z.infer<typeof system>['network']['interfaces']> {
  const interfaces = parseNetwork(await readText('/proc/net/dev'));
  return Promise.all(
    interfaces.map(async ({ name, ...bytes }) => {
      const state = (await readText(`/sys/class/net/${name}/operstate`)).trim();
      return { name, state: state || 'unknown', ...bytes };
    }),
  );
}

function readProcess(): z.infer<typeof system>['process'] {
  const resident = process.memoryUsage.rss();
  const { user, system: kernel } = process.cpuUsage();
  return {
    pid: process.pid,
    node: process.version,
    uptime_seconds: round(process.uptime()),
    cpu_seconds: round((user + kernel) / 1e6),
    memory_mb: mb(resident),
    memory_percent: percent(resident, totalmem()),
  };
}
