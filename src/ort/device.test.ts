import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cpu, hasInt8DotProduct, resolveComputeType } from './device.ts';

afterEach(() => vi.unstubAllEnvs());

describe('cpu', () => {
  it('takes an override of int8DotProduct', () => {
    for (const int8DotProduct of [true, false]) expect(cpu({ int8DotProduct })).toMatchObject({ int8DotProduct });
  });

  it('has no int8DotProduct with INT8_DOT_PRODUCT=false', () => {
    vi.stubEnv('INT8_DOT_PRODUCT', 'false');
    expect(hasInt8DotProduct()).toBe(false);
    expect(cpu()).toMatchObject({ int8DotProduct: false });
  });

  it('is fast with bytes on a CPU with AVX2, even without the dot product', () => {
    const hasAvx2 = process.arch === 'x64' && /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
    expect(cpu({ int8DotProduct: false }).fastInt8).toBe(hasAvx2);
    expect(cpu({ int8DotProduct: true }).fastInt8).toBe(true);
  });
});

it('resolveComputeType replaces auto alone', () => {
  expect(resolveComputeType('auto', 'int8')).toBe('int8');
  expect(resolveComputeType('float32', 'int8')).toBe('float32');
});
