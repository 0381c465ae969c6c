import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';
import { isForm, isIncomplete } from './early-response.ts';

export interface IncomingBodiesOptions {
  /** Bodies being received at the same time. */
  maxCount: number;
  /** Bytes of all bodies, until each is released. */
  maxBytes: number;
}

/** A request body, from its first byte until its memory or file is released. */
export interface IncomingBody {
  /** Aborts with a HearsayError `queue_full` if the body has to make room for others. */
  readonly signal: AbortSignal;
  /** Counts bytes that have arrived. May abort this body, or a slower one. */
  receive(bytes: number): void;
  /** Marks it as received: its bytes still count, but it can no longer be aborted. */
  complete(): void;
  /** Stops counting its bytes. May be called more than once. */
  release(): void;
}

/** Milliseconds over which the rate of a body is measured, and at most twice that. */
const RATE_WINDOW_MS = 5000;
/** Milliseconds of a body before its rate is meaningful. */
const MIN_AGE_MS = 2000;

/**
 * Bounds the bodies being received, in number and total size. When there are too many, the slowest is aborted, so that
 * slow clients never block others.
 */
export class IncomingBodies {
  readonly #options: IncomingBodiesOptions;
  readonly #incomplete = new Set<Body>();
  #bytes = 0;

  constructor(options: IncomingBodiesOptions) {
    this.#options = options;
  }

  /** Bodies being received. */
  get count(): number {
    return this.#incomplete.size;
  }

  /** Bytes of all bodies that are not released, complete ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins a body; the caller must release it.
   * @throws HearsayError `queue_full` if there are too many and none has been measured long enough to be aborted
   */
  open(): IncomingBody {
    if (this.count >= this.#options.maxCount) {
      const slowest = this.#slowest();
      if (!slowest) throw tooMany();
      this.#cut(slowest);
    }
    const body = new Body();
    this.#incomplete.add(body);
    let isReleased = false;
    const release = () => {
      isReleased = true;
      this.#drop(body);
    };
    return {
      signal: body.signal,
      receive: (bytes) => {
        if (isReleased || body.signal.aborted) return;
        body.add(bytes);
        this.#bytes += bytes;
        while (this.#bytes > this.#options.maxBytes && !body.signal.aborted) this.#cut(this.#slowest() ?? body);
      },
      complete: () => this.#incomplete.delete(body),
      release,
    };
  }

  #slowest(): Body | undefined {
    const now = performance.now();
    let slowest: Body | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const body of this.#incomplete) {
      const rate = body.rate(now);
      if (now - body.start < MIN_AGE_MS || rate >= lowest) continue;
      slowest = body;
      lowest = rate;
    }
    return slowest;
  }

  #cut(body: Body): void {
    this.#drop(body);
    body.abort();
  }

  #drop(body: Body): void {
    this.#incomplete.delete(body);
    this.#bytes -= body.bytes;
    body.bytes = 0;
  }
}

class Body {
  bytes = 0;
  readonly start = performance.now();
  readonly #controller = new AbortController();
  #received = 0;
  /** Two times and the bytes received by then; the rate is measured from the earlier one. */
  #earlier = { time: this.start, received: 0 };
  #later = this.#earlier;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller.abort(tooMany());
  }

  add(bytes: number): void {
    this.#move(performance.now());
    this.bytes += bytes;
    this.#received += bytes;
  }

  /** Recent rate in bytes per millisecond. */
  rate(now: number): number {
    this.#move(now);
    return (this.#received - this.#earlier.received) / Math.max(1, now - this.#earlier.time);
  }

  #move(now: number): void {
    if (now - this.#later.time < RATE_WINDOW_MS) return;
    this.#earlier = this.#later;
    this.#later = { time: now, received: this.#received };
  }
}

function tooMany(): HearsayError {
  return new HearsayError(
    'queue_full',
    'The service is receiving too much at once, and this request was the slowest. Try again in a moment.',
  );
}

/** Counts every body that is not a form, from its first byte until the response is complete: it is kept in memory. */
export function boundBodies(app: FastifyInstance, bodies: IncomingBodies): void {
  app.addHook('preParsing', async (request, reply) => {
    const { raw } = request;
    if (isForm(request) || !isIncomplete(raw)) return;
    const body = bodies.open();
    reply.raw.once('close', () => body.release());
    // Adding the listener at once would start the stream before the parser listens.
    raw.pause();
    raw.on('data', (chunk: Buffer) => body.receive(chunk.length)).once('end', () => body.complete());
    body.signal.addEventListener('abort', () => {
      // Stop the parser from buffering more; the rest is discarded.
      raw.removeAllListeners('data');
      if (!reply.sent) reply.send(body.signal.reason);
    });
  });
}
