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
  it('lets concurrency work and queueSize wait, and refuses the next at once', async () => {
    const gate = new AdmissionGate({ concurrency: 2, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second, third] = [gate.enter(), gate.enter(), gate.enter()];
    expect(counts(gate)).toEqual([0, 3]);
    expect(() => gate.enter()).toThrow(expect.objectContaining({ code: 'queue_full' }));
    await Promise.all([first.turn(), second.turn()]);
    const turn = third.turn();
    expect(counts(gate)).toEqual([2, 1]);
    first.leave();
    await turn;
    expect(counts(gate)).toEqual([2, 0]);
    second.leave();
    third.leave();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('holds no working slot while an upload is on the way', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const uploading = gate.enter();
    const other = gate.enter();
    await other.turn();
    expect(counts(gate)).toEqual([1, 1]);
    other.leave();
    uploading.leave();
  });

  it('gives up waiting after queueTimeoutMs', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [working, waiting, next] = [gate.enter(), gate.enter(), gate.enter()];
    await working.turn();
    const late = expect(waiting.turn()).rejects.toMatchObject({ code: 'queue_timeout' });
    await vi.advanceTimersByTimeAsync(999);
    const turn = next.turn();
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    expect(counts(gate)).toEqual([1, 2]);
    working.leave();
    await turn;
    waiting.leave();
    next.leave();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('with queueTimeoutMs 0 waits for nothing, but takes a free slot', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 0 });
    const [first, second] = [gate.enter(), gate.enter()];
    await first.turn();
    await expect(second.turn()).rejects.toMatchObject({ code: 'queue_timeout' });
    first.leave();
    await second.turn();
    second.leave();
  });

  it('waits for a very long time where it is told to', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1e12 });
    const [first, second] = [gate.enter(), gate.enter()];
    await first.turn();
    const turn = second.turn();
    await vi.advanceTimersByTimeAsync(1e6);
    first.leave();
    await turn;
    second.leave();
  });

  it('leaves the queue when it is aborted', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [working, aborted, next] = [gate.enter(), gate.enter(), gate.enter()];
    await working.turn();
    const controller = new AbortController();
    const reason = new Error('hung up');
    const rejected = expect(aborted.turn(controller.signal)).rejects.toBe(reason);
    const turn = next.turn();
    controller.abort(reason);
    await rejected;
    await expect(aborted.turn(controller.signal)).rejects.toBe(reason);
    working.leave();
    await turn;
    aborted.leave();
    next.leave();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('does not take a turn back that was given before the abort', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second] = [gate.enter(), gate.enter()];
    await first.turn();
    const controller = new AbortController();
    const turn = second.turn(controller.signal);
    first.leave();
    controller.abort();
    await turn;
    expect(counts(gate)).toEqual([1, 0]);
    second.leave();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('lets a request leave at any moment, once', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 2, queueTimeoutMs: 1000 });
    const [working, waiting, idle] = [gate.enter(), gate.enter(), gate.enter()];
    await working.turn();
    const rejected = expect(waiting.turn()).rejects.toMatchObject({ name: 'AbortError' });
    for (const admission of [waiting, idle, working, waiting, idle, working]) admission.leave();
    await rejected;
    expect(counts(gate)).toEqual([0, 0]);
    await expect(waiting.turn()).rejects.toMatchObject({ name: 'AbortError' });
    expect(counts(gate)).toEqual([0, 0]);
  });

  it('gives one slot to a request that asks for its turn twice', async () => {
    const gate = new AdmissionGate({ concurrency: 1, queueSize: 1, queueTimeoutMs: 1000 });
    const [first, second] = [gate.enter(), gate.enter()];
    await Promise.all([first.turn(), first.turn()]);
    const turns = [second.turn(), second.turn()];
    first.leave();
    await Promise.all(turns);
    expect(counts(gate)).toEqual([1, 0]);
    second.leave();
    expect(counts(gate)).toEqual([0, 0]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('keeps its promises on random schedule %i', async (seed) => {
    const random = generator(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const concurrency = 1 + pick(4);
    const queueSize = pick(6);
    const queueTimeoutMs = random() < 0.2 ? 0 : 50;
    const gate = new AdmissionGate({ concurrency, queueSize, queueTimeoutMs });

    interface Request {
      admission: Admission;
      abort: AbortController;
      state: 'idle' | 'queued' | 'working' | 'ended';
    }
    const inside: Request[] = [];
    /** Who waits, in the order of asking: the model that the gate is held against. */
    let queue: Request[] = [];

    const ask = (request: Request) => {
      request.state = 'queued';
      queue.push(request);
      request.admission.turn(request.abort.signal).then(
        () => {
          // It left between being given its turn and learning of it.
          if (request.state === 'ended') return;
          expect(queue[0]).toBe(request);
          queue.shift();
          request.state = 'working';
        },
        () => {
          queue = queue.filter((other) => other !== request);
          if (request.state !== 'ended') request.state = 'idle';
        },
      );
    };
    const leave = (request: Request) => {
      if (request.state === 'queued') queue = queue.filter((other) => other !== request);
      request.state = 'ended';
      inside.splice(inside.indexOf(request), 1);
      request.admission.leave();
    };

    for (let step = 0; step < 300; step++) {
      const action = pick(10);
      const request = inside[pick(inside.length)];
      if (action < 3) {
        const full = inside.length === concurrency + queueSize;
        const enter = () => inside.push({ admission: gate.enter(), abort: new AbortController(), state: 'idle' });
        if (full) expect(enter).toThrow(expect.objectContaining({ code: 'queue_full' }));
        else enter();
      } else if (action < 6) {
        const idle = inside.filter(({ state, abort }) => state === 'idle' && !abort.signal.aborted);
        if (idle.length > 0) ask(idle[pick(idle.length)]!);
      } else if (action < 8) {
        if (request) leave(request);
      } else if (action < 9) {
        request?.abort.abort();
      } else {
        await vi.advanceTimersByTimeAsync(pick(30));
      }
      // Several things happen between two turns of the event loop, or only one.
      if (random() < 0.3) continue;
      await settle();
      const working = inside.filter(({ state }) => state === 'working').length;
      expect(counts(gate)).toEqual([working, inside.length - working]);
      expect(working).toBeLessThanOrEqual(concurrency);
      if (queue.length > 0) expect(working).toBe(concurrency);
    }
    for (const request of [...inside]) leave(request);
    await settle();
    expect(counts(gate)).toEqual([0, 0]);
    const again = Array.from({ length: concurrency }, () => gate.enter());
    await Promise.all(again.map((admission) => admission.turn()));
    for (const admission of again) admission.leave();
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
