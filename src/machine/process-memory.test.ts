import { expect, it } from 'vitest';
import { processMemory } from './process-memory.ts';

it('knows the memory of a process', () => {
  const { resident, anonymous } = processMemory(process.pid);
  expect(resident).toBeGreaterThan(20e6);
  expect(anonymous).toBeGreaterThan(10e6);
  expect(anonymous).toBeLessThanOrEqual(resident);
});

it('is 0 for a process that has ended', () => {
  for (const pid of [undefined, 2 ** 30]) expect(processMemory(pid)).toEqual({ resident: 0, anonymous: 0 });
});
