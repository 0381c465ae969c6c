import { loadavg } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { Gpu } from '../gpu.ts';
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
  gpu: z.object({ name: z.string() }).loose().nullable(),
});

/** GET /debug/system: without any setting of the process. */
export function debugSystemRoute(app: FastifyInstance, readGpu: () => Promise<Gpu | null>): void {
  route(app, {
    method: 'GET',
    url: '/debug/system',
    tag: 'debug',
    summary: 'Machine and process',
    response: { 200: system },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(await readSystem(readGpu)),
  });
}

async function readSystem(readGpu: () => Promise<Gpu | null>): Promise<z.infer<typeof system>> {
  // Loaded on first use: it is large and most services never need it.
  const information = (await import('systeminformation')).default;
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
      memory_mb: mb(resident),
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
