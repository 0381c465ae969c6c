import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import type { CallbackSender } from './callbacks.ts';
import type { JobQueue } from './queue.ts';
import { JobWorker, type WorkerContext } from './worker.ts';

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;
/** Milliseconds that the start of the service waits for its jobs. */
const MAX_START_MS = 5000;

export interface JobsOptions {
  /** Opens the queue; called again while it fails. */
  open: () => Promise<JobQueue>;
  /** Jobs that run at the same time; 0 only accepts jobs for other replicas to run. */
  concurrency: number;
  /** Milliseconds that a finished job is kept. */
  ttlMs: number;
  /** Delivers callbacks; absent: they are refused. */
  callbacks?: CallbackSender | undefined;
  log: FastifyBaseLogger;
}

/** Background jobs of this process: the queue, once it is open, and its workers. */
export class Jobs {
  readonly ttlMs: number;
  readonly callbacks: CallbackSender | undefined;
  readonly #options: JobsOptions;
  readonly #stop = new AbortController();
  #queue: JobQueue | undefined;
  #done: Promise<unknown> = Promise.resolve();

  constructor(options: JobsOptions) {
    this.#options = options;
    this.ttlMs = options.ttlMs;
    this.callbacks = options.callbacks;
  }

  /** @throws HearsayError `jobs_unavailable` while the queue is not open */
  get queue(): JobQueue {
    if (this.#queue) return this.#queue;
    throw new HearsayError('jobs_unavailable', 'Background jobs are not available at the moment.');
  }

  /** The queue, if it is open. */
  get openQueue(): JobQueue | undefined {
    return this.#queue;
  }

  /**
   * Opens the queue and starts the workers. Resolves when the queue is open, or after a while if it is not; then it
   * keeps retrying.
   */
  async start(context: WorkerContext): Promise<void> {
    await new Promise<void>((tried) => {
      const timer = setTimeout(tried, MAX_START_MS);
      this.#done = this.#run(context, tried)
        .catch((error) => {
          if (!this.#stop.signal.aborted) this.#options.log.error({ err: error }, 'Background jobs have ended');
        })
        .finally(() => clearTimeout(timer));
    });
  }

  /** Gives running jobs back and closes the queue. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    const queue = this.#queue;
    this.#queue = undefined;
    await queue?.close();
  }

  async #run(context: WorkerContext, tried: () => void): Promise<void> {
    const { concurrency, callbacks, log } = this.#options;
    const { signal } = this.#stop;
    const queue = await this.#open(signal, tried);
    if (signal.aborted) return queue.close();
    this.#queue = queue;
    tried();
    const { queued } = queue.counts;
    if (queued > 0) log.info(`Background jobs waiting: ${queued}`);
    const workers = Array.from({ length: concurrency }, () => new JobWorker(queue, context, log).run(signal));
    await Promise.all([...workers, callbacks?.run(queue, signal)]);
  }

  /** Opens the queue, with retries: another process may still use its directory, or its server may not be up yet. */
  async #open(signal: AbortSignal, tried: () => void): Promise<JobQueue> {
    const { open, log } = this.#options;
    let lastMessage = '';
    for (let delayMs = MIN_RETRY_MS; ; delayMs = Math.min(2 * delayMs, MAX_RETRY_MS)) {
      signal.throwIfAborted();
      try {
        return await open();
      } catch (error) {
        const { message } = error as Error;
        if (message !== lastMessage) log.warn(`Background jobs are unavailable for now: ${message}`);
        lastMessage = message;
        tried();
      }
      await sleep(delayMs, undefined, { signal });
    }
  }
}
