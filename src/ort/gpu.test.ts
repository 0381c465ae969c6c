import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { driverEnvironment, findGpu, probeGpu } from './gpu.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearsay-gpu-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function file(path: string, content = ''): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

const find = (env: NodeJS.ProcessEnv = {}) => findGpu(root, env);

describe('findGpu', () => {
  it('finds the drivers of an NVIDIA GPU, and none in software', async () => {
    file('dev/nvidia0');
    file('dev/nvidiactl');
    file('usr/share/vulkan/icd.d/lvp_icd.x86_64.json');
    const manifest = file('etc/vulkan/icd.d/nvidia_icd.json');
    expect(await find()).toEqual({ drivers: [manifest] });
  });

  it.each([
    ['of 8 GiB', 8 * 2 ** 30, true],
    ['integrated, of 512 MiB', 512 * 2 ** 20, false],
  ])('finds an AMD GPU by its memory: %s', async (_, bytes, isFound) => {
    file('dev/dri/renderD128');
    file('sys/class/drm/renderD128/device/mem_info_vram_total', `${bytes}\n`);
    const manifest = file('usr/share/vulkan/icd.d/radeon_icd.x86_64.json');
    expect(await find()).toEqual(
      isFound ? { drivers: [manifest] } : { reason: 'there is none of its own memory', hasGpu: false },
    );
  });

  it('takes no Intel GPU, which is integrated as a rule', async () => {
    file('dev/dri/renderD128');
    file('sys/class/drm/renderD128/device/vendor', '0x8086\n');
    file('usr/share/vulkan/icd.d/intel_icd.x86_64.json');
    expect(await find()).toMatchObject({ hasGpu: false });
  });

  it('says that a GPU has no driver', async () => {
    file('dev/nvidia0');
    file('usr/share/vulkan/icd.d/lvp_icd.x86_64.json');
    expect(await find()).toEqual({ reason: 'no Vulkan driver of NVIDIA is installed', hasGpu: true });
  });

  it('reads manifests that the environment names instead', async () => {
    file('dev/nvidia0');
    file('etc/vulkan/icd.d/nvidia_icd.json');
    expect(await find({ VK_DRIVER_FILES: '/opt/nvidia.json:/opt/swiftshader.json' })).toEqual({
      drivers: ['/opt/nvidia.json'],
    });
  });

  it('finds nothing on a machine without any of the folders', async () => {
    expect(await find()).toMatchObject({ hasGpu: false });
  });
});

describe('probeGpu', () => {
  const entry = (program: string) => new URL(`file://${file('probe.mjs', program)}`);

  it('passes on what is wrong', async () => {
    expect(await probeGpu({}, { entry: entry("process.stdout.write('it computes wrong numbers')") })).toBe(
      'it computes wrong numbers',
    );
  });

  it('survives a driver that crashes', async () => {
    const crash = "process.kill(process.pid, 'SIGSEGV')";
    expect(await probeGpu({}, { entry: entry(crash) })).toBe('its driver ended the process by SIGSEGV');
  });

  it('survives a driver that hangs', async () => {
    const hang = 'for (;;);';
    expect(await probeGpu({}, { entry: entry(hang), timeoutMs: 500 })).toBe('its driver does not answer within 0.5 s');
  });

  it('gives its environment to the process', async () => {
    const program = "process.stdout.write(process.env.VK_DRIVER_FILES === 'a:b' ? 'ok' : 'no')";
    expect(await probeGpu(driverEnvironment(['a', 'b']), { entry: entry(program) })).toBeUndefined();
  });
});
