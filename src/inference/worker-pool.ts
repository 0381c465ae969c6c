import { Worker } from 'node:worker_threads';

export interface WorkerPoolOptions {
  /** Module that calls `serveWorker`. */
  entry: URL;
  /** Number of threads. */
  size: number;
  /** What each thread is set up with. */
  setup: unknown;
  /** A task that takes longer than this is stuck in native code, which nothing but the end of the process ends. */
  taskTimeoutMs: number;
  /** Called for a stuck task. */
  onStuck: (error: Error) => void;
}

interface Task<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (reason: unknown) => void;
}

/**
 * Threads that each run one task at a time. Owners take turns, task by task, so that somebody's long recording does not
 * keep somebody else's short one waiting; a newcomer's first turn comes before the others' next
 * (docs/decisions/0011-fair-turns.md). The threads live as long as the process: ending one during a native run would
 * abort the process.
 */
export class WorkerPool<Input, Output> {
  /** Owners with waiting tasks, the next one to be served first. */
  readonly #waiting = new Map<object, Task<Input, Output>[]>();
  /** Owners that have had a turn. */
  readonly #served = new WeakSet<object>();
  #lastWasNew = false;
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, { task: Task<Input, Output>; deadline: NodeJS.Timeout }>();
  readonly #options: WorkerPoolOptions;

  private constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts the threads; resolves when each has loaded what it needs, rejects when one of them cannot. */
  static async start<Input, Output>(options: WorkerPoolOptions): Promise<WorkerPool<Input, Output>> {
    const pool = new WorkerPool<Input, Output>(options);
    await Promise.all(Array.from({ length: options.size }, () => pool.#add()));
    return pool;
  }

  /**
   * Runs a task when it is its owner's turn.
   * @param owner whom the turns are shared among: the request
   * @param signal takes a waiting task out; a running one ends in its own time
   */
  run(owner: object, input: Input, signal?: AbortSignal): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const forget = () => this.#forget(owner, task, signal?.reason);
      const settled = () => signal?.removeEventListener('abort', forget);
      const task: Task<Input, Output> = {
        input,
        resolve: (output) => {
          settled();
          resolve(output);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      const queue = this.#waiting.get(owner);
      if (queue) queue.push(task);
      else this.#waiting.set(owner, [task]);
      signal?.addEventListener('abort', forget);
      this.#dispatch();
    });
  }

  #add(): Promise<void> {
    const worker = new Worker(this.#options.entry);
    // A message and not `workerData`, which the thread would hold on to for as long as it lives.
    worker.postMessage(this.#options.setup);
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', () => {
        // From here on an error is a defect that the process must not survive: its supervisor restarts it.
        worker.off('error', reject);
        worker.on('message', (answer: WorkerAnswer<Output>) => this.#finish(worker, answer));
        this.#idle.push(worker);
        resolve();
        this.#dispatch();
      });
    });
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const next = this.#next();
      if (!next) return;
      const [owner, queue] = next;
      const task = queue.shift()!;
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      const worker = this.#idle.pop()!;
      const { taskTimeoutMs, onStuck } = this.#options;
      const stuck = () => onStuck(new Error(`A task has not ended for ${taskTimeoutMs / 1000} s`));
      const deadline = setTimeout(stuck, taskTimeoutMs);
      this.#running.set(worker, { task, deadline });
      worker.postMessage(task.input);
    }
  }

  /** The owner whose turn it is, with its tasks: a newcomer, but not twice in a row where others wait as well. */
  #next(): [object, Task<Input, Output>[]] | undefined {
    const isNew = ([owner]: [object, unknown]) => !this.#served.has(owner);
    const waiting = [...this.#waiting];
    const next = waiting.find((entry) => isNew(entry) !== this.#lastWasNew) ?? waiting[0];
    if (!next) return undefined;
    this.#lastWasNew = isNew(next);
    this.#served.add(next[0]);
    return next;
  }

  #finish(worker: Worker, answer: WorkerAnswer<Output>): void {
    const { task, deadline } = this.#running.get(worker)!;
    clearTimeout(deadline);
    this.#running.delete(worker);
    this.#idle.push(worker);
    if ('output' in answer) task.resolve(answer.output);
    else task.reject(answer.error);
    this.#dispatch();
  }

  #forget(owner: object, task: Task<Input, Output>, reason: unknown): void {
    const queue = this.#waiting.get(owner);
    const index = queue?.indexOf(task) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(owner);
    task.reject(reason);
  }
}

export type WorkerAnswer<Output> = { output: Output } | { error: unknown };
