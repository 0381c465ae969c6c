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
  /** Of the tasks per thread, those that only a newcomer's first may be. Default: 0 */
  newcomersPerThread?: number;
  /** What each thread is set up with. */
  setup: unknown;
  /**
   * Milliseconds. A task that takes longer than this, were it alone, is stuck in native code, which nothing but the end of
   * the process ends.
   */
  taskTimeoutMs: number;
  /** Called for a stuck task. Default: throws, uncaught on purpose: the engine ends, and its supervisor starts another */
  onStuck?: (error: Error) => void;
}

interface Task<Input, Output> {
  owner: object;
  input: Input;
  signal: AbortSignal | undefined;
  resolve: (output: Output) => void;
  reject: (reason: unknown) => void;
}

interface Running<Input, Output> {
  task: Task<Input, Output>;
  /** A newcomer's, beside another's. */
  isBeside: boolean;
  worker: Worker;
  deadline: NodeJS.Timeout;
}

/**
 * Threads that run tasks, each one at a time where nothing else is said. Owners take turns, task by task, so that
 * somebody's long recording does not keep somebody else's short one waiting; a newcomer's first turn comes before the
 * others' next (docs/decisions/0015-fair-turns.md). The threads live as long as the process: ending one during a native
 * run would abort the process.
 */
export class WorkerPool<Input, Output> {
  /** Owners with waiting tasks, the next one to be served first. */
  readonly #waiting = new Map<object, Task<Input, Output>[]>();
  /** Owners that have had a turn. */
  readonly #served = new WeakSet<object>();
  #lastWasNew = false;
  readonly #threads: Worker[] = [];
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
  run(owner: object, input: Input, signal?: AbortSignal): Promise<Output> {
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
        this.#threads.push(worker);
        resolve();
        this.#dispatch();
      });
    });
  }

  get #tasksPerThread(): number {
    return this.#options.tasksPerThread ?? 1;
  }

  #dispatch(): void {
    const { taskTimeoutMs, onStuck = endEngine, newcomersPerThread = 0 } = this.#options;
    for (;;) {
      const kept = this.#keptForNewcomers();
      // What is begun on them afterwards comes before the next newcomer's.
      if (kept.size > 0) this.#lastWasNew = true;
      const { worker, tasks } = this.#leastBusy(kept);
      if (!worker || tasks >= this.#tasksPerThread) return;
      const isBeside = tasks >= this.#tasksPerThread - newcomersPerThread;
      const task = this.#next(isBeside);
      if (!task) return;
      const stuck = () => onStuck(new Error(`A task has not ended for ${taskTimeoutMs / 1000} s`));
      const deadline = setTimeout(stuck, taskTimeoutMs * this.#tasksPerThread);
      const id = ++this.#lastId;
      this.#running.set(id, { task, isBeside, worker, deadline });
      worker.postMessage({ id, input: task.input } satisfies ToWorker<Input>);
    }
  }

  /** Threads where the task has ended that a newcomer's was beside: what is begun now would hold the newcomer's up. */
  #keptForNewcomers(): Set<Worker> {
    if (![...this.#waiting.keys()].some((owner) => this.#served.has(owner))) return new Set();
    const beside = new Set<Worker>();
    for (const { worker, isBeside } of this.#running.values()) if (isBeside) beside.add(worker);
    for (const { worker, isBeside } of this.#running.values()) if (!isBeside) beside.delete(worker);
    return beside;
  }

  /** Of the threads with the fewest tasks the one whose last one began first: what cannot be interrupted comes first. */
  #leastBusy(except: ReadonlySet<Worker>): { worker?: Worker; tasks: number } {
    let found: { worker?: Worker; tasks: number; last: number } = { tasks: Number.POSITIVE_INFINITY, last: 0 };
    for (const worker of this.#threads) {
      if (except.has(worker)) continue;
      const running = [...this.#running].filter(([, one]) => one.worker === worker);
      const tasks = running.length;
      const last = running.at(-1)?.[0] ?? 0;
      if (tasks < found.tasks || (tasks === found.tasks && last < found.last)) found = { worker, tasks, last };
    }
    return found;
  }

  /**
   * Takes out a task of the owner that has the fewest under way; of several a newcomer, but not before its turn twice in
   * a row; of several of these the one whose turn it is.
   */
  #next(newcomersOnly: boolean): Task<Input, Output> | undefined {
    const owners = [...this.#running.values()].map(({ task }) => task.owner);
    const most = this.#mostOfOne(new Set([...owners, ...this.#waiting.keys()]).size);
    let next: { owner: object; isNew: boolean; rank: number } | undefined;
    for (const owner of this.#waiting.keys()) {
      const isNew = !this.#served.has(owner);
      const count = owners.filter((other) => other === owner).length;
      if (count >= most || (newcomersOnly && !isNew)) continue;
      const rank = 2 * count + Number(!isNew && !this.#lastWasNew);
      if (!next || rank < next.rank) next = { owner, isNew, rank };
    }
    if (!next) return undefined;
    const { owner, isNew } = next;
    this.#served.add(owner);
    if (!newcomersOnly) this.#lastWasNew = isNew;
    const queue = this.#waiting.get(owner)!;
    const task = queue.shift();
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
    return task;
  }

  #mostOfOne(owners: number): number {
    const { tasksPerOwner } = this.#options;
    if (tasksPerOwner === undefined) return Number.POSITIVE_INFINITY;
    return owners > 1 ? 1 : tasksPerOwner;
  }

  #finish(answer: WorkerAnswer<Output>): void {
    const { task, deadline } = this.#running.get(answer.id)!;
    clearTimeout(deadline);
    this.#running.delete(answer.id);
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

function endEngine(error: Error): never {
  throw error;
}

/** What the pool tells a thread: a task, or that one is of no more use. */
export type ToWorker<Input> = { id: number; input: Input } | { id: number; abort: true };

/** What a thread answers: the result of a task, or why it failed. */
export type WorkerAnswer<Output> = { id: number } & ({ output: Output } | { error: unknown });
