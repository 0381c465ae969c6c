import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Admission, AdmissionGate } from './admission.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function counts(gate: AdmissionGate): [active: number, waiting: number] {
  return [gate.active, gate.waiting];
}

/** Lets promises settle without letting time pass. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('AdmissionGate', () => {
  it('admits concurrency + queueSize requests, and rejects the next at once', async () => {
    const gate = new AdmissionGate({ concurrency: 2, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second, third] = [gate.admit(), gate.admit(), gate.admit()];
    expect(counts(gate)).toEqual([0, 3]);
    expect(() => gate.admit()).toThrow(expect.objectContaining({ code: 'queue_full' }));
    await Promise.all([first.slot(), second.slot()]);
    const slot = third.slot();
    expect(counts(gate)).toEqual([2, 1]);
    first.release();
    await slot;
    expect(counts(gate)).toEqual([2, 0]);
    second.release();
    third.release();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('holds no slot for a request that still uploads', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const uploading = gate.admit();
    const other = gate.admit();
    await other.slot();
    expect(counts(gate)).toEqual([1, 1]);
    other.release();
    uploading.release();
  });

  it('rejects after queueTimeoutMs in the queue', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [inFlight, waiting, next] = [gate.admit(), gate.admit(), gate.admit()];
    await inFlight.slot();
    const late = expect(waiting.slot()).rejects.toMatchObject({ code: 'queue_timeout' });
    await vi.advanceTimersByTimeAsync(999);
    const slot = next.slot();
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    expect(counts(gate)).toEqual([1, 2]);
    inFlight.release();
    await slot;
    waiting.release();
    next.release();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('with queueTimeoutMs 0 takes a free slot, but does not wait', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 0 });
    const [first, second] = [gate.admit(), gate.admit()];
    await first.slot();
    await expect(second.slot()).rejects.toMatchObject({ code: 'queue_timeout' });
    first.release();
    await second.slot();
    second.release();
  });

  it('accepts a queueTimeoutMs beyond the limit of setTimeout', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1e12 });
    const [first, second] = [gate.admit(), gate.admit()];
    await first.slot();
    const slot = second.slot();
    await vi.advanceTimersByTimeAsync(1e6);
    first.release();
    await slot;
    second.release();
  });

  it('removes an aborted request from the queue', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [inFlight, aborted, next] = [gate.admit(), gate.admit(), gate.admit()];
    await inFlight.slot();
    const controller = new AbortController();
    const reason = new Error('hung up');
    const rejected = expect(aborted.slot(controller.signal)).rejects.toBe(reason);
    const slot = next.slot();
    controller.abort(reason);
    await rejected;
    await expect(aborted.slot(controller.signal)).rejects.toBe(reason);
    inFlight.release();
    await slot;
    aborted.release();
    next.release();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('keeps a slot that was given before the abort', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second] = [gate.admit(), gate.admit()];
    await first.slot();
    const controller = new AbortController();
    const slot = second.slot(controller.signal);
    first.release();
    controller.abort();
    await slot;
    expect(counts(gate)).toEqual([1, 0]);
    second.release();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('releases a request in any state, once', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [inFlight, waiting, idle] = [gate.admit(), gate.admit(), gate.admit()];
    await inFlight.slot();
    const rejected = expect(waiting.slot()).rejects.toMatchObject({ name: 'AbortError' });
    for (const admission of [waiting, idle, inFlight, waiting, idle, inFlight]) admission.release();
    await rejected;
    expect(counts(gate)).toEqual([0, 0]);
    await expect(waiting.slot()).rejects.toMatchObject({ name: 'AbortError' });
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('gives one slot to a request that asks twice', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second] = [gate.admit(), gate.admit()];
    await Promise.all([first.slot(), first.slot()]);
    const slots = [second.slot(), second.slot()];
    first.release();
    await Promise.all(slots);
    expect(counts(gate)).toEqual([1, 0]);
    second.release();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('keeps order and limits on schedule %i', async (seed) => {
    const random = generator(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const concurrency = 1 + pick(4);
    const queueSize = pick(6);
    const queueTimeoutMs = random() < 0.2 ? 0 : 50;
    const gate = new AdmissionGate({ concurrency, queueSize, queueTimeoutMs });

    interface Request {
      admission: Admission;
      abort: AbortController;
      state: 'idle' | 'queued' | 'inFlight' | 'ended';
    }
    const admitted: Request[] = [];
    /** Expected queue. */
    let queue: Request[] = [];

    const ask = (request: Request) => {
      request.state = 'queued';
      queue.push(request);
      request.admission.slot(request.abort.signal).then(
        () => {
          // Released after it got its slot, before this callback.
          if (request.state === 'ended') return;
          expect(queue[0]).toBe(request);
          queue.shift();
          request.state = 'inFlight';
        },
        () => {
          queue = queue.filter((other) => other !== request);
          if (request.state !== 'ended') request.state = 'idle';
        },
      );
    };
    const release = (request: Request) => {
      if (request.state === 'queued') queue = queue.filter((other) => other !== request);
      request.state = 'ended';
      admitted.splice(admitted.indexOf(request), 1);
      request.admission.release();
    };

    for (let step = 0; step < 300; step++) {
      const action = pick(10);
      const request = admitted[pick(admitted.length)];
      if (action < 3) {
        const full = admitted.length === concurrency + queueSize;
        const admit = () => admitted.push({ admission: gate.admit(), abort: new AbortController(), state: 'idle' });
        if (full) expect(admit).toThrow(expect.objectContaining({ code: 'queue_full' }));
        else admit();
      } else if (action < 6) {
        const idle = admitted.filter(({ state, abort }) => state === 'idle' && !abort.signal.aborted);
        if (idle.length > 0) ask(idle[pick(idle.length)]!);
      } else if (action < 8) {
        if (request) release(request);
      } else if (action < 9) {
        request?.abort.abort();
      } else {
        await vi.advanceTimersByTimeAsync(pick(30));
      }
      // One or several actions per turn of the event loop.
      if (random() < 0.3) continue;
      await settle();
      const inFlight = admitted.filter(({ state }) => state === 'inFlight').length;
      expect(counts(gate)).toEqual([inFlight, admitted.length - inFlight]);
      expect(inFlight).toBeLessThanOrEqual(concurrency);
      if (queue.length > 0) expect(inFlight).toBe(concurrency);
    }
    for (const request of [...admitted]) release(request);
    await settle();
    expect(counts(gate)).toEqual([0, 0]);
    const again = Array.from({ length: concurrency }, () => gate.admit());
    await Promise.all(again.map((admission) => admission.slot()));
    for (const admission of again) admission.release();
  });

  it('is quiet while no request waits for a slot', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const { signal } = new AbortController();
    await gate.quiet(signal);
    const [inFlight, next, last] = [gate.admit(), gate.admit(), gate.admit()];
    await inFlight.slot();
    await gate.quiet(signal);
    const slots = [next.slot(), last.slot().catch(() => {})];
    let isQuiet = false;
    const quiet = gate.quiet(signal).then(() => {
      isQuiet = true;
    });
    inFlight.release();
    await Promise.all([slots[0], settle()]);
    expect(isQuiet).toBe(false);
    last.release();
    await quiet;
    next.release();
    await slots[1];
  });

  it('ends the wait for quiet when its signal aborts', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [inFlight, next] = [gate.admit(), gate.admit()];
    await inFlight.slot();
    const slot = next.slot();
    const controller = new AbortController();
    const quiet = expect(gate.quiet(controller.signal)).rejects.toThrow('stopped');
    controller.abort(new Error('stopped'));
    await quiet;
    inFlight.release();
    await slot;
    next.release();
    await expect(gate.quiet(controller.signal)).rejects.toThrow('stopped');
  });
});

/** mulberry32: the same numbers, 0 to 1, for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
