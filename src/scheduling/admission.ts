import { HearsayError } from '../errors.ts';

export interface AdmissionOptions {
  /** Requests that work at the same time; at least 1. */
  concurrency: number;
  /** Requests beyond those that may wait. */
  queueSize: number;
  /** How long one waits for its turn, in milliseconds; 0: not at all. */
  queueTimeoutMs: number;
}

/** One request inside the gate. */
export interface Admission {
  /**
   * Resolves when it is this request's turn, in the order in which turns were asked for.
   *
   * @throws HearsayError `queue_timeout` after `queueTimeoutMs`; `signal.reason` when aborted; an AbortError when the
   *   request has left
   */
  turn(signal?: AbortSignal): Promise<void>;
  /** Gives the place, and the turn, back. Does nothing the second time; may be called while `turn()` is pending. */
  leave(): void;
}

/** setTimeout takes a longer time for none at all. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The admission gate: at most `concurrency` requests work at once, and at most `queueSize` more are inside. A request
 * holds its place from `enter()` on, also while its upload is still on the way, and works only from its turn on.
 */
export class AdmissionGate {
  readonly #options: AdmissionOptions;
  readonly #queue: (() => void)[] = [];
  #inside = 0;
  #active = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Requests that work. */
  get active(): number {
    return this.#active;
  }

  /** Requests that are inside and do not work, or not yet. */
  get waiting(): number {
    return this.#inside - this.#active;
  }

  /**
   * Takes a place, which the caller gives back with `leave()`, whatever happens.
   *
   * @throws HearsayError `queue_full` at once where there is none
   */
  enter(): Admission {
    const { concurrency, queueSize } = this.#options;
    if (this.#inside >= concurrency + queueSize) {
      throw new HearsayError('queue_full', 'The service is busy and its queue is full. Try again in a moment.');
    }
    this.#inside++;
    let state: 'idle' | 'queued' | 'working' | 'gone' = 'idle';
    let pending: Promise<void> | undefined;
    let giveUp = (_reason: unknown) => {};

    const turn = (signal?: AbortSignal): Promise<void> => {
      if (state === 'gone') return Promise.reject(left());
      if (state === 'working') return Promise.resolve();
      if (state === 'queued') return pending!;
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (this.#active < concurrency) {
        this.#active++;
        state = 'working';
        return Promise.resolve();
      }
      if (this.#options.queueTimeoutMs === 0) return Promise.reject(late());

      state = 'queued';
      pending = new Promise((resolve, reject) => {
        const settle = (next: 'idle' | 'working') => {
          state = next;
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
        };
        const start = () => {
          settle('working');
          resolve();
        };
        giveUp = (reason) => {
          settle('idle');
          this.#queue.splice(this.#queue.indexOf(start), 1);
          reject(reason);
        };
        const abort = () => giveUp(signal?.reason);
        const timer = setTimeout(() => giveUp(late()), Math.min(this.#options.queueTimeoutMs, LONGEST_TIMEOUT_MS));
        signal?.addEventListener('abort', abort);
        this.#queue.push(start);
      });
      return pending;
    };

    const leave = () => {
      if (state === 'gone') return;
      if (state === 'queued') giveUp(left());
      const worked = state === 'working';
      state = 'gone';
      this.#inside--;
      if (!worked) return;
      const start = this.#queue.shift();
      // The slot passes straight on: were it free in between, a newcomer could take it before the first in the queue.
      if (start === undefined) this.#active--;
      else start();
    };

    return { turn, leave };
  }
}

function late(): HearsayError {
  return new HearsayError('queue_timeout', 'The service is busy and could not start in time. Try again in a moment.');
}

function left(): DOMException {
  return new DOMException('The request has left the admission gate.', 'AbortError');
}
