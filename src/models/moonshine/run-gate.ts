/** Before each run; others may come one after the other without end. */
const MAX_PAUSE_MS = 50;

/** Shares a thread among tasks, run by run of a graph: a task pauses while there is one of a lower rank, but not for long. */
export class RunGate {
  /** Ranks of the tasks that have not ended. */
  readonly #ranks: number[] = [];
  /** What resumes a paused task, with the rank of the task. */
  readonly #paused = new Map<() => void, number>();

  /**
   * @param task receives a function to call before each run; it rejects with the reason of `signal`
   */
  async run<Result>(
    { rank, signal }: { rank: number; signal: AbortSignal },
    task: (beforeRun: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    this.#ranks.push(rank);
    try {
      return await task(async () => {
        if (this.#mustPause(rank)) await this.#pause(rank);
        signal.throwIfAborted();
      });
    } finally {
      this.#ranks.splice(this.#ranks.indexOf(rank), 1);
      for (const [resume, paused] of this.#paused) if (!this.#mustPause(paused)) resume();
    }
  }

  #mustPause(rank: number): boolean {
    return this.#ranks.some((other) => other < rank);
  }

  #pause(rank: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#paused.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, MAX_PAUSE_MS);
      this.#paused.set(resume, rank);
    });
  }
}
