import { abortable } from '../../../scheduling/abortable.ts';
import { FairQueue, type Queued } from '../../../scheduling/fair-queue.ts';

/** A window to transcribe; its owner is a request. */
export interface ScheduledWindow extends Queued {
  /** Whether it is live speech. */
  readonly isLive?: boolean;
  /** Aborting it ends the wait at once. */
  readonly signal?: AbortSignal;
  /** Called when the window takes its slot. */
  readonly onStart?: () => void;
  /** Called when a step of the window has run, with the number of windows in that run. */
  readonly onStep?: (batch: number) => void;
}

/** A window is in flight from the start of its first encoding until `end()`. */
export interface SlotLimits {
  /** Maximum windows in flight; the last slot is reserved for an owner's first window. */
  slots: number;
  /** Maximum windows in flight of an owner that is alone; with others, each has one. */
  slotsPerOwner: number;
}

export interface StepSchedulerOptions<Request, Step> {
  /** Default: no limits */
  limits?: SlotLimits | undefined;
  /** Maximum steps in one run. */
  maxBatch: number;
  /** Steps with the same key can share a run; a step without one runs alone. */
  batchKey: (request: Request) => unknown;
  /** Runs steps together; results in the same order. */
  run: (requests: readonly Request[]) => Promise<Step[]>;
}

interface Pending<Result> {
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}
interface PendingEncoding extends Pending<unknown>, Queued {
  window: ScheduledWindow;
  work: () => Promise<unknown>;
  /** First windows that were decoding when this encoding could first run; it waits only for these. */
  yieldsTo?: ReadonlySet<ScheduledWindow>;
}
interface PendingStep<Request, Step> extends Pending<Step> {
  window: ScheduledWindow;
  request: Request;
}

/**
 * Shares the model among windows, run by run (docs/decisions/0011-batching.md, 0015-fair-turns.md). Encodings wait in a fair
 * queue; a window's first one takes its slot. Encodings go before steps, because steps cost less per window the more
 * windows share them. Three rules keep that fair:
 * - The encodings of each other owner delay a decoding window at most once.
 * - An encoding waits once for the first windows that are decoding: those of short recordings are short.
 * - While there are several owners, each has one step in a run.
 * A background window starts only while no other window decodes or waits, and drafts of live speech pause while a final
 * text is decoded.
 */
export class StepScheduler<Request, Step> {
  readonly #options: StepSchedulerOptions<Request, Step>;
  readonly #encodings = new FairQueue<PendingEncoding>();
  readonly #steps = new Set<PendingStep<Request, Step>>();
  readonly #inFlight = new Set<ScheduledWindow>();
  /** Owners that have encoded while a window's step was pending, itself included. */
  readonly #delayedBy = new WeakMap<ScheduledWindow, Set<unknown>>();
  /** Milliseconds of steps by owner, for owners with pending steps. */
  #usedMs = new Map<unknown, number>();
  #isServing = false;

  constructor(options: StepSchedulerOptions<Request, Step>) {
    this.#options = options;
  }

