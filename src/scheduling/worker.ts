import { parentPort } from 'node:worker_threads';
import { lowerPriority } from './priority.ts';
import type { FromWorker, ToWorker } from './worker-thread.ts';

/** Halves the share of computing time when voice activity, which new requests wait for, needs it too. */
const NICENESS = 3;

/**
 * The thread's end of a `WorkerThread`: runs every task as soon as it arrives.
 * @param load makes the function that runs tasks; its `signal` aborts when the result is no longer needed, and a thread
 *   that queues tasks calls `onStart` when one starts
 */
export function serveWorker<Setup, Input, Output>(
  load: (setup: Setup) => Promise<(input: Input, signal: AbortSignal, onStart: () => void) => Promise<Output>>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a WorkerThread only.');
  lowerPriority(NICENESS);
  port.once('message', async (setup: Setup) => {
    const run = await load(setup);
    const running = new Map<number, AbortController>();
    const send = (message: FromWorker<Output>) => port.postMessage(message);
    port.on('message', async (message: ToWorker<Input>) => {
      const { id } = message;
      if (!('input' in message)) {
        running.get(id)?.abort();
        return;
      }
      const controller = new AbortController();
      running.set(id, controller);
      const response: FromWorker<Output> = await run(message.input, controller.signal, () =>
        send({ id, started: true }),
      ).then(
        (output) => ({ id, output }),
        (error: unknown) => ({ id, error }),
      );
      running.delete(id);
      send(response);
    });
    port.postMessage('ready');
  });
}
