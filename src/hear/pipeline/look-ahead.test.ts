import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LookAheadGate } from './transcription.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits at the gate; the result says, without letting time pass, whether the wait is over. */
function wait(gate: LookAheadGate, request: object): () => Promise<boolean> {
  let isFree = false;
  void gate.wait(request).then(() => {
    isFree = true;
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return isFree;
  };
}

describe('LookAheadGate', () => {
  it('passes every request if none is starved, and starved ones always', async () => {
    const gate = new LookAheadGate();
    const [a, b] = [{}, {}];
    expect(await wait(gate, a)()).toBe(true);
    gate.set(a, true);
    gate.set(b, true);
    expect([await wait(gate, a)(), await wait(gate, b)()]).toEqual([true, true]);
  });

  it('holds the others until no request is starved, or until they are', async () => {
    const gate = new LookAheadGate();
    const [starved, ahead, drained] = [{}, {}, {}];
    gate.set(starved, true);
    const [aheadIsFree, drainedIsFree] = [wait(gate, ahead), wait(gate, drained)];
    expect([await aheadIsFree(), await drainedIsFree()]).toEqual([false, false]);
    gate.set(drained, true);
    expect([await aheadIsFree(), await drainedIsFree()]).toEqual([false, true]);
    gate.set(starved, false);
    expect(await aheadIsFree()).toBe(false);
    gate.set(drained, false);
    expect(await aheadIsFree()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('holds a request for a second at most', async () => {
    const gate = new LookAheadGate();
    gate.set({}, true);
    const isFree = wait(gate, {});
    await vi.advanceTimersByTimeAsync(999);
    expect(await isFree()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isFree()).toBe(true);
  });
});
