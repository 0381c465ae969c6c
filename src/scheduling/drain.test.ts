import { expect, it } from 'vitest';
import { Drain } from './drain.ts';

it('Drain refuses new work once started and waits for the work in flight', async () => {
  const drain = new Drain();
  await drain.idle();
  const leaveFirst = drain.enter();
  const leaveSecond = drain.enter();
  drain.start();
  expect(drain.isDraining).toBe(true);
  expect(() => drain.enter()).toThrow(expect.objectContaining({ code: 'draining' }));

  let isIdle = false;
  const waiting = drain.idle().then(() => {
    isIdle = true;
  });
  leaveFirst();
  await new Promise(setImmediate);
  expect(isIdle).toBe(false);
  leaveSecond();
  await waiting;
  await drain.idle();
});

it('Drain serves on between its announcement and its start', () => {
  const drain = new Drain();
  expect([drain.isAnnounced, drain.isDraining]).toEqual([false, false]);
  drain.announce();
  expect([drain.isAnnounced, drain.isDraining]).toEqual([true, false]);
  drain.enter()();
  drain.start();
  expect(() => drain.enter()).toThrow(expect.objectContaining({ code: 'draining' }));
  const atOnce = new Drain();
  atOnce.start();
  expect(atOnce.isAnnounced).toBe(true);
});
