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
  it('runs tasks on threads that are set up once', async () => {
    const pool = await start({ size: 2 });
    const owner = {};
    const results = await Promise.all(['a', 'b', 'c'].map((name) => pool.run(owner, { name })));
    expect(results).toEqual(['done a', 'done b', 'done c']);
  });

  it('lets owners take turns, task by task', async () => {
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

  it('serves a newcomer next, however many wait', async () => {
    const pool = await start();
    const order: string[] = [];
    const run = (owner: object, name: string, ms = 0) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const files = Array.from({ length: 8 }, () => ({}));
    for (const [index, file] of files.entries()) await run(file, `${index}a`);
    const later = files.flatMap((file, index) => ['b', 'c'].map((window) => run(file, `${index}${window}`, 2)));
    const clip = {};
    await run(clip, 'clip');
    // The window that ran when the clip came, and no other.
    expect(order.slice(8)).toEqual(['0b', 'clip']);
    await Promise.all([...later, run(clip, 'clip again')]);
    expect(order.slice(10)).toEqual([
      ...['0c', '1b', '2b', '3b', '4b', '5b', '6b', '7b', 'clip again'],
      ...['1c', '2c', '3c', '4c', '5c', '6c', '7c'],
    ]);
  });

  it('does not let newcomers keep the others waiting', async () => {
    const pool = await start();
    const order: string[] = [];
    const run = (owner: object, name: string) => pool.run(owner, { name }).then(() => order.push(name));
    const clips = async (count: number) => {
      for (let clip = 0; clip < count; clip++) await run({}, 'clip');
    };
    const file = {};
    // Two of them wait at any time.
    await Promise.all([clips(10), clips(10), ...['file', 'file', 'file'].map((name) => run(file, name))]);
    const turns = order.flatMap((name, turn) => (name === 'file' ? [turn] : []));
    expect(turns).toHaveLength(3);
    expect(turns[2]).toBeLessThan(9);
  });

  it('lets all who come at once have a turn before one has another', async () => {
    const pool = await start();
    const order: number[] = [];
    const owners = Array.from({ length: 6 }, () => ({}));
    const run = (index: number) => pool.run(owners[index]!, { name: 'piece' }).then(() => order.push(index));
    await Promise.all(owners.flatMap((_, index) => [run(index), run(index)]));
    expect(new Set(order.slice(0, 7))).toEqual(new Set(owners.keys()));
  });

  it('takes an aborted task out of the queue, and goes on', async () => {
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

  it('gives a thread several tasks, and everybody one before somebody gets another', async () => {
    const pool = await start({ tasksPerThread: 3 });
    const order: string[] = [];
    const owners = { long: {}, short: {} };
    const run = (owner: 'long' | 'short', name: string, ms: number) =>
      pool.run(owners[owner], { name, ms }).then(() => order.push(name));
    const long = ['long-1', 'long-2', 'long-3', 'long-4'].map((name, index) => run('long', name, 200 + 200 * index));
    await Promise.all([run('short', 'short-1', 1), run('short', 'short-2', 1), ...long]);
    // Three of the long ones were under way; the first place that is free goes to who has none.
    expect(order).toEqual(['long-1', 'short-1', 'short-2', 'long-2', 'long-3', 'long-4']);
  });

  it('gives an owner several places only while there is no other, where it is told so', async () => {
    const pool = await start({ tasksPerThread: 4, tasksPerOwner: 2 });
    const order: string[] = [];
    const owners = { long: {}, short: {} };
    const run = (owner: 'long' | 'short', name: string, ms: number) =>
      pool.run(owners[owner], { name, ms }).then(() => order.push(name));
    const long = [run('long', 'long-1', 300), run('long', 'long-2', 600), run('long', 'long-3', 100)];
    await new Promise((resolve) => setTimeout(resolve, 50));
    const short = run('short', 'short', 400);
    await Promise.all([...long, short]);
    // The third does not begin when the first is done, but when the other owner is.
    expect(order).toEqual(['long-1', 'short', 'long-3', 'long-2']);
  });

  it('tells the thread of a task that nobody waits for', async () => {
    const pool = await start({ tasksPerThread: 2 });
    const controller = new AbortController();
    const [a, b] = [{}, {}];
    const gone = pool.run(a, { name: 'gone', ms: 1e6 }, controller.signal);
    expect(await pool.run(b, { name: 'other' })).toBe('done other');
    controller.abort(new Error('hung up'));
    await expect(gone).rejects.toThrow('hung up');
    expect(await Promise.all([pool.run(a, { name: 'next' }), pool.run(b, { name: 'too' })])).toHaveLength(2);
  });

  it("keeps a place on each thread for a newcomer's first task", async () => {
    const pool = await start({ size: 2, tasksPerThread: 2, newcomersPerThread: 1 });
    const order: string[] = [];
    const run = (owner: object, name: string, ms: number) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const file = {};
    await run(file, 'first', 0);
    const long = [run(file, 'long-1', 300), run(file, 'long-2', 400), run(file, 'long-3', 0)];
    const clip = {};
    // Beside the two that run; its second task is no newcomer's and waits for one of them, as the third of the file does.
    await Promise.all([run(clip, 'clip', 0), run(clip, 'clip again', 0), ...long]);
    expect(order).toEqual(['first', 'clip', 'long-1', 'clip again', 'long-3', 'long-2']);
  });

  it('gives a newcomer to the thread whose task has gone on for the longest', async () => {
    const pool = await start({ size: 2, tasksPerThread: 2, newcomersPerThread: 1 });
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

  it("begins nothing else before a newcomer's task is done, and then another's first", async () => {
    const pool = await start({ tasksPerThread: 2, newcomersPerThread: 1 });
    const order: string[] = [];
    const run = (owner: object, name: string, ms: number) => pool.run(owner, { name, ms }).then(() => order.push(name));
    const file = {};
    await run(file, 'first', 0);
    const tasks = [run(file, 'long-1', 100), run(file, 'long-2', 0), run({}, 'clip', 500)];
    await tasks[0];
    await Promise.all([...tasks, run({}, 'next clip', 200)]);
    expect(order).toEqual(['first', 'long-1', 'clip', 'long-2', 'next clip']);
  });

  it('keeps working after a task that fails, and leaves no listener behind', async () => {
    const pool = await start();
    const { signal } = new AbortController();
    await expect(pool.run({}, { name: 'x', fail: 'bad window' }, signal)).rejects.toThrow('bad window');
    for (let index = 0; index < 20; index++) await pool.run({}, { name: 'y' }, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('says when a thread cannot be set up', async () => {
    await expect(start({ setup: { fail: true } })).rejects.toThrow('cannot load');
  });

  it('says when a task is stuck', async () => {
    const stuck: Error[] = [];
    const pool = await start({ taskTimeoutMs: 20, onStuck: (error) => stuck.push(error) });
    await pool.run({}, { name: 'slow', ms: 200 });
    expect(stuck).toHaveLength(1);
  });
});
