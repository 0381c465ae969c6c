import { describe, expect, it } from 'vitest';
import { HearsayError } from '../errors.ts';
import { type ComputeType, cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import type { ProbedGpu } from './gpu.ts';
import { loadOnDevice } from './open-device.ts';

interface Machine {
  gpuTypes?: ComputeType[];
  gains?: boolean;
  hasGpu?: boolean;
  /** What the probe finds. */
  found?: ProbedGpu;
  /** Why the model cannot be loaded on the GPU. */
  obstacle?: Error;
}

const fast: ProbedGpu = { speedup: 23.4, float16: true };

/** Loads a model that is its device. */
async function open(settings: Partial<DeviceSettings>, machine: Machine = {}) {
  const { gpuTypes = ['float16', 'float32'], gains = true, hasGpu = true, found = fast, obstacle } = machine;
  const probes: (number | undefined)[] = [];
  const log: string[] = [];
  const load = async (device: Device) => {
    if (device.name !== 'cpu' && obstacle) throw obstacle;
    return device;
  };
  const device = await loadOnDevice<Device>(
    { device: 'auto', computeType: 'auto', threads: 3, ...settings },
    { name: 'small', gpuTypes, gainsFromGpu: async () => gains, load },
    {
      mayHaveGpu: () => hasGpu,
      probe: async (threads) => {
        probes.push(threads);
        return found;
      },
      describeGpu: async () => 'NVIDIA L4, 21.0 GB of 22.5 GB VRAM used',
      log: (message) => log.push(message),
    },
  );
  return { device, probes, log };
}

const onCpu = cpu({ threads: 3 });

it('DEVICE=cpu loads on the CPU without trying a GPU', async () => {
  expect(await open({ device: 'cpu' })).toEqual({ device: onCpu, probes: [], log: [] });
});

describe('DEVICE=auto', () => {
  it('takes a GPU that is much faster than the CPU', async () => {
    expect(await open({})).toEqual({
      device: webgpu({ threads: 3, float16: true }),
      probes: [3],
      log: ['DEVICE=auto takes the GPU, which multiplies 23 times as fast as the CPU.'],
    });
  });

  it.each<[string, Partial<DeviceSettings>, Machine, string]>([
    ['without an adapter', {}, { found: { reason: 'No supported adapters' } }, 'No supported adapters'],
    [
      'in software',
      {},
      { found: { speedup: 0.04, float16: false } },
      'it multiplies 0.0 times as fast as the CPU, and 2 times would be worth it',
    ],
    [
      'without half precision, which is asked for',
      { computeType: 'float16' },
      { found: { speedup: 9, float16: false } },
      'it does not compute in float16',
    ],
  ])('uses the CPU if the GPU is %s, and says why', async (_, settings, machine, reason) => {
    const opened = open(settings, machine);
    if (settings.computeType === 'float16') return expect(opened).rejects.toThrow('runs on a GPU only');
    const { device, log } = await opened;
    expect(device).toEqual(onCpu);
    expect(log).toEqual([`DEVICE=auto takes the CPU and no GPU: ${reason}.`]);
  });

  it.each<[string, Partial<DeviceSettings>, Machine]>([
    ['without a GPU', {}, { hasGpu: false }],
    ['for a model of CPUs', {}, { gpuTypes: [] }],
    ['for bytes', { computeType: 'int8' }, {}],
  ])('takes the CPU %s without a word', async (_, settings, machine) => {
    expect(await open(settings, machine)).toEqual({ device: onCpu, probes: [], log: [] });
  });

  it('takes the CPU for a model that is too small to gain', async () => {
    expect(await open({}, { gains: false })).toEqual({
      device: onCpu,
      probes: [],
      log: ['DEVICE=auto takes the CPU: the model is small, and a GPU would answer a single request later.'],
    });
  });

  it('takes the CPU with a warning if the GPU has no room for the model', async () => {
    const { device, log } = await open({}, { obstacle: new Error('The GPU is out of memory: Invalid Buffer') });
    expect(device).toEqual(onCpu);
    expect(log).toEqual([
      'DEVICE=auto takes the CPU, since the GPU cannot run the model: The model small cannot be loaded on the GPU (NVIDIA L4, 21.0 GB of 22.5 GB VRAM used): The GPU is out of memory: Invalid Buffer',
    ]);
  });
});

describe('DEVICE=webgpu', () => {
  it('loads on the GPU after a probe, however slow it is', async () => {
    expect(await open({ device: 'webgpu' }, { found: { float16: false } })).toEqual({
      device: webgpu({ threads: 3 }),
      // Not compared with the CPU.
      probes: [undefined],
      log: [],
    });
  });

  const full = new Error('The GPU is out of memory: Invalid Buffer');
  it.each<[string, Partial<DeviceSettings>, Machine, string]>([
    [
      'without a GPU',
      {},
      { found: { reason: 'No supported adapters' } },
      'The GPU cannot be used: No supported adapters.',
    ],
    ['with a model for CPUs', {}, { gpuTypes: [] }, 'The model small runs on the CPU only.'],
    [
      'with bytes',
      { computeType: 'int8' },
      {},
      'The model small runs on a GPU with COMPUTE_TYPE=float16 or float32, not int8.',
    ],
    [
      'without half precision, which is asked for',
      { computeType: 'float16' },
      { found: { speedup: 9, float16: false } },
      'The GPU does not compute in float16.',
    ],
    [
      'without room',
      {},
      { obstacle: full },
      'The model small cannot be loaded on the GPU (NVIDIA L4, 21.0 GB of 22.5 GB VRAM used): The GPU is out of memory: Invalid Buffer',
    ],
    [
      'whose files are wrong',
      {},
      { obstacle: new HearsayError('model_load_failed', 'The checkpoint has no tensor x.') },
      'The checkpoint has no tensor x.',
    ],
  ])('loads no model %s', async (_, settings, machine, message) => {
    const opened = open({ ...settings, device: 'webgpu' }, machine);
    await expect(opened).rejects.toMatchObject({ code: 'model_load_failed', message });
  });
});

it('DEVICE=cuda loads no model', async () => {
  await expect(open({ device: 'cuda' })).rejects.toThrow('The model small runs with DEVICE=cpu or DEVICE=webgpu.');
  await expect(open({ device: 'cuda' }, { gpuTypes: [] })).rejects.toThrow('The model small runs on the CPU only.');
});
