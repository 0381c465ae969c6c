import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeGpu } from './gpu.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearsay-gpu-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('probeGpu', () => {
  const entry = (program: string) => {
    const path = join(root, 'probe.mjs');
    writeFileSync(path, program);
    return pathToFileURL(path);
  };

  it('passes on what is wrong', async () => {
    expect(await probeGpu({ entry: entry("process.stdout.write('it computes wrong numbers')") })).toBe(
      'it computes wrong numbers',
    );
  });

  it('survives a driver that crashes', async () => {
    const crash = "process.kill(process.pid, 'SIGSEGV')";
    expect(await probeGpu({ entry: entry(crash) })).toBe('its driver ended the process by SIGSEGV');
  });

  it('survives a driver that hangs', async () => {
    const hang = 'for (;;);';
    expect(await probeGpu({ entry: entry(hang), timeoutMs: 500 })).toBe('its driver does not answer within 0.5 s');
  });
});
