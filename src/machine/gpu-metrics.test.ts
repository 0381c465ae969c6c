import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { gpuMetrics } from './gpu-metrics.ts';
import type { Gpu } from './gpu-schema.ts';

it("shows the driver's values of the GPU, and none after it is gone", async () => {
  let gpu: Gpu | null = {
    name: 'NVIDIA H100',
    memory_used_bytes: 5,
    memory_total_bytes: 10,
    utilization_pct: 37,
    temperature_c: 45,
  };
  const registry = new Registry();
  gpuMetrics(registry, async () => gpu);
  const samples = async () => (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
  const labels = '{gpu="NVIDIA H100"}';
  expect(await samples()).toEqual([
    `hearsay_gpu_memory_used_bytes${labels} 5`,
    `hearsay_gpu_memory_bytes${labels} 10`,
    `hearsay_gpu_utilization_ratio${labels} 0.37`,
    `hearsay_gpu_temperature_celsius${labels} 45`,
  ]);
  gpu = null;
  expect(await samples()).toEqual([]);
});
