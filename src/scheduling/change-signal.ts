import { abortable } from './abortable.ts';
import { MAX_TIMER_MS } from './timer.ts';

/** Wakes all waiters when something changes. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  /** Ends all waits. */
  notify(): void {
    for (const wake of this.#waiting) wake();
  }

  /**
   * Resolves at the next change.
   * @param timeoutMs resolves then at the latest
   * @throws the reason of `signal`
   */
  async next(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    let wake = () => {};
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
    });
    const timer = timeoutMs === undefined ? undefined : setTimeout(wake, Math.min(timeoutMs, MAX_TIMER_MS));
    await abortable(changed, signal).finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(wake);
    });
  }
}
