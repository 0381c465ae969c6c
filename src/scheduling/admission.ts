import { HearsayError } from '../errors.ts';
import { ChangeSignal } from './change-signal.ts';
import { MAX_TIMER_MS } from './timer.ts';

export interface AdmissionOptions {
  /** Maximum number of requests with a slot; at least 1. */
  concurrency: number;
  /** Maximum number of requests that wait for a slot. */
  queueSize: number;
  /** Milliseconds that a request waits for a slot; 0 does not wait. */
  queueTimeoutMs: number;
}

/** One admitted request. */
export interface Admission {
  /**
   * Resolves with a slot for the request, first come, first served.
   *
   * @throws HearsayError `queue_timeout` after `queueTimeoutMs`; `signal.reason` when aborted; an AbortError after
   *   `release()`
   */
  slot(signal?: AbortSignal): Promise<void>;
  /** Releases the admission and the slot. May be called more than once, also while `slot()` is pending. */
  release(): void;
}

/**
 * Admits at most `concurrency + queueSize` requests, of which `concurrency` have slots. A request is admitted when it
 * is complete, so that slow senders hold no slot (docs/decisions/0002-admission-after-upload.md).
 */
export class AdmissionGate {
  readonly #options: AdmissionOptions;
  /** First come, first served: each request waits for one slot, so that a `FairQueue` would give the same order. */
  readonly #queue: (() => void)[] = [];
  readonly #emptied = new ChangeSignal();
  /** Called for each request that gets a slot, with the milliseconds that it waited for it. */
  onSlot: (waitedMs: number) => void = () => {};
  #admitted = 0;
  #inFlight = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Requests with a slot. */
  get active(): number {
    return this.#inFlight;
  }

  /** Slots. */
  get capacity(): number {
    return this.#options.concurrency;
  }

  /** Admitted requests without a slot. */
  get waiting(): number {
    return this.#admitted - this.#inFlight;
  }

  /**
   * Rejects a request early if the queue is full; admits nothing.
   *
   * @throws HearsayError `queue_full`
   */
  assertRoom(): void {
    if (this.#admitted < this.#options.concurrency + this.#options.queueSize) return;
    throw new HearsayError('queue_full', 'The service is busy and its queue is full. Try again in a moment.');
  }

  /**
   * Resolves when no request waits for a slot, so that background work may start. Background work takes no slot, which
   * it would hold for hours; the model serves it last.
   * @throws `signal.reason` when aborted
   */
  async quiet(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#queue.length > 0) await this.#emptied.next(signal);
  }

  /**
   * Admits a request; the caller must release it.
   *
   * @throws HearsayError `queue_full`
   */
  admit(): Admission {
    this.assertRoom();
    const { concurrency } = this.#options;
    this.#admitted++;
    let state: 'idle' | 'queued' | 'inFlight' | 'released' = 'idle';
    let pending: Promise<void> | undefined;
    let leaveQueue = (_reason: unknown) => {};

    const slot = (signal?: AbortSignal): Promise<void> => {
      if (state === 'released') return Promise.reject(released());
      if (state === 'inFlight') return Promise.resolve();
      if (state === 'queued') return pending!;
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (this.#inFlight < concurrency) {
        this.#inFlight++;
        state = 'inFlight';
        this.onSlot(0);
        return Promise.resolve();
      }
      if (this.#options.queueTimeoutMs === 0) return Promise.reject(timedOut());

      state = 'queued';
      const since = performance.now();
      pending = new Promise((resolve, reject) => {
        const settle = (next: 'idle' | 'inFlight') => {
          state = next;
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          if (this.#queue.length === 0) this.#emptied.notify();
        };
        const start = () => {
          settle('inFlight');
          this.onSlot(performance.now() - since);
          resolve();
        };
        leaveQueue = (reason) => {
          this.#queue.splice(this.#queue.indexOf(start), 1);
          settle('idle');
          reject(reason);
        };
        const abort = () => leaveQueue(signal?.reason);
        const timer = setTimeout(() => leaveQueue(timedOut()), Math.min(this.#options.queueTimeoutMs, MAX_TIMER_MS));
        signal?.addEventListener('abort', abort);
        this.#queue.push(start);
      });
      return pending;
    };

    const release = () => {
      if (state === 'released') return;
      if (state === 'queued') leaveQueue(released());
      const hadSlot = state === 'inFlight';
      state = 'released';
      this.#admitted--;
      if (!hadSlot) return;
      const start = this.#queue.shift();
      // Hand the slot over directly: if it were free in between, a new request could take it before the first in the
      // queue.
      if (start === undefined) this.#inFlight--;
      else start();
    };

    return { slot, release };
  }
}

function timedOut(): HearsayError {
  return new HearsayError('queue_timeout', 'The service is busy and could not start in time. Try again in a moment.');
}

function released(): DOMException {
  return new DOMException('The request was released from the admission gate.', 'AbortError');
}
