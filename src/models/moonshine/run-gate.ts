/** Before each run; others may come one after the other without end. */
const MAX_PAUSE_MS = 50;

/** Shares a thread among tasks, run by run of a graph: patient tasks pause while there is another, but not for long. */
export class RunGate {
  #hasty = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * @param task receives a function to call before each run; it rejects with the reason of `signal`
   */
  async run<Result>(
    { isPatient, signal }: { isPatient: boolean; signal: AbortSignal },
    task: (beforeRun: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    if (!isPatient) this.#hasty += 1;
    try {
      return await task(async () => {
        if (isPatient && this.#hasty > 0) await this.#pause();
        signal.throwIfAborted();
      });
    } finally {
      if (!isPatient && --this.#hasty === 0) for (const resume of this.#waiting) resume();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, MAX_PAUSE_MS);
      this.#waiting.add(resume);
    });
  }
}
