import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/** The other end of a `WorkerPool`: runs `work` on each task, one at a time. Call it when everything is loaded. */
export function serveWorker<Input, Output>(work: (input: Input) => Promise<Output>): void {
  const port = parentPort;
  if (!port) throw new Error('This module is run by a WorkerPool.');
  port.on('message', async (input: Input) => {
    const answer: WorkerAnswer<Output> = await work(input).then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    port.postMessage(answer);
  });
  port.postMessage('ready');
}
