import { describe, expect, it } from 'vitest';
import { exportFunctions } from './exported-functions.ts';
import { webAssembly } from './webassembly.ts';

/** A section: its id, its size, its body. */
const section = (id: number, ...body: number[]) => [id, body.length, ...body];
const text = (name: string) => [name.length, ...Buffer.from(name)];

/** A module of two functions, `seven` and `nine`, of which the first is exported. */
const binary = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 0, 1, 0x7f),
  ...section(3, 2, 0, 0),
  ...section(7, 1, ...text('seven'), 0, 0),
  ...section(10, 2, 4, 0, 0x41, 7, 0x0b, 4, 0, 0x41, 9, 0x0b),
  ...section(0, ...text('debug'), 1, 2, 3),
  // The module's name, then those of its functions.
  ...section(
    0,
    ...text('name'),
    ...section(0, ...text('m')),
    ...section(1, 2, 0, ...text('seven'), 1, ...text('nine')),
  ),
]);

describe('exportFunctions', () => {
  it('adds inner functions to the exports and keeps the existing ones', async () => {
    const enlarged = exportFunctions(binary, ['nine']);
    const { exports } = new webAssembly.Instance(await webAssembly.compile(enlarged), {});
    const functions = exports as Record<string, () => number>;
    expect([functions.seven!(), functions.nine!()]).toEqual([7, 9]);
    expect(Buffer.from(enlarged).includes('debug')).toBe(false);
  });

  it('names a missing function', () => {
    expect(() => exportFunctions(binary, ['nine', 'ten'])).toThrow('ten');
  });

  it('rejects a truncated binary', () => {
    expect(() => exportFunctions(binary.subarray(0, 30), ['nine'])).toThrow('truncated');
  });
});
