import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayHaveGpu, probeGpu, RESULT } from './gpu.ts';

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

  it('uses the last result, even if the program crashes afterwards', async () => {
    const found = [
      { speedup: 3, float16: false },
      { speedup: 3, float16: true },
    ];
    const writes = found.map((each) => `process.stdout.write('${RESULT}${JSON.stringify(each)}\\n');`);
    const program = entry(`${writes.join('\n')} process.kill(process.pid, 'SIGSEGV');`);
    expect(await probeGpu({ entry: program })).toEqual(found[1]);
  });

  it('passes over what a driver or its layers write', async () => {
    const writes = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;
    const result = { float16: true };
    const program = `${writes('VALIDATION: 1\n')} ${writes(`${RESULT}${JSON.stringify(result)}\n`)} ${writes('{bye\n')}`;
    expect(await probeGpu({ entry: entry(program) })).toEqual(result);
    const reason = 'its driver ended the process by code 3';
    expect(await probeGpu({ entry: entry(`${writes('no device\n')} process.exit(3)`) })).toEqual({ reason });
  });

  it('tells the program the number of threads', async () => {
    const program = entry(`process.stdout.write('${RESULT}' + JSON.stringify({ reason: process.argv[2] }))`);
    expect(await probeGpu({ threads: 7, entry: program })).toEqual({ reason: '7' });
  });

  it('survives a driver that crashes', async () => {
    const crash = "process.kill(process.pid, 'SIGSEGV')";
    expect(await probeGpu({ entry: entry(crash) })).toEqual({ reason: 'its driver ended the process by SIGSEGV' });
  });

  it('survives a driver that hangs', async () => {
    const hang = 'for (;;);';
    const reason = 'its driver does not answer within 0.5 s';
    expect(await probeGpu({ entry: entry(hang), timeoutMs: 500 })).toEqual({ reason });
  });
});

it.runIf(process.platform === 'linux')('finds the device of a GPU of any vendor', () => {
  const withDevice = (name: string) => {
    const devices = join(root, name);
    mkdirSync(join(devices, name), { recursive: true });
    return mayHaveGpu(devices);
  };
  expect(['dri', 'dxg', 'nvidia0'].map(withDevice)).toEqual([true, true, true]);
  expect(['null', 'nvidiactl'].map(withDevice)).toEqual([false, false]);
});
