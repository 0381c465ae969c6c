import { parentPort } from 'node:worker_threads';
import type { ToWorker, WorkerAnswer } from './pool.ts';
import { standBack } from './priority.ts';

/** Below the thread that cuts recordings into windows: half of the computing time, where both want it. */
const NICENESS = 3;

/**
 * The other end of a `WorkerPool`: runs the tasks given to this thread, as many at a time as the pool gives it.
 * @param load makes what runs a task out of the pool's `setup`; a task's signal aborts when nobody waits for it any more
 */
export function serveWorker<Setup, Input, Output>(
  load: (setup: Setup) => Promise<(input: Input, signal: AbortSignal) => Promise<Output>>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module is run by a WorkerPool.');
  // A newcomer has no window yet, and this thread has those of others.
  standBack(NICENESS);
  port.once('message', async (setup: Setup) => {
    const work = await load(setup);
    const running = new Map<number, AbortController>();
    port.on('message', async (message: ToWorker<Input>) => {
      const { id } = message;
      if (!('input' in message)) {
        running.get(id)?.abort();
        return;
      }
      const controller = new AbortController();
      running.set(id, controller);
      const answer: WorkerAnswer<Output> = await work(message.input, controller.signal).then(
        (output) => ({ id, output }),
        (error: unknown) => ({ id, error }),
      );
      running.delete(id);
      port.postMessage(answer);
    });
    port.postMessage('ready');
  });
}
