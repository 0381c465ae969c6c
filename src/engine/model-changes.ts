import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';

interface Activation {
  readonly name: string;
  readonly stop: AbortController;
  done: Promise<void>;
}

/** Passed to an activation: how it is cancelled, and how it commits. */
export interface Cancellation {
  readonly signal: AbortSignal;
  /** From here on, the activation can no longer be cancelled. @throws the reason of `signal` */
  commit(): void;
}

/** Activations, unloads and removals: run one at a time, in call order. */
export class ModelChanges {
  /** Activations that can still be cancelled, running or waiting. */
  readonly #activations = new Set<Activation>();
  /** Settles with the last change. */
  #last: Promise<void> = Promise.resolve();

  /** Runs a change after all earlier ones. */
  run<T>(change: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#last;
    const result = abortable(turn, signal).then(change);
    // Keep the order even if this change is cancelled while it waits.
    this.#last = Promise.allSettled([turn, result]).then(() => {});
    return result;
  }

  /**
   * Runs the activation of a model after all earlier changes, unless it is cancelled.
   * @throws HearsayError `activation_cancelled`; whatever `activate` throws
   */
  activate(name: string, activate: (cancellation: Cancellation) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const activation: Activation = { name, stop, done: Promise.resolve() };
    const commit = () => {
      stop.signal.throwIfAborted();
      this.#activations.delete(activation);
    };
    this.#activations.add(activation);
    activation.done = this.run(() => activate({ signal: stop.signal, commit }), stop.signal).finally(() =>
      this.#activations.delete(activation),
    );
    return activation.done;
  }

  /**
   * Cancels every activation of a model that has not been committed.
   * @returns whether there were any; resolves when they have stopped
   */
  async cancel(name: string): Promise<boolean> {
    const found = [...this.#activations].filter((activation) => activation.name === name);
    const reason = new HearsayError('activation_cancelled', `The activation of ${name} was cancelled.`);
    for (const { stop } of found) stop.abort(reason);
    await Promise.allSettled(found.map(({ done }) => done));
    return found.length > 0;
  }

  /** Resolves when no change runs or waits. */
  async idle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }
}
