/** Who asks for computing: one window. */
export interface Asker {
  /** Whom the turns are shared among: the request that the window is of. */
  readonly owner: unknown;
  /** The window is its owner's first. */
  readonly isNew?: boolean;
  /** Its abortion ends the wait at once. */
  readonly signal?: AbortSignal;
}

export interface TurnsOptions<Request, Step> {
  /** How many steps are run together at most. */
  most: number;
  /** Whether a step may be run together with others that may. */
  batches: (request: Request) => boolean;
  /** Runs steps together, and gives their results in the same order. */
  run: (requests: readonly Request[]) => Promise<Step[]>;
}

interface Waiting<Result> {
  asker: Asker;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}
type WaitingEncoding = Waiting<unknown> & {
  work: () => Promise<unknown>;
  /** The newcomers that were being decoded when it could have been run: it waits for them and for no others. */
  standsBackFor?: ReadonlySet<Asker>;
};
type WaitingStep<Request, Step> = Waiting<Step> & { request: Request };

/**
 * Shares one thread among the windows that are being worked on, run by run. The encoder goes first, since a step costs
 * each window the less the more of them there are; but a window that is being decoded is held up by each other request
 * once at most, a newcomer's first by other newcomers only, and while there are several requests each has one step in a
 * run. So one with many windows does not keep another from ending. An encoding stands back once: newcomers that come one
 * after another do not keep it waiting.
 */
export class Turns<Request, Step> {
  readonly #options: TurnsOptions<Request, Step>;
  /** By owner, the one whose turn is next first. */
  readonly #encodings = new Map<unknown, WaitingEncoding[]>();
  #steps: WaitingStep<Request, Step>[] = [];
  /** The owners that have encoded while a window waited with a step, itself included. */
  readonly #heldUpBy = new WeakMap<Asker, Set<unknown>>();
  /** Milliseconds that the steps of each owner with waiting ones have taken. */
  #used = new Map<unknown, number>();
  #lastWasNew = false;
  #serving = false;

  constructor(options: TurnsOptions<Request, Step>) {
    this.#options = options;
  }

  /** Runs the encoder when it is its turn: `work` has the thread to itself until it is done. */
  encode<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    this.#heldUpBy.delete(asker);
    return this.#wait<Result>(asker, (waiting) => {
      const { owner } = asker;
      const entry = { ...waiting, work } as WaitingEncoding;
      const queue = this.#encodings.get(owner);
      if (queue) queue.push(entry);
      else this.#encodings.set(owner, [entry]);
      return () => this.#takeEncoding(owner, entry);
    });
  }

  /** Runs a step, together with others where that can be. */
  step(asker: Asker, request: Request): Promise<Step> {
    return this.#wait<Step>(asker, (waiting) => {
      const entry = { ...waiting, request };
      this.#steps.push(entry);
      return () => {
        this.#steps = this.#steps.filter((other) => other !== entry);
      };
    });
  }

  /** @param enter adds to what is waiting, and says how it is taken out again */
  #wait<Result>(asker: Asker, enter: (waiting: Waiting<Result>) => () => void): Promise<Result> {
    const { signal } = asker;
    return new Promise<Result>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        leave();
        reject(signal!.reason);
      };
      const settled = () => signal?.removeEventListener('abort', abort);
      const leave = enter({
        asker,
        resolve: (result) => {
          settled();
          resolve(result);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#serving) return;
    this.#serving = true;
    for (;;) {
      // Whoever was answered goes on, and asks for the next step, before the next run is put together.
      await new Promise((resolve) => setImmediate(resolve));
      const encoding = this.#nextEncoding();
      if (encoding) await this.#encode(encoding);
      else if (this.#steps.length > 0) await this.#step();
      else break;
    }
    this.#serving = false;
  }

  #nextEncoding(): WaitingEncoding | undefined {
    const patient = (owner: unknown) =>
      this.#steps.every(({ asker }) => asker.owner === owner || !this.#heldUpBy.get(asker)?.has(owner));
    const first = [...this.#encodings.values()].flatMap(([entry]) => entry ?? []);
    const newcomer = this.#lastWasNew ? undefined : first.find(({ asker }) => asker.isNew && patient(asker.owner));
    return newcomer ?? first.find((entry) => patient(entry.asker.owner) && !this.#standsBack(entry));
  }

  /** Whether a newcomer's window, which is short if its recording is, is to be decoded before another is encoded. */
  #standsBack(entry: WaitingEncoding): boolean {
    const { owner, isNew } = entry.asker;
    if (isNew) return false;
    const newcomers = this.#steps.map(({ asker }) => asker).filter((asker) => asker.isNew && asker.owner !== owner);
    if (newcomers.length === 0) return false;
    entry.standsBackFor ??= new Set(newcomers);
    return newcomers.some((asker) => entry.standsBackFor!.has(asker));
  }

  /** The others of its owner wait until all others have had a turn. */
  #takeEncoding(owner: unknown, entry: WaitingEncoding): void {
    const queue = this.#encodings.get(owner)?.filter((other) => other !== entry) ?? [];
    this.#encodings.delete(owner);
    if (queue.length > 0) this.#encodings.set(owner, queue);
  }

  async #encode(entry: WaitingEncoding): Promise<void> {
    const { owner } = entry.asker;
    this.#takeEncoding(owner, entry);
    this.#lastWasNew = entry.asker.isNew === true;
    for (const { asker } of this.#steps) {
      const by = this.#heldUpBy.get(asker) ?? new Set();
      this.#heldUpBy.set(asker, by.add(owner));
    }
    await entry.work().then(entry.resolve, entry.reject);
  }

  /** The steps that may be run next: of several owners one each, first of the owner whose steps have taken the least. */
  #candidates(): readonly WaitingStep<Request, Step>[] {
    const byOwner = new Map<unknown, WaitingStep<Request, Step>>();
    for (const entry of this.#steps) if (!byOwner.has(entry.asker.owner)) byOwner.set(entry.asker.owner, entry);
    const known = [...byOwner.keys()].flatMap((owner) => this.#used.get(owner) ?? []);
    // Who has just come has no claim on the time before that.
    const least = Math.min(...(known.length > 0 ? known : [0]));
    this.#used = new Map([...byOwner.keys()].map((owner) => [owner, this.#used.get(owner) ?? least]));
    if (new Set([...byOwner.keys(), ...this.#encodings.keys()]).size === 1) return this.#steps;
    const used = ({ asker }: WaitingStep<Request, Step>) => this.#used.get(asker.owner)!;
    return [...byOwner.values()].sort((a, b) => used(a) - used(b));
  }

  async #step(): Promise<void> {
    const { most, batches, run } = this.#options;
    const candidates = this.#candidates();
    const first = candidates[0]!;
    const group = batches(first.request)
      ? candidates.filter(({ request }) => batches(request)).slice(0, most)
      : [first];
    this.#steps = this.#steps.filter((entry) => !group.includes(entry));
    const started = performance.now();
    await run(group.map(({ request }) => request)).then(
      (results) => {
        for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
      },
      (error: unknown) => {
        for (const { reject } of group) reject(error);
      },
    );
    const share = (performance.now() - started) / group.length;
    for (const { asker } of group) this.#used.set(asker.owner, this.#used.get(asker.owner)! + share);
  }
}
