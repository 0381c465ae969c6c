import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gpu } from './gpu-schema.ts';

/** AMD's vendor id on PCI. */
const VENDOR = '0x1002';

/**
 * The first GPU that the kernel's driver `amdgpu` tells of, in the files of
 * https://docs.kernel.org/gpu/amdgpu/driver-misc.html; null without one.
 * @param directory for tests
 */
export async function readAmdGpu(directory = '/sys/class/drm'): Promise<Gpu | null> {
  const cards = (await readdir(directory).catch(() => [])).filter((name) => /^card\d+$/.test(name));
  for (const card of cards.sort((a, b) => Number(a.slice(4)) - Number(b.slice(4)))) {
    const gpu = await readCard(join(directory, card, 'device'));
    if (gpu) return gpu;
  }
  return null;
}

async function readCard(device: string): Promise<Gpu | null> {
  if ((await text(join(device, 'vendor'))) !== VENDOR) return null;
  const [used, total] = await Promise.all(
    ['used', 'total'].map((kind) => number(join(device, `mem_info_vram_${kind}`))),
  );
  if (used === undefined || total === undefined) return null;
  const name = (await text(join(device, 'product_name'))) || `AMD GPU ${await text(join(device, 'device'))}`;
  const [sensors] = await readdir(join(device, 'hwmon')).catch(() => []);
  const sensor = (file: string) => (sensors === undefined ? undefined : number(join(device, 'hwmon', sensors, file)));
  const utilization = await number(join(device, 'gpu_busy_percent'));
  const millidegrees = await sensor('temp1_input');
  const microwatts = await sensor('power1_average');
  return {
    name,
    memory_used_bytes: used,
    memory_total_bytes: total,
    ...(utilization !== undefined && { utilization_pct: utilization }),
    ...(millidegrees !== undefined && { temperature_c: millidegrees / 1000 }),
    ...(microwatts !== undefined && { power_w: microwatts / 1e6 }),
  };
}

/** The line of a file; undefined if it cannot be read. */
async function text(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').then(
    (line) => line.trim(),
    () => undefined,
  );
}

async function number(file: string): Promise<number | undefined> {
  const line = await text(file);
  return line !== undefined && /^\d+$/.test(line) ? Number(line) : undefined;
}
