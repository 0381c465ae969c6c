import { parentPort, Worker } from 'node:worker_threads';
import { lowerPriority, THREAD_NICENESS } from './priority.ts';
import { MAX_TIMER_MS } from './timer.ts';

export interface WorkerThreadOptions {
  /** Module that calls `serveWorker`. */
  entry: URL;
  /** Passed to the `load` function of the module. */
  setup: unknown;
  /**
   * Milliseconds from the start of a task after which it counts as stuck in native code: only ending the process
   * helps.
   */
  timeoutMs: number;
  /** Whether the thread queues its tasks and reports when each starts. Default: false, tasks start when posted */
  reportsStart?: boolean;
  /** Called for a stuck task. Default: throws an uncaught error, so that the supervisor restarts the engine */
  onStuck?: ((error: Error) => void) | undefined;
}

export interface TaskOptions {
  /** Tells the thread to stop the task; the promise rejects when it has. */
  signal?: AbortSignal | undefined;
  /** Buffers to transfer to the thread instead of copying them. */
  transfer?: readonly ArrayBuffer[];
}

/** A thread that runs tasks, usually as long as the process lives. */
export class WorkerThread<Input, Output> {
  readonly #options: WorkerThreadOptions;
  readonly #worker: Worker;
  /** Handlers of the thread's messages, by task. */
  readonly #tasks = new Map<number, (message: FromWorker<Output>) => void>();
  #lastId = 0;

  private constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.entry);
  }

  /** Starts a thread; resolves when it has loaded, rejects if it cannot. */
  static start<Input, Output>(options: WorkerThreadOptions): Promise<WorkerThread<Input, Output>> {
    const thread = new WorkerThread<Input, Output>(options);
    const worker = thread.#worker;
    // Post the setup instead of passing `workerData`, which the thread would keep in memory.
    worker.postMessage(options.setup);
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', () => {
        // A later error is a bug: leave it uncaught, so that it ends the process and the supervisor restarts it.
        worker.off('error', reject);
        worker.on('message', (message: FromWorker<Output>) => thread.#tasks.get(message.id)!(message));
        resolve(thread);
      });
    });
  }

  /** Ends the thread. It must have no tasks: ending it during a native run would abort the process. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  run(input: Input, { signal, transfer = [] }: TaskOptions = {}): Promise<Output> {
    const { timeoutMs, reportsStart, onStuck = throwUncaught } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++this.#lastId;
      let deadline: NodeJS.Timeout | undefined;
      const start = () => {
        const stuck = () => onStuck(new Error(`A task is stuck: no result after ${timeoutMs / 1000} s`));
        deadline = setTimeout(stuck, Math.min(timeoutMs, MAX_TIMER_MS));
      };
      const abort = () => this.#worker.postMessage({ id, abort: true } satisfies ToWorker<Input>);
      this.#tasks.set(id, (message) => {
        if ('started' in message) return start();
        clearTimeout(deadline);
        this.#tasks.delete(id);
        signal?.removeEventListener('abort', abort);
        if (signal?.aborted) reject(signal.reason);
        else if ('output' in message) resolve(message.output);
        else reject(message.error);
      });
      signal?.addEventListener('abort', abort);
      if (!reportsStart) start();
      this.#worker.postMessage({ id, input } satisfies ToWorker<Input>, transfer);
    });
  }
}

function throwUncaught(error: Error): never {
  throw error;
}

/** To the thread: a task, or the abort of one. */
type ToWorker<Input> = { id: number; input: Input } | { id: number; abort: true };

/** From the thread: a task's start, or its result. */
type FromWorker<Output> = { id: number } & ({ started: true } | { output: Output } | { error: unknown });

/**
 * The thread's side of a `WorkerThread`: runs every task as soon as it arrives.
 * @param load makes the function that runs tasks; its `signal` aborts when the result is no longer needed, and a thread
 *   that queues tasks calls `onStart` when one starts
 */
export function serveWorker<Setup, Input, Output>(
  load: (setup: Setup) => Promise<(input: Input, signal: AbortSignal, onStart: () => void) => Promise<Output>>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a WorkerThread only.');
  lowerPriority(THREAD_NICENESS);
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
