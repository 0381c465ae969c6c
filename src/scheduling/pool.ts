import { FairQueue, isPatient, type Queued } from './fair-queue.ts';
import { WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions {
  /** Module that calls `serveWorker`. */
  entry: URL;
  /** Number of threads. */
  size: number;
  /** Tasks that a thread runs at once. Default: 1 */
  slotsPerThread?: number;
  /**
   * How many of these slots are reserved for first tasks of owners; beside a draft, patient tasks may not take them.
   * Default: 0
   */
  firstTaskSlots?: number;
  /** Additional slots per thread that only urgent drafts may take. Default: 0 */
  urgentSlots?: number;
  /** Passed to each thread when it loads. */
  setup: unknown;
  /** Milliseconds that a task may take if it has a thread to itself; a longer one is stuck. */
  taskTimeoutMs: number;
  /** Called for a stuck task, see `WorkerThread`. */
  onStuck?: (error: Error) => void;
}

type Urgency = Pick<Queued, 'isDraft' | 'isUrgent' | 'isBackground'>;

interface Task<Input, Output> extends Queued {
  /** @param onEnd called before the caller's promise settles */
  start: (thread: WorkerThread<Input, Output>, onEnd: () => void) => void;
}

interface Slot<Thread> {
  task: Queued;
  thread: Thread;
  isForFirst: boolean;
}

/** Threads that take tasks from one fair queue. */
export class WorkerPool<Input, Output> {
  readonly #options: WorkerPoolOptions;
  readonly #threads: readonly WorkerThread<Input, Output>[];
  readonly #queue = new FairQueue<Task<Input, Output>>();
  readonly #knownOwners = new WeakSet<object>();
  /** Slots in use, by the start of their tasks. */
  readonly #inFlight = new Set<Slot<WorkerThread<Input, Output>>>();

  private constructor(options: WorkerPoolOptions, threads: readonly WorkerThread<Input, Output>[]) {
    this.#options = options;
    this.#threads = threads;
  }

  /** Starts the threads; resolves when all have loaded. If one cannot, ends the others and rejects. */
  static async start<Input, Output>(options: WorkerPoolOptions): Promise<WorkerPool<Input, Output>> {
    const { entry, size, setup, taskTimeoutMs, slotsPerThread = 1, urgentSlots = 0, onStuck } = options;
    const timeoutMs = taskTimeoutMs * (slotsPerThread + urgentSlots);
    const start = () => WorkerThread.start<Input, Output>({ entry, setup, timeoutMs, onStuck });
    const starting = Array.from({ length: size }, start);
    try {
      return new WorkerPool(options, await Promise.all(starting));
    } catch (error) {
      // They would keep their models in memory.
      for (const started of await Promise.allSettled(starting)) {
        if (started.status === 'fulfilled') await started.value.end();
      }
      throw error;
    }
  }

  /**
   * Runs a task when it is its owner's turn.
   * @param owner the request
   * @param signal removes a waiting task; a running one rejects when its thread has stopped it
   * @param urgency see `Queued`
   */
  run(
    owner: object,
    input: Input,
    signal?: AbortSignal,
    { isDraft = false, isUrgent = false, isBackground = false }: Urgency = {},
  ): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        this.#queue.remove(task);
        reject(signal?.reason);
        // Others may have waited for its turn although there is a slot for them.
        this.#dispatch();
      };
      const task: Task<Input, Output> = {
        owner,
        isNew: !this.#knownOwners.has(owner),
        isDraft,
        isUrgent,
        isBackground,
        start(thread, onEnd) {
          signal?.removeEventListener('abort', abort);
          thread.run(input, { signal }).finally(onEnd).then(resolve, reject);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#knownOwners.add(owner);
      this.#queue.push(task);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    const { slotsPerThread = 1, firstTaskSlots = 0, urgentSlots = 0 } = this.#options;
    for (;;) {
      const heldThreads = this.#heldThreads();
      // The next task on a held thread goes before another first task.
      if (heldThreads.size > 0) this.#queue.skipNew();
      const { thread, load } = this.#leastBusy(heldThreads);
      if (!thread || load >= slotsPerThread + urgentSlots) return;
      const isForFirst = load >= slotsPerThread - firstTaskSlots;
      const task = this.#next((next) => !isForFirst || this.#mayTakeExtra(next, thread, load));
      if (!task) return;
      const slot = { task, thread, isForFirst };
      this.#inFlight.add(slot);
      task.start(thread, () => {
        this.#inFlight.delete(slot);
        this.#dispatch();
      });
    }
  }

  /** Threads that run only first tasks, in their reserved slots: another task would slow those down. */
  #heldThreads(): Set<WorkerThread<Input, Output>> {
    if (this.#queue.heads.every(({ isNew }) => isNew)) return new Set();
    const slots = [...this.#inFlight];
    const held = new Set(slots.filter(({ isForFirst }) => isForFirst).map(({ thread }) => thread));
    for (const { thread, isForFirst } of slots) if (!isForFirst) held.delete(thread);
    return held;
  }

  /** The thread with the fewest tasks; of several, the one whose last task started earliest. */
  #leastBusy(held: ReadonlySet<unknown>): { thread: WorkerThread<Input, Output> | undefined; load: number } {
    const inUse = [...this.#inFlight].map(({ thread }) => thread);
    const load = (thread: unknown) => inUse.filter((other) => other === thread).length;
    const [thread] = this.#threads
      .filter((thread) => !held.has(thread))
      .sort((a, b) => load(a) - load(b) || inUse.lastIndexOf(a) - inUse.lastIndexOf(b));
    return { thread, load: load(thread) };
  }

  /** Whether a task may take one of the reserved slots. */
  #mayTakeExtra(task: Task<Input, Output>, thread: unknown, load: number): boolean {
    const { slotsPerThread = 1 } = this.#options;
    if (load >= slotsPerThread) return task.isUrgent === true;
    const besideDraft = [...this.#inFlight].some((slot) => slot.thread === thread && slot.task.isDraft);
    return task.isNew === true && !(isPatient(task) && besideDraft);
  }

  /** Removes and returns the next task of the owners with the fewest tasks in flight. */
  #next(isEligible: (task: Task<Input, Output>) => boolean): Task<Input, Output> | undefined {
    const inFlight = ({ owner }: Queued) => [...this.#inFlight].filter(({ task }) => task.owner === owner).length;
    const { heads } = this.#queue;
    const interactive = heads.filter(({ isBackground }) => !isBackground);
    const turns = interactive.length > 0 ? interactive : heads;
    const fewest = Math.min(...turns.map(inFlight));
    return this.#queue.next((task) => turns.includes(task) && inFlight(task) === fewest && isEligible(task));
  }
}
