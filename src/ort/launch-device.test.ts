import { expect, it } from 'vitest';
import type { GpuSearch } from './gpu.ts';
import { LaunchDevice } from './launch-device.ts';

async function afterDeath(setting: 'auto' | 'webgpu', gpu: GpuSearch) {
  const device = new LaunchDevice();
  const warnings: string[] = [];
  await device.noteDeath(
    setting,
    (message) => warnings.push(message),
    async () => gpu,
  );
  return { device: device.of(setting), warnings: warnings.length };
}

const card: GpuSearch = { drivers: ['nvidia_icd.json'] };

it('avoids a GPU that auto chose after a death', async () => {
  expect(await afterDeath('auto', card)).toEqual({ device: 'cpu', warnings: 1 });
});

it('keeps a named GPU after a death', async () => {
  expect(await afterDeath('webgpu', card)).toEqual({ device: 'webgpu', warnings: 0 });
});

it('suspects no GPU on a machine without one', async () => {
  expect(await afterDeath('auto', { reason: 'none', hasGpu: false })).toEqual({ device: 'auto', warnings: 0 });
});

it('warns once', async () => {
  const device = new LaunchDevice();
  const warnings: string[] = [];
  for (let death = 0; death < 2; death++) {
    await device.noteDeath(
      'auto',
      (message) => warnings.push(message),
      async () => card,
    );
  }
  expect(warnings.length).toBe(1);
});
