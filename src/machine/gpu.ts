import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readAmdGpu } from './amd-gpu.ts';
import type { Gpu } from './gpu-schema.ts';
import { FACT_MS, shared } from './shared-answer.ts';

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** `NVIDIA H100, 2.0 GB of 80.0 GB VRAM used` */
export function gpuMemory({ name, memory_used_bytes: used, memory_total_bytes: total }: Gpu): string {
  return `${name}, ${gigabytes(used)} of ${gigabytes(total)} VRAM used`;
}

const FIELDS = ['name', 'memory.used', 'memory.total', 'utilization.gpu', 'temperature.gpu', 'power.draw'];
const MEBIBYTE = 1024 * 1024;
const TIMEOUT_MS = 2000;
/** Lifetime of the result that there is no GPU. */
const CACHE_NONE_MS = 60_000;

/** Parses `nvidia-smi --query-gpu` for `FIELDS`, in CSV without units; null if it has no name or memory. */
export function parseGpu(csv: string): Gpu | null {
  const [name, ...values] = (csv.trim().split('\n')[0] ?? '').split(',').map((cell) => cell.trim());
  const [used, total, utilization, temperature, power] = values.map((cell) =>
    cell === '' ? Number.NaN : Number(cell),
  );
  if (!name || used === undefined || total === undefined || !Number.isFinite(used) || !Number.isFinite(total)) {
    return null;
  }
  const isKnown = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
  return {
    name,
    memory_used_bytes: Math.round(used * MEBIBYTE),
    memory_total_bytes: Math.round(total * MEBIBYTE),
    // The driver writes [N/A] for what it cannot measure.
    ...(isKnown(utilization) && { utilization_pct: utilization }),
    ...(isKnown(temperature) && { temperature_c: temperature }),
    ...(isKnown(power) && { power_w: power }),
  };
}

/** The first GPU of NVIDIA's, else of AMD's. */
async function queryDrivers(): Promise<Gpu | null> {
  return (await queryNvidia()) ?? readAmdGpu();
}

async function queryNvidia(): Promise<Gpu | null> {
  try {
    const args = [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader,nounits'];
    return parseGpu((await promisify(execFile)('nvidia-smi', args, { timeout: TIMEOUT_MS })).stdout);
  } catch {
    return null;
  }
}

/** The GPU as the driver reports it, at most two seconds old; null without one. Never runs two queries at once. */
export const readGpu = shared(queryDrivers, (gpu) => (gpu ? FACT_MS : CACHE_NONE_MS));
