import type os from 'node:os';
import { constants } from 'node:os';
import { expect, it, vi } from 'vitest';
import { lowerPriority } from './priority.ts';

// Real priorities can only be lowered, and not below that of `nice -n 19`, under which tests may run.
const niceness = vi.hoisted(() => ({ current: 0 }));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  getPriority: () => niceness.current,
  setPriority: (steps: number) => {
    niceness.current = steps;
  },
}));

it('lowers the priority by a number of steps, down to the lowest', () => {
  lowerPriority(5);
  expect(niceness.current).toBe(5);
  lowerPriority(3);
  expect(niceness.current).toBe(8);
  lowerPriority(15);
  expect(niceness.current).toBe(constants.priority.PRIORITY_LOW);
});
