import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Precedence } from './precedence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the request may go on, asked without letting time pass. */
function ask(precedence: Precedence, request: object): () => Promise<boolean> {
  let isFree = false;
  void precedence.turn(request).then(() => {
    isFree = true;
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return isFree;
  };
}

it('lets everybody go on where nobody is needy, and the needy in any case', async () => {
  const precedence = new Precedence();
  const [a, b] = [{}, {}];
  expect(await ask(precedence, a)()).toBe(true);
  precedence.set(a, true);
  precedence.set(b, true);
  expect([await ask(precedence, a)(), await ask(precedence, b)()]).toEqual([true, true]);
});

it('has the others stand back until nobody is needy any more, or they are themselves', async () => {
  const precedence = new Precedence();
  const [needy, ahead, drained] = [{}, {}, {}];
  precedence.set(needy, true);
  const [aheadIsFree, drainedIsFree] = [ask(precedence, ahead), ask(precedence, drained)];
  expect([await aheadIsFree(), await drainedIsFree()]).toEqual([false, false]);
  precedence.set(drained, true);
  expect([await aheadIsFree(), await drainedIsFree()]).toEqual([false, true]);
  precedence.set(needy, false);
  expect(await aheadIsFree()).toBe(false);
  precedence.set(drained, false);
  expect(await aheadIsFree()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('has nobody stand back for ever', async () => {
  const precedence = new Precedence();
  precedence.set({}, true);
  const isFree = ask(precedence, {});
  await vi.advanceTimersByTimeAsync(999);
  expect(await isFree()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isFree()).toBe(true);
});
