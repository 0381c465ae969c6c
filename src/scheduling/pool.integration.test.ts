import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WorkerPool, type WorkerPoolOptions } from './pool.ts';

interface Task {
  name: string;
  ms?: number;
  fail?: string;
}

const entry = new URL('../../test/fixtures/pool-worker.mjs', import.meta.url);
const start = (options: Partial<WorkerPoolOptions> = {}) =>
  WorkerPool.start<Task, string>({
    entry,
    size: 1,
    setup: { greeting: 'done' },
    taskTimeoutMs: 30_000,
    ...options,
  });

describe('WorkerPool', () => {
  it('runs tasks on threads set up once', async () => {
    const pool = await start({ size: 2 });
    const owner = {};
    const results = await Promise.all(['a', 'b', 'c'].map((name) => pool.run(owner, { name })));
    expect(results).toEqual(['done a', 'done b', 'done c']);
  });

  it('alternates between owners, task by task', async () => {
    const pool = await start();
    const order: string[] = [];
    const run = (owner: object, name: string) => pool.run(owner, { name, ms: 5 }).then(() => order.push(name));
    const long = {};
    const short = {};
    await Promise.all([
      ...['long-1', 'long-2', 'long-3', 'long-4'].map((name) => run(long, name)),
      ...['short-1', 'short-2'].map((name) => run(short, name)),
    ]);
    expect(order).toEqual(['long-1', 'long-2', 'short-1', 'long-3', 'short-2', 'long-4']);
  });

  it('runs a first task next, however many others wait', async () => {
    const pool = await start();
    const order: string[] = [];
    const run = (owner: object, name: string, ms = 0) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const files = Array.from({ length: 8 }, () => ({}));
    for (const [index, file] of files.entries()) await run(file, `${index}a`);
    const later = files.flatMap((file, index) => ['b', 'c'].map((window) => run(file, `${index}${window}`, 2)));
    const clip = {};
    await run(clip, 'clip');
    // Only the window that was running when the clip came.
    expect(order.slice(8)).toEqual(['0b', 'clip']);
    await Promise.all([...later, run(clip, 'clip again')]);
    expect(order.slice(10)).toEqual([
      ...['0c', '1b', '2b', '3b', '4b', '5b', '6b', '7b', 'clip again'],
      ...['1c', '2c', '3c', '4c', '5c', '6c', '7c'],
    ]);
  });

  it('runs other tasks in between many first tasks', async () => {
    const pool = await start();
    const order: string[] = [];
    const run = (owner: object, name: string) => pool.run(owner, { name }).then(() => order.push(name));
    const clips = async (count: number) => {
      for (let clip = 0; clip < count; clip++) await run({}, 'clip');
    };
    const file = {};
    // Two clips wait at any time.
    await Promise.all([clips(10), clips(10), ...['file', 'file', 'file'].map((name) => run(file, name))]);
    const turns = order.flatMap((name, turn) => (name === 'file' ? [turn] : []));
    expect(turns).toHaveLength(3);
    expect(turns[2]).toBeLessThan(9);
  });

  it('gives every owner one turn before any has a second', async () => {
    const pool = await start();
    const order: number[] = [];
    const owners = Array.from({ length: 6 }, () => ({}));
    const run = (index: number) => pool.run(owners[index]!, { name: 'piece' }).then(() => order.push(index));
    await Promise.all(owners.flatMap((_, index) => [run(index), run(index)]));
    expect(new Set(order.slice(0, 7))).toEqual(new Set(owners.keys()));
  });

  it('removes an aborted task from the queue', async () => {
    const pool = await start();
    const controller = new AbortController();
    const owner = {};
    const running = pool.run({}, { name: 'running', ms: 50 });
    const waiting = pool.run(owner, { name: 'waiting' }, controller.signal);
    const after = pool.run(owner, { name: 'after' });
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(pool.run({}, { name: 'late' }, controller.signal)).rejects.toThrow('gone');
    expect(await running).toBe('done running');
    expect(await after).toBe('done after');
  });

  it('starts what an aborted task has kept from its slot', async () => {
    const pool = await start({ slotsPerThread: 2, firstTaskSlots: 1 });
    const [ends, leaves] = [new AbortController(), new AbortController()];
    const file = {};
    const first = pool.run(file, { name: 'first', ms: 60_000 }, ends.signal);
    const clip = pool.run({}, { name: 'clip', ms: 2000 });
    const second = pool.run(file, { name: 'second' }, leaves.signal);
    ends.abort(new Error('ended'));
    await expect(first).rejects.toThrow('ended');
    // The second task of the file waits for the end of the clip, and has the next turn.
    const other = pool.run({}, { name: 'other' });
    leaves.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    expect(await Promise.race([clip, other])).toBe('done other');
    await clip;
  });

  it('fills the slots of a thread, first with owners that have none in flight', async () => {
    const pool = await start({ slotsPerThread: 3 });
    const order: string[] = [];
    const owners = { long: {}, short: {} };
    const run = (owner: 'long' | 'short', name: string, ms: number) =>
      pool.run(owners[owner], { name, ms }).then(() => order.push(name));
    const long = ['long-1', 'long-2', 'long-3', 'long-4'].map((name, index) => run('long', name, 200 + 200 * index));
    await Promise.all([run('short', 'short-1', 1), run('short', 'short-2', 1), ...long]);
    // Three long tasks fill the slots; the first free one goes to the other owner.
    expect(order).toEqual(['long-1', 'short-1', 'short-2', 'long-2', 'long-3', 'long-4']);
  });

  it('ends an aborted task on its thread', async () => {
    const pool = await start({ slotsPerThread: 2 });
    const controller = new AbortController();
    const [a, b] = [{}, {}];
    const gone = pool.run(a, { name: 'gone', ms: 1e6 }, controller.signal);
    expect(await pool.run(b, { name: 'other' })).toBe('done other');
    controller.abort(new Error('hung up'));
    await expect(gone).rejects.toThrow('hung up');
    expect(await Promise.all([pool.run(a, { name: 'next' }), pool.run(b, { name: 'too' })])).toHaveLength(2);
  });

  it("keeps a slot on each thread for an owner's first task", async () => {
    const pool = await start({ size: 2, slotsPerThread: 2, firstTaskSlots: 1 });
    const order: string[] = [];
    const run = (owner: object, name: string, ms: number) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const file = {};
    await run(file, 'first', 0);
    const long = [run(file, 'long-1', 300), run(file, 'long-2', 400), run(file, 'long-3', 0)];
    const clip = {};
    // The clip takes an extra slot; its second task waits for another, as the third of the file does.
    await Promise.all([run(clip, 'clip', 0), run(clip, 'clip again', 0), ...long]);
    expect(order).toEqual(['first', 'clip', 'long-1', 'clip again', 'long-3', 'long-2']);
  });

  it('puts a first task on the thread whose task has run longest', async () => {
    const pool = await start({ size: 2, slotsPerThread: 2, firstTaskSlots: 1 });
    const file = {};
    const where = (owner: object, ms: number) => pool.run(owner, { name: 'where', ms });
    await where(file, 0);
    const short = where(file, 50);
    const early = where(file, 1000);
    await short;
    const late = where(file, 900);
    expect(await where({}, 0)).toBe(await early);
    expect(await late).not.toBe(await early);
  });

  it('starts nothing next to a first task left alone on its thread, then others before another first task', async () => {
    const pool = await start({ slotsPerThread: 2, firstTaskSlots: 1 });
    const order: string[] = [];
    const run = (owner: object, name: string, ms: number) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const file = {};
    await run(file, 'first', 0);
    const tasks = [run(file, 'long-1', 100), run(file, 'long-2', 0), run({}, 'clip', 500)];
    await tasks[0];
    await Promise.all([...tasks, run({}, 'next clip', 200)]);
    expect(order).toEqual(['first', 'long-1', 'clip', 'long-2', 'next clip']);
  });

  it('starts no patient draft alongside another, so that a first task or an urgent draft starts at once', async () => {
    const pool = await start({ slotsPerThread: 2, firstTaskSlots: 1 });
    const order: string[] = [];
    const run = (name: string, ms: number, urgency = {}) =>
      pool.run({}, { name, ms }, undefined, urgency).then(() => order.push(name));
    const drafts = [run('guess', 300, { isDraft: true }), run('next guess', 0, { isDraft: true })];
    await Promise.all([run('clip', 0), run('urgent guess', 0, { isDraft: true, isUrgent: true }), ...drafts]);
    expect(order).toEqual(['clip', 'urgent guess', 'guess', 'next guess']);
  });

  it('starts an urgent draft at once, even if what runs has taken all other slots', async () => {
    const pool = await start({ slotsPerThread: 2, firstTaskSlots: 1, urgentSlots: 1 });
    const order: string[] = [];
    const run = (name: string, ms: number, urgency = {}) =>
      pool.run({}, { name, ms }, undefined, urgency).then(() => order.push(name));
    const clips = [run('clip', 300), run('next clip', 400), run('waiting clip', 0)];
    await Promise.all([...clips, run('urgent guess', 0, { isDraft: true, isUrgent: true })]);
    expect(order).toEqual(['urgent guess', 'clip', 'waiting clip', 'next clip']);
  });

  it('keeps working after a failed task, and removes its listeners', async () => {
    const pool = await start();
    const { signal } = new AbortController();
    await expect(pool.run({}, { name: 'x', fail: 'bad window' }, signal)).rejects.toThrow('bad window');
    for (let index = 0; index < 20; index++) await pool.run({}, { name: 'y' }, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects if a thread cannot load', async () => {
    await expect(start({ setup: { fail: true } })).rejects.toThrow('cannot load');
  });

  it('leaves no thread behind if one of several cannot load', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    shared[0] = 1;
    await expect(start({ size: 3, setup: { shared } })).rejects.toThrow('cannot load');
    expect(shared[0]).toBe(-2);
    const before = shared[1];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(shared[1]).toBe(before);
  });

  it('reports a stuck task', async () => {
    const stuck: Error[] = [];
    const pool = await start({ taskTimeoutMs: 20, onStuck: (error) => stuck.push(error) });
    await pool.run({}, { name: 'slow', ms: 200 });
    expect(stuck).toHaveLength(1);
  });
});
