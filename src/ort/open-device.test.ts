import { afterEach, describe, expect, it, vi } from 'vitest';
import { cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import type { GpuSearch } from './gpu.ts';
import { loadOnDevice } from './open-device.ts';

afterEach(() => vi.unstubAllEnvs());

interface Machine {
  settings?: Partial<DeviceSettings>;
  runsOnGpu?: boolean;
  gpu?: GpuSearch;
  /** What the probe says. */
  obstacle?: string;
  load?: (device: Device) => Promise<Device>;
}

/** Loads a model that is its device; returns it with warnings and probes. */
async function open({
  settings,
  runsOnGpu = true,
  gpu = { reason: 'none', hasGpu: false },
  obstacle,
  load = async (device) => device,
}: Machine) {
  const warnings: string[] = [];
  const probed: Record<string, string>[] = [];
  const device = await loadOnDevice<Device>(
    { device: 'auto', computeType: 'auto', threads: 3, ...settings },
    { name: 'small', runsOnGpu, load },
    {
      warn: (message) => warnings.push(message),
      find: async () => gpu,
      probe: async (env = {}) => {
        probed.push(env);
        return obstacle;
      },
    },
  );
  return { device, warnings, probed };
}

const card: GpuSearch = { drivers: ['/etc/vulkan/icd.d/nvidia_icd.json'] };
const onCpu = cpu({ threads: 3 });
const onGpu = webgpu({ threads: 3 });

describe('DEVICE=cpu', () => {
  it('loads on the CPU and looks for nothing', async () => {
    expect(await open({ settings: { device: 'cpu' }, gpu: card })).toEqual({ device: onCpu, warnings: [], probed: [] });
  });
});

describe('DEVICE=auto', () => {
  it('takes a GPU that passes the probe, with its drivers alone', async () => {
    vi.stubEnv('VK_DRIVER_FILES', '/usr/share/vulkan/icd.d/lvp_icd.json');
    const env = { VK_DRIVER_FILES: card.drivers[0], VK_ICD_FILENAMES: card.drivers[0] };
    expect(await open({ gpu: card })).toEqual({ device: onGpu, warnings: [], probed: [env] });
    expect(process.env).toMatchObject(env);
  });

  it('takes the CPU without a word if there is no GPU', async () => {
    expect(await open({})).toEqual({ device: onCpu, warnings: [], probed: [] });
  });

  it('takes the CPU and says why if a GPU has no driver', async () => {
    const { device, warnings } = await open({
      gpu: { reason: 'no Vulkan driver of NVIDIA is installed', hasGpu: true },
    });
    expect(device).toEqual(onCpu);
    expect(warnings).toEqual([
      'The GPU cannot be used (no Vulkan driver of NVIDIA is installed): the model small runs on the CPU.',
    ]);
  });

  it('takes the CPU and says why if the probe fails', async () => {
    vi.stubEnv('VK_DRIVER_FILES', 'before');
    const { device, warnings } = await open({ gpu: card, obstacle: 'it computes wrong numbers' });
    expect(device).toEqual(onCpu);
    expect(warnings).toEqual(['The GPU cannot be used (it computes wrong numbers): the model small runs on the CPU.']);
    expect(process.env.VK_DRIVER_FILES).toBe('before');
  });

  it('takes the CPU and says why if the model does not fit on the GPU', async () => {
    const load = async (device: Device) => {
      if (device.name === 'webgpu') throw new Error('out of memory');
      return device;
    };
    const { device, warnings } = await open({ gpu: card, load });
    expect(device).toEqual(onCpu);
    expect(warnings).toEqual(['The model small cannot be loaded on the GPU (out of memory): it runs on the CPU.']);
  });

  it.each<[string, Machine]>([
    ['a model without a form for GPUs', { runsOnGpu: false }],
    ['COMPUTE_TYPE=int8', { settings: { computeType: 'int8' } }],
  ])('takes the CPU for %s', async (_, machine) => {
    expect(await open({ ...machine, gpu: card })).toEqual({ device: onCpu, warnings: [], probed: [] });
  });
});

describe('DEVICE=webgpu', () => {
  it('takes what the system gives, be it software', async () => {
    const { device, probed } = await open({ settings: { device: 'webgpu' } });
    expect(device).toEqual(onGpu);
    expect(probed).toEqual([{}]);
  });

  it.each<[string, Machine, string]>([
    ['without a GPU', { obstacle: 'No supported adapters' }, 'The GPU cannot be used: No supported adapters.'],
    ['with a model for CPUs', { runsOnGpu: false }, 'The model small runs on the CPU only.'],
    ['with bytes', { settings: { computeType: 'int8' } }, 'COMPUTE_TYPE=int8 runs on the CPU only.'],
  ])('does not load %s', async (_, { settings, ...machine }, message) => {
    const opened = open({ ...machine, settings: { ...settings, device: 'webgpu' } });
    await expect(opened).rejects.toMatchObject({ code: 'model_load_failed', message });
  });
});

it('DEVICE=cuda loads no model', async () => {
  const settings = { device: 'cuda' } as const;
  await expect(open({ settings })).rejects.toThrow('The model small runs with DEVICE=cpu or DEVICE=webgpu.');
  await expect(open({ settings, runsOnGpu: false })).rejects.toThrow('The model small runs on the CPU only.');
});
