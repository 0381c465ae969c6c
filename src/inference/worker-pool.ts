import { Worker } from 'node:worker_threads';

export interface WorkerPoolOptions {
  /** Module that calls `serveWorker`. */
  entry: URL;
  /** Number of threads. */
  size: number;
  /** Tasks that a thread has under way at once. Default: 1 */
  tasksPerThread?: number;
  /**
   * Tasks that an owner has under way at once while there is no other; with others it has one, as they have. Default: as
   * many as there is room for, at any time
   */
  tasksPerOwner?: number;
  /** What each thread is set up with. */
  setup: unknown;
  /**
   * A task that takes longer than this, were it alone, is stuck in native code, which nothing but the end of the process
   * ends.
   */
  taskTimeoutMs: number;
  /** Called for a stuck task. */
  onStuck: (error: Error) => void;
}

interface Task<Input, Output> {
  owner: unknown;
  input: Input;
  signal: AbortSignal | undefined;
  resolve: (output: Output) => void;
  reject: (reason: unknown) => void;
}

interface Running<Input, Output> {
  task: Task<Input, Output>;
  worker: Worker;
  deadline: NodeJS.Timeout;
}

/**
 * Threads that run tasks, each one at a time where nothing else is said. Owners take turns, task by task, so that
 * somebody's long recording does not keep somebody else's short one waiting. The threads live as long as the process:
 * ending one during a native run would abort the process.
 */
export class WorkerPool<Input, Output> {
  /** Owners with waiting tasks, the next one to be served first. */
  readonly #waiting = new Map<unknown, Task<Input, Output>[]>();
  /** A thread for each task more that it can take. */
  readonly #free: Worker[] = [];
  readonly #running = new Map<number, Running<Input, Output>>();
  readonly #options: WorkerPoolOptions;
  #lastId = 0;

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
   * @param signal takes a waiting task out, and tells the thread of a running one, which ends it when it can
   */
  run(owner: unknown, input: Input, signal?: AbortSignal): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const forget = () => this.#forget(task);
      const settled = () => signal?.removeEventListener('abort', forget);
      const task: Task<Input, Output> = {
        owner,
        input,
        signal,
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
        worker.on('message', (answer: WorkerAnswer<Output>) => this.#finish(answer));
        for (let task = 0; task < this.#tasksPerThread; task++) this.#free.push(worker);
        resolve();
        this.#dispatch();
      });
    });
  }

  get #tasksPerThread(): number {
    return this.#options.tasksPerThread ?? 1;
  }

  #dispatch(): void {
    const { taskTimeoutMs, onStuck } = this.#options;
    while (this.#free.length > 0) {
      const task = this.#next();
      if (!task) return;
      const worker = this.#free.pop()!;
      const stuck = () => onStuck(new Error(`A task has not ended for ${taskTimeoutMs / 1000} s`));
      const deadline = setTimeout(stuck, taskTimeoutMs * this.#tasksPerThread);
      const id = ++this.#lastId;
      this.#running.set(id, { task, worker, deadline });
      worker.postMessage({ id, input: task.input } satisfies ToWorker<Input>);
    }
  }

  /** Takes out a task of the owner that has the fewest under way, of several the one whose turn it is. */
  #next(): Task<Input, Output> | undefined {
    const owners = [...this.#running.values()].map(({ task }) => task.owner);
    let next: unknown;
    let fewest = this.#mostOfOne(new Set([...owners, ...this.#waiting.keys()]).size);
    for (const owner of this.#waiting.keys()) {
      const count = owners.filter((other) => other === owner).length;
      if (count < fewest) [next, fewest] = [owner, count];
    }
    const queue = this.#waiting.get(next);
    const task = queue?.shift();
    this.#waiting.delete(next);
    if (queue && queue.length > 0) this.#waiting.set(next, queue);
    return task;
  }

  #mostOfOne(owners: number): number {
    const { tasksPerOwner } = this.#options;
    if (tasksPerOwner === undefined) return Number.POSITIVE_INFINITY;
    return owners > 1 ? 1 : tasksPerOwner;
  }

  #finish(answer: WorkerAnswer<Output>): void {
    const { task, worker, deadline } = this.#running.get(answer.id)!;
    clearTimeout(deadline);
    this.#running.delete(answer.id);
    this.#free.push(worker);
    if (task.signal?.aborted) task.reject(task.signal.reason);
    else if ('output' in answer) task.resolve(answer.output);
    else task.reject(answer.error);
    this.#dispatch();
  }

  #forget(task: Task<Input, Output>): void {
    for (const [id, running] of this.#running) {
      if (running.task === task) running.worker.postMessage({ id, abort: true } satisfies ToWorker<Input>);
    }
    const queue = this.#waiting.get(task.owner);
    const index = queue?.indexOf(task) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(task.owner);
    task.reject(task.signal?.reason);
  }
}

/** A task, or that it is of no more use. */
export type ToWorker<Input> = { id: number; input: Input } | { id: number; abort: true };

export type WorkerAnswer<Output> = { id: number } & ({ output: Output } | { error: unknown });
