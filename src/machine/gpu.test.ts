import { describe, expect, it } from 'vitest';
import { gpuMemory, parseGpu, readGpu } from './gpu.ts';

describe('parseGpu', () => {
  it('reads the first GPU', () => {
    expect(parseGpu('NVIDIA H100 80GB HBM3, 1234, 81559, 37, 45, 123.45\nSecond, 1, 2, 3, 4, 5\n')).toEqual({
      name: 'NVIDIA H100 80GB HBM3',
      memory_used_bytes: 1234 * 1024 * 1024,
      memory_total_bytes: 81559 * 1024 * 1024,
      utilization_pct: 37,
      temperature_c: 45,
      power_w: 123.45,
    });
  });

  it('omits values that the driver cannot measure', () => {
    expect(parseGpu('Tesla, 1, 2, [N/A], , [Not Supported]\n')).toEqual({
      name: 'Tesla',
      memory_used_bytes: 1048576,
      memory_total_bytes: 2097152,
    });
  });

  it('returns null for anything else', () => {
    for (const text of ['', '\n', 'No devices were found\n', 'x, [N/A], [N/A]', ', 1, 2']) {
      expect([text, parseGpu(text)]).toEqual([text, null]);
    }
  });
});

it('readGpu shares one query between concurrent callers', async () => {
  expect(readGpu()).toBe(readGpu());
  const gpu = await readGpu();
  if (gpu) expect(gpu.memory_total_bytes).toBeGreaterThan(0);
  else expect(gpu).toBeNull();
});

it('reports the memory in use', () => {
  const gpu = { name: 'NVIDIA H100', memory_used_bytes: 2 * 1024 ** 3, memory_total_bytes: 80 * 1024 ** 3 };
  expect(gpuMemory(gpu)).toBe('NVIDIA H100, 2.0 GB of 80.0 GB VRAM used');
});
