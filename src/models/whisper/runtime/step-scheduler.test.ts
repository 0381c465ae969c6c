import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ScheduledWindow, type SlotLimits, StepScheduler } from './step-scheduler.ts';

// Turns go by the time that steps take: on the real clock, a pause of the process would change their order.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A scheduler over a model that logs its runs, of a millisecond each; `alone` steps cannot share one. */
function setUp({ maxBatch = 8, limits }: { maxBatch?: number; limits?: SlotLimits } = {}) {
  const log: string[] = [];
  const scheduler = new StepScheduler<string, string>({
    limits,
    maxBatch,
    batchKey: (request) => (request.startsWith('alone') ? undefined : /^\d*/.exec(request)![0]),
    run: async (requests) => {
      vi.advanceTimersByTime(1);
      log.push(requests.join(' '));
      const broken = requests.find((request) => request.includes('broken'));
      if (broken) throw new Error(broken);
      return requests.map((request) => `did ${request}`);
    },
  });
  const encode = (window: ScheduledWindow, name: string) =>
    scheduler.encode(window, async () => {
      log.push(`encode ${name}`);
      return name;
    });
  const takeSteps = async (window: ScheduledWindow, name: string, count: number) => {
    for (let step = 1; step <= count; step++) await scheduler.step(window, name);
  };
  /** Encodes, and takes some steps. */
  const run = async (window: ScheduledWindow, name: string, steps: number) => {
    await encode(window, name);
    await takeSteps(window, name, steps);
    log.push(`end ${name}`);
    scheduler.end(window);
  };
  return { scheduler, log, encode, takeSteps, run };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('StepScheduler', () => {
  it('encodes first, then batches the steps of all windows', async () => {
    const { log, run } = setUp();
    await Promise.all(['a', 'b', 'c'].map((name) => run({ owner: name }, name, name === 'c' ? 1 : 2)));
    expect(log).toEqual(['encode a', 'encode b', 'encode c', 'a b c', 'end c', 'a b', 'end a', 'end b']);
  });

  it('starts a background window only while no other window is in decoding', async () => {
    const { log, run } = setUp({ limits: { slots: 3, slotsPerOwner: 2 } });
    await Promise.all([
      run({ owner: 'b', isNew: true, isBackground: true }, 'background', 1),
      run({ owner: 'a' }, 'a', 2),
    ]);
    expect(log).toEqual(['encode a', 'a', 'a', 'end a', 'encode background', 'background', 'end background']);
  });

  it('does not hold back a background window that has its slot', async () => {
    const { scheduler, log, encode, takeSteps } = setUp({ limits: { slots: 3, slotsPerOwner: 2 } });
    const background: ScheduledWindow = { owner: 'b', isBackground: true };
    await encode(background, 'background');
    const other = encode({ owner: 'a' }, 'a').then(() => takeSteps({ owner: 'a' }, 'a', 3));
    await encode(background, 'background again');
    scheduler.end(background);
    await other;
    expect(log.indexOf('encode background again')).toBeLessThan(log.lastIndexOf('a'));
  });

  it('holds guesses at live speech back while a final text is decoded', async () => {
    const { log, encode, takeSteps, run } = setUp();
    const guess: ScheduledWindow = { owner: 'g', isLive: true, isDraft: true };
    await encode(guess, 'guess');
    await Promise.all([
      takeSteps(guess, 'alone guess', 2),
      run({ owner: 'f', isLive: true }, 'alone final', 3),
      run({ owner: 'u', isLive: true, isDraft: true, isUrgent: true }, 'alone urgent', 1),
    ]);
    const end = log.indexOf('end alone final');
    expect(log.slice(1, end)).toEqual(['encode alone final', ...new Array(3).fill('alone final')]);
    expect(log.slice(end)).toContain('end alone urgent');
    expect(log.slice(end).filter((entry) => entry === 'alone guess')).toHaveLength(2);
  });

  it('lets guesses share the model with recordings', async () => {
    const { log, run } = setUp();
    await Promise.all([
      run({ owner: 'r' }, 'alone recording', 3),
      run({ owner: 'g', isLive: true, isDraft: true }, 'alone guess', 2),
    ]);
    expect(log.indexOf('end alone guess')).toBeLessThan(log.indexOf('end alone recording'));
  });

  it('encodes first all windows of a single owner too', async () => {
    const { log, run } = setUp();
    await Promise.all(['x', 'y', 'z'].map((name) => run({ owner: 'a' }, name, 1)));
    expect(log.slice(0, 4)).toEqual(['encode x', 'encode y', 'encode z', 'x y z']);
  });

  it('returns each step its own result, and runs unbatchable steps alone', async () => {
    const { scheduler, log } = setUp({ maxBatch: 2 });
    const step = (name: string) => scheduler.step({ owner: name }, name);
    const results = await Promise.all(['x', 'alone 1', 'y', 'z', 'alone 2'].map(step));
    expect(results).toEqual(['did x', 'did alone 1', 'did y', 'did z', 'did alone 2']);
    expect(log).toEqual(['x y', 'alone 1', 'z', 'alone 2']);
  });

  it('reports to each window how many share a run', async () => {
    const { scheduler } = setUp({ maxBatch: 2 });
    const sizes: Record<string, number[]> = { x: [], y: [], z: [] };
    const step = (name: string) => scheduler.step({ owner: name, onStep: (size) => sizes[name]!.push(size) }, name);
    await Promise.all(['x', 'y', 'z'].map(step));
    expect(sizes).toEqual({ x: [2], y: [2], z: [1] });
  });

  it('batches steps with the same key only, the longest waiting first', async () => {
    const { scheduler, log } = setUp();
    const step = (name: string) => scheduler.step({ owner: 'a' }, name);
    await Promise.all(['250 a', '500 b', '250 c', 'alone', '500 d'].map(step));
    expect(log).toEqual(['250 a 250 c', '500 b 500 d', 'alone']);
  });

  it('delays a window in decoding once by each other owner, however many windows that has', async () => {
    const { log, run } = setUp();
    const long = Promise.all(Array.from({ length: 6 }, (_, index) => run({ owner: 'long' }, `long-${index}`, 3)));
    await nextTurn();
    await Promise.all([long, run({ owner: 'short' }, 'short', 4)]);
    const of = (name: string) =>
      log.slice(log.indexOf('encode short'), log.indexOf('end short')).filter((line) => line.startsWith(name));
    expect(log.indexOf('encode short')).toBeLessThan(3);
    expect(of('encode long').length).toBeLessThan(2);
  });

  it('encodes first windows first, but never two in a row', async () => {
    const { log, encode } = setUp();
    const encodeFirst = (name: string) => encode({ owner: name, isNew: true }, name);
    await Promise.all([encode({ owner: 'a' }, 'a'), encode({ owner: 'b' }, 'b'), ...['c', 'd'].map(encodeFirst)]);
    expect(log).toEqual(['encode c', 'encode a', 'encode d', 'encode b']);
  });

  it("decodes a first window before others' encodings, each of which yields once", async () => {
    const { log, run } = setUp();
    const runFirst = (name: string, steps: number) => run({ owner: name, isNew: true }, name, steps);
    const clip = runFirst('clip', 3);
    while (!log.includes('clip')) await nextTurn();
    const others = [run({ owner: 'a' }, 'a', 1), run({ owner: 'b' }, 'b', 1)];
    await nextTurn();
    const next = runFirst('next', 6);
    await Promise.all([clip, next, ...others]);
    const at = (line: string) => log.indexOf(line);
    // `next` is encoded meanwhile; the encodings that yielded to `clip` do not yield to it.
    expect([at('encode next'), at('end clip')].sort()).toEqual([at('encode next'), at('end clip')]);
    for (const name of ['a', 'b']) {
      expect(at(`encode ${name}`)).toBeGreaterThan(at('end clip'));
      expect(at(`encode ${name}`)).toBeLessThan(at('end next'));
    }
  });

  it('runs one step of each owner at a time while there are several', async () => {
    const { log, takeSteps } = setUp();
    await Promise.all(['a1', 'a2', 'b'].map((name) => takeSteps({ owner: name[0] }, name, 2)));
    expect(log).toEqual(['a1 b', 'a2 b', 'a1 a2']);
  });

  it('alternates with owners whose steps run alone', async () => {
    const { log, takeSteps } = setUp();
    const [a, b] = [{ owner: 'a' }, { owner: 'b' }];
    await Promise.all([takeSteps(a, 'alone a1', 2), takeSteps(a, 'alone a2', 2), takeSteps(b, 'b', 2)]);
    expect(log).toEqual(['alone a1', 'b', 'alone a2', 'b', 'alone a1', 'alone a2']);
  });

  it('keeps serving after a step that fails or is aborted', async () => {
    const { scheduler, log, encode } = setUp();
    await expect(scheduler.step({ owner: 1 }, 'broken')).rejects.toThrow('broken');
    const controller = new AbortController();
    const gone = { owner: 1, signal: controller.signal };
    const results = [scheduler.step(gone, 'gone'), encode(gone, 'gone'), scheduler.step({ owner: 2 }, 'other')];
    controller.abort(new Error('hung up'));
    await expect(results[0]).rejects.toThrow('hung up');
    await expect(results[1]).rejects.toThrow('hung up');
    expect(await results[2]).toBe('did other');
    await expect(scheduler.step(gone, 'late')).rejects.toThrow('hung up');
    expect(log).toEqual(['broken', 'other']);
    const waiting = new AbortController();
    await scheduler.step({ owner: 3, signal: waiting.signal }, 'last');
    expect(getEventListeners(waiting.signal, 'abort')).toEqual([]);
  });

  it('rejects at once when aborted during a run', async () => {
    const { scheduler } = setUp();
    const controller = new AbortController();
    let end = () => {};
    const running = scheduler.encode(
      { owner: 1, signal: controller.signal },
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort(new Error('hung up'));
    await expect(running).rejects.toThrow('hung up');
    const next = scheduler.step({ owner: 2 }, 'next');
    end();
    expect(await next).toBe('did next');
  });

  it('gives an owner several slots only while it is alone', async () => {
    const { scheduler, log, encode } = setUp({ limits: { slots: 4, slotsPerOwner: 2 } });
    const long = [1, 2, 3].map(() => ({ owner: 'long' }));
    const short = { owner: 'short' };
    const encodings = long.map((window, index) => encode(window, `long-${index}`));
    await Promise.all(encodings.slice(0, 2));
    const encoded = encode(short, 'short');
    await encoded;
    scheduler.end(long[0]!);
    await nextTurn();
    await nextTurn();
    // The third does not take the slot of the first, but starts when the other owner has left.
    expect(log).toEqual(['encode long-0', 'encode long-1', 'encode short']);
    scheduler.end(short);
    await Promise.all(encodings);
    expect(log.at(-1)).toBe('encode long-2');
  });

  it("keeps a slot for an owner's first window", async () => {
    const { scheduler, log, encode } = setUp({ limits: { slots: 3, slotsPerOwner: 2 } });
    const windows = ['a', 'b', 'c'].map((owner) => ({ owner }));
    const encodings = windows.map((window) => encode(window, window.owner));
    await Promise.all(encodings.slice(0, 2));
    const clips = ['clip', 'next clip'].map((owner) => ({ owner, isNew: true }));
    const clipEncodings = clips.map((clip) => encode(clip, clip.owner));
    await clipEncodings[0];
    await nextTurn();
    expect(log).toEqual(['encode a', 'encode b', 'encode clip']);
    scheduler.end(clips[0]!);
    await clipEncodings[1];
    scheduler.end(windows[0]!);
    scheduler.end(windows[1]!);
    await Promise.all(encodings);
    expect(log.slice(3)).toEqual(['encode next clip', 'encode c']);
  });

  it('encodes a second piece of a window before other windows of its owner, in the same slot', async () => {
    const started: string[] = [];
    const { scheduler, log, encode } = setUp({ limits: { slots: 2, slotsPerOwner: 1 } });
    const [first, second] = ['first', 'second'].map((name) => ({ owner: 'a', onStart: () => started.push(name) }));
    await encode(first!, 'first');
    const encodings = [encode(second!, 'second'), encode(first!, 'first again')];
    await encodings[1];
    expect(log).toEqual(['encode first', 'encode first again']);
    scheduler.end(first!);
    await encodings[0];
    expect(started).toEqual(['first', 'second']);
  });

  it('frees the place of an aborted window in the queue', async () => {
    const { scheduler, encode } = setUp({ limits: { slots: 2, slotsPerOwner: 1 } });
    const a = { owner: 'a' };
    await encode(a, 'a');
    const controller = new AbortController();
    const aborted = encode({ owner: 'b', signal: controller.signal }, 'b');
    const waiting = encode({ owner: 'c' }, 'c');
    controller.abort(new Error('hung up'));
    await expect(aborted).rejects.toThrow('hung up');
    scheduler.end(a);
    expect(await waiting).toBe('c');
  });
});
