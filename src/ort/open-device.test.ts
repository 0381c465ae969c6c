import { describe, expect, it } from 'vitest';
import { cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import { loadOnDevice } from './open-device.ts';

interface Machine {
  runsOnGpu?: boolean;
  /** What the probe says. */
  obstacle?: string;
}

/** Loads a model that is its device. */
async function open(settings: Partial<DeviceSettings>, { runsOnGpu = true, obstacle }: Machine = {}) {
  let probes = 0;
  const device = await loadOnDevice<Device>(
    { device: 'auto', computeType: 'auto', threads: 3, ...settings },
    { name: 'small', runsOnGpu, load: async (device) => device },
    async () => {
      probes += 1;
      return obstacle;
    },
  );
  return { device, probes };
}

it.each(['cpu', 'auto'] as const)('DEVICE=%s loads on the CPU and tries no GPU', async (device) => {
  expect(await open({ device })).toEqual({ device: cpu({ threads: 3 }), probes: 0 });
});

describe('DEVICE=webgpu', () => {
  it('loads on the GPU after a probe', async () => {
    expect(await open({ device: 'webgpu' })).toEqual({ device: webgpu({ threads: 3 }), probes: 1 });
  });

  it.each<[string, Partial<DeviceSettings>, Machine, string]>([
    ['without a GPU', {}, { obstacle: 'No supported adapters' }, 'The GPU cannot be used: No supported adapters.'],
    ['with a model for CPUs', {}, { runsOnGpu: false }, 'The model small runs on the CPU only.'],
    ['with bytes', { computeType: 'int8' }, {}, 'COMPUTE_TYPE=int8 runs on the CPU only.'],
  ])('loads no model %s', async (_, settings, machine, message) => {
    const opened = open({ ...settings, device: 'webgpu' }, machine);
    await expect(opened).rejects.toMatchObject({ code: 'model_load_failed', message });
  });
});

it('DEVICE=cuda loads no model', async () => {
  await expect(open({ device: 'cuda' })).rejects.toThrow('The model small runs with DEVICE=cpu or DEVICE=webgpu.');
  await expect(open({ device: 'cuda' }, { runsOnGpu: false })).rejects.toThrow('The model small runs on the CPU only.');
});
