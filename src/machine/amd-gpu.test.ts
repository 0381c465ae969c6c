import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAmdGpu } from './amd-gpu.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearsay-drm-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Writes the files of a card. */
function card(name: string, files: Record<string, string>): void {
  for (const [file, line] of Object.entries(files)) {
    const path = join(directory, name, 'device', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${line}\n`);
  }
}

const memory = { mem_info_vram_used: '1073741824', mem_info_vram_total: '17163091968' };

it('reads the first card of AMD, by number', async () => {
  card('card0', { vendor: '0x8086', device: '0x4680' });
  card('card10', { vendor: '0x1002', ...memory, product_name: 'Second' });
  card('card1', {
    vendor: '0x1002',
    device: '0x744c',
    ...memory,
    gpu_busy_percent: '37',
    'hwmon/hwmon4/temp1_input': '45500',
    'hwmon/hwmon4/power1_average': '123450000',
  });
  card('card1-HDMI-A-1', { vendor: '0x1002', ...memory, product_name: 'A connector' });
  expect(await readAmdGpu(directory)).toEqual({
    name: 'AMD GPU 0x744c',
    memory_used_bytes: 1073741824,
    memory_total_bytes: 17163091968,
    utilization_pct: 37,
    temperature_c: 45.5,
    power_w: 123.45,
  });
});

it('omits values that the driver does not report', async () => {
  card('card0', { vendor: '0x1002', ...memory, product_name: 'Radeon PRO W7900', gpu_busy_percent: '' });
  expect(await readAmdGpu(directory)).toEqual({
    name: 'Radeon PRO W7900',
    memory_used_bytes: 1073741824,
    memory_total_bytes: 17163091968,
  });
});

it('returns null without a GPU of AMD', async () => {
  card('card0', { vendor: '0x1002', product_name: 'Without memory of its own' });
  card('card1', { vendor: '0x10de', ...memory });
  expect(await readAmdGpu(directory)).toBeNull();
  expect(await readAmdGpu(join(directory, 'missing'))).toBeNull();
});
