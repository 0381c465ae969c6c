import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endAll, startHear, startSay } from './fixtures/service.ts';

let folder: string;
let env: Record<string, string>;
/** A driver that answers what ours is asked. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpu-figures-'));
  const fields = 'name,memory.used,memory.total,utilization.gpu,temperature.gpu,power.draw';
  const script = `#!/bin/sh\n[ "$1" = "--query-gpu=${fields}" ] && echo 'NVIDIA L4, 1024, 23034, 50, 41, [N/A]'\n`;
  await writeFile(join(folder, 'nvidia-smi'), script, { mode: 0o755 });
  env = { PATH: `${folder}:${process.env.PATH}`, WARMUP_ON_START: 'false' };
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true });
});

const gpu = {
  name: 'NVIDIA L4',
  memory_used_bytes: 1024 * 1024 ** 2,
  memory_total_bytes: 23034 * 1024 ** 2,
  utilization_pct: 50,
  temperature_c: 41,
};

it('both services show the figures of the GPU that the driver tells', async () => {
  const [hear, say] = await Promise.all([startHear(env), startSay(env)]);
  for (const service of [hear, say]) {
    const metrics = await (await service.get('/metrics')).text();
    const samples = metrics.split('\n').filter((line) => line.startsWith('hearsay_gpu_'));
    expect(samples).toEqual([
      'hearsay_gpu_memory_used_bytes{gpu="NVIDIA L4"} 1073741824',
      'hearsay_gpu_memory_bytes{gpu="NVIDIA L4"} 24152899584',
      'hearsay_gpu_utilization_ratio{gpu="NVIDIA L4"} 0.5',
      'hearsay_gpu_temperature_celsius{gpu="NVIDIA L4"} 41',
    ]);
  }
  for (const path of ['/system', '/debug/system']) expect(await (await say.get(path)).json()).toMatchObject({ gpu });
});
