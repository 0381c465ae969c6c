import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { audioFormats } from '../src/audio/formats.ts';

const program = fileURLToPath(new URL('fixtures/encoder-memory.mjs', import.meta.url));

it.each(audioFormats)('frees the memory of encoders, finished or not: %s', async (format) => {
  // Blocks of this size return to the system; glibc would keep smaller ones, and hide a leak or fake one.
  const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '65536' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, format], { env, timeout: 50_000 });
  expect(Number(stdout)).toBeLessThan(45e6);
});
