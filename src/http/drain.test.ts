import { expect, it } from 'vitest';
import { Drain } from './drain.ts';

it('refuses new work once begun and waits for the work inside', async () => {
  const drain = new Drain();
  await drain.empty();
  const leaveFirst = drain.enter();
  const leaveSecond = drain.enter();
  drain.begin();
  expect(drain.begun).toBe(true);
  expect(() => drain.enter()).toThrow(expect.objectContaining({ code: 'draining' }));

  let empty = false;
  const waiting = drain.empty().then(() => {
    empty = true;
  });
  leaveFirst();
  await new Promise(setImmediate);
  expect(empty).toBe(false);
  leaveSecond();
  await waiting;
  await drain.empty();
});