  /** Runs the encoder in turn: `work` has the thread to itself. The window keeps its slot until `end()`. */
  encode<Result>(window: ScheduledWindow, work: () => Promise<Result>): Promise<Result> {
    this.#delayedBy.delete(window);
    return this.#wait<Result>(window, (pending) => {
      const { owner, isNew = false, isDraft = false, isUrgent = false } = window;
      // Even a background window should soon release a slot that it holds.
      const isBackground = window.isBackground === true && !this.#inFlight.has(window);
      const encoding = { ...pending, owner, isNew, isDraft, isUrgent, isBackground, window, work } as PendingEncoding;
      // A window with a slot goes before its owner's others, which may have to wait for a slot.
      this.#encodings.push(encoding, this.#inFlight.has(window));
      return () => this.#encodings.remove(encoding);
    });
  }

  /** Runs a step, batched with others if possible. */
  step(window: ScheduledWindow, request: Request): Promise<Step> {
    return this.#wait<Step>(window, (pending) => {
      const step = { ...pending, window, request };
      this.#steps.add(step);
      return () => this.#steps.delete(step);
    });
  }

  /** Releases a window's slot. */
  end(window: ScheduledWindow): void {
    if (this.#inFlight.delete(window)) void this.#serve();
  }

  /** @param add adds pending work; returns a function that removes it */
  async #wait<Result>({ signal }: ScheduledWindow, add: (pending: Pending<Result>) => () => void): Promise<Result> {
    signal?.throwIfAborted();
    let remove = () => {};
    const result = new Promise<Result>((resolve, reject) => {
      remove = add({ resolve, reject });
    });
    void this.#serve();
    return abortable(result, signal).finally(remove);
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    for (;;) {
      // First let windows that have their results request their next steps.
      await new Promise((resolve) => setImmediate(resolve));
      const encoding = this.#encodings.next((encoding) => this.#canEncode(encoding));
      if (encoding) await this.#encode(encoding);
      else if (this.#steps.size > 0) await this.#step();
      else break;
    }
    this.#isServing = false;
  }

  #canEncode(encoding: PendingEncoding): boolean {
    const others = [...this.#steps].map(({ window }) => window).filter(({ owner }) => owner !== encoding.owner);
    const hasDelayed = (window: ScheduledWindow) => this.#delayedBy.get(window)?.has(encoding.owner);
    if (!this.#hasSlot(encoding.window) || others.some(hasDelayed)) return false;
    if (encoding.isBackground && others.some(({ isBackground }) => !isBackground)) return false;
    if (encoding.isDraft && others.some(isFinal)) return false;
    const first = others.filter(({ isNew }) => isNew);
    if (encoding.isNew || first.length === 0) return true;
    encoding.yieldsTo ??= new Set(first);
    return !first.some((window) => encoding.yieldsTo!.has(window));
  }

  /** Whether a window holds a slot or can take one. */
  #hasSlot(window: ScheduledWindow): boolean {
    const { limits } = this.#options;
    if (!limits || this.#inFlight.has(window)) return true;
    const inFlight = [...this.#inFlight].map(({ owner }) => owner);
    const isAlone = new Set([...inFlight, ...this.#encodings.heads.map(({ owner }) => owner)]).size === 1;
    // The last slot is reserved for the first window of a request, but not of a background job.
    const reserved = window.isNew && !window.isBackground ? 0 : 1;
    const ofOwner = inFlight.filter((owner) => owner === window.owner).length;
    return inFlight.length < limits.slots - reserved && ofOwner < (isAlone ? limits.slotsPerOwner : 1);
  }

  async #encode({ window, work, resolve, reject }: PendingEncoding): Promise<void> {
    if (!this.#inFlight.has(window)) {
      this.#inFlight.add(window);
      window.onStart?.();
    }
    for (const { window: delayed } of this.#steps) {
      const owners = this.#delayedBy.get(delayed) ?? new Set();
      this.#delayedBy.set(delayed, owners.add(window.owner));
    }
    await work().then(resolve, reject);
  }

  /** Steps that may run next: one of each owner if there are several, owners with the least run time first. */
  #candidates(): readonly PendingStep<Request, Step>[] {
    const byOwner = new Map<unknown, PendingStep<Request, Step>>();
    const pending = [...this.#steps];
    const hasFinal = pending.some(({ window }) => isFinal(window));
    const steps = hasFinal ? pending.filter(({ window }) => !window.isDraft) : pending;
    for (const step of steps) if (!byOwner.has(step.window.owner)) byOwner.set(step.window.owner, step);
    const owners = [...byOwner.keys()];
    const known = owners.flatMap((owner) => this.#usedMs.get(owner) ?? []);
    // A new owner starts with the least time of the others, not with 0.
    const least = known.length > 0 ? Math.min(...known) : 0;
    this.#usedMs = new Map(owners.map((owner) => [owner, this.#usedMs.get(owner) ?? least]));
    if (new Set([...owners, ...this.#encodings.heads.map(({ owner }) => owner)]).size === 1) return steps;
    const usedMs = ({ window }: PendingStep<Request, Step>) => this.#usedMs.get(window.owner)!;
    return [...byOwner.values()].sort((a, b) => usedMs(a) - usedMs(b));
  }

  async #step(): Promise<void> {
    const { maxBatch, batchKey, run } = this.#options;
    const candidates = this.#candidates();
    const [first] = candidates as [PendingStep<Request, Step>];
    const key = batchKey(first.request);
    const batch =
      key === undefined ? [first] : candidates.filter(({ request }) => batchKey(request) === key).slice(0, maxBatch);
    for (const step of batch) this.#steps.delete(step);
    const started = performance.now();
    await run(batch.map(({ request }) => request)).then(
      (results) => {
        for (const [index, { resolve, window }] of batch.entries()) {
          window.onStep?.(batch.length);
          resolve(results[index]!);
        }
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
    const share = (performance.now() - started) / batch.length;
    for (const { window } of batch) this.#usedMs.set(window.owner, this.#usedMs.get(window.owner)! + share);
  }
}

/** Whether it is the final text of live speech. */
function isFinal({ isLive, isDraft }: ScheduledWindow): boolean {
  return isLive === true && !isDraft;
}
