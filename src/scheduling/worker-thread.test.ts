import { describe, expect, it } from 'vitest';
import { WorkerThread } from './worker-thread.ts';

interface Task {
  name: string;
  /** Milliseconds until the thread reports the start. */
  queuedMs?: number;
  ms?: number;
  bytes?: Uint8Array<ArrayBuffer>;
}

const entry = new URL('../../test/fixtures/pool-worker.mjs', import.meta.url);

async function start(timeoutMs: number) {
  const stuck: Error[] = [];
  const thread = await WorkerThread.start<Task, string>({
    entry,
    setup: { greeting: 'done' },
    timeoutMs,
    reportsStart: true,
    onStuck: (error) => stuck.push(error),
  });
  return { thread, stuck };
}

describe('WorkerThread', () => {
  it('takes a task for stuck only from its reported start on', async () => {
    const { thread, stuck } = await start(150);
    expect(await thread.run({ name: 'queued', queuedMs: 400 })).toBe('done queued');
    expect(stuck).toEqual([]);
    await thread.run({ name: 'slow', queuedMs: 0, ms: 400 });
    expect(stuck.map(({ message }) => message)).toEqual(['A task is stuck: no result after 0.15 s']);
  });

  it('took tasks for stuck at once if the time was longer than a timer can be', async () => {
    const { thread, stuck } = await start(2 ** 31);
    await thread.run({ name: 'slow', queuedMs: 0, ms: 100 });
    expect(stuck).toEqual([]);
  });

  it('rejects an aborted task when the thread has ended it', async () => {
    const { thread } = await start(30_000);
    const controller = new AbortController();
    const { signal } = controller;
    const running = thread.run({ name: 'running', ms: 1e6 }, { signal });
    await thread.run({ name: 'other' });
    controller.abort(new Error('hung up'));
    await expect(running).rejects.toThrow('hung up');
    await expect(thread.run({ name: 'late' }, { signal })).rejects.toThrow('hung up');
  });

  it('moves the buffers of a task to the thread', async () => {
    const { thread } = await start(30_000);
    const bytes = new Uint8Array(10);
    const result = thread.run({ name: 'moved', bytes }, { transfer: [bytes.buffer] });
    expect(bytes).toHaveLength(0);
    expect(await result).toBe('done moved');
  });
});
