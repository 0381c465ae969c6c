import { Gauge, type Registry } from 'prom-client';
import type { Gpu } from './gpu-schema.ts';

/** What of a GPU is measured, by the name of its metric. */
const measures: { name: string; help: string; of: (gpu: Gpu) => number | undefined }[] = [
  { name: 'memory_used_bytes', help: 'Memory of the GPU in use.', of: (gpu) => gpu.memory_used_bytes },
  { name: 'memory_bytes', help: 'Memory of the GPU.', of: (gpu) => gpu.memory_total_bytes },
  {
    name: 'utilization_ratio',
    help: 'Share of time in which the GPU is busy.',
    of: ({ utilization_pct: percent }) => (percent === undefined ? undefined : percent / 100),
  },
  { name: 'temperature_celsius', help: 'Temperature of the GPU.', of: (gpu) => gpu.temperature_c },
  { name: 'power_watts', help: 'Power draw of the GPU.', of: (gpu) => gpu.power_w },
];

/** Metrics of the first GPU, without samples if there is none or the driver does not tell. */
export function gpuMetrics(registry: Registry, readGpu: () => Promise<Gpu | null>): void {
  for (const { name, help, of } of measures) {
    new Gauge({
      name: `hearsay_gpu_${name}`,
      help,
      labelNames: ['gpu'],
      registers: [registry],
      async collect() {
        this.reset();
        const gpu = await readGpu();
        const value = gpu ? of(gpu) : undefined;
        if (gpu && value !== undefined) this.set({ gpu: gpu.name }, value);
      },
    });
  }
}
