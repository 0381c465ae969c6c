import { expect, it } from 'vitest';
import { subtractsInEquation } from './equations.ts';

/** Milliseconds of CPU for many calls, the least of several tries. */
function cost(after: string): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let call = 0; call < 3000; call++) subtractsInEquation('x', after);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times));
}

it('takes no longer for unknowns than for numbers', () => {
  expect(cost('x - '.repeat(20))).toBeLessThan(5 * cost('1 - '.repeat(20)));
});

it.each([
  ['x', 'y = 3', true],
  ['x', 'y + ab = 3', true],
  ['x ', ' Y = 3', true],
  ['2x', '3Y + z = 7', true],
  ['F', '16 = 3', false],
  ['x', 'abc = 3', false],
])('%s-%s is a minus: %s', (before, after, isMinus) => {
  expect(subtractsInEquation(before, after)).toBe(isMinus);
});
