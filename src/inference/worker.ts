import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/**
 * The other end of a `WorkerPool`: runs the tasks given to this thread, one at a time.
 * @param load makes what runs a task out of the pool's `setup`
 */
export function serveWorker<Setup, Input, Output>(
  load: (setup: Setup) => Promise<(input: Input) => Promise<Output>>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module is run by a WorkerPool.');
  port.once('message', async (setup: Setup) => {
    const work = await load(setup);
    port.on('message', async (input: Input) => {
      const answer: WorkerAnswer<Output> = await work(input).then(
        (output) => ({ output }),
        (error: unknown) => ({ error }),
      );
      port.postMessage(answer);
    });
    port.postMessage('ready');
  });
}
