import type { WireError } from './wire-error.ts';

/**
 * Messages between a service's HTTP process and its engine process. They travel over Node's IPC channel with the
 * `advanced` serialization, so typed arrays pass as they are. `Job`, `Event` and `Info` belong to the service.
 */
export type ToEngine<Job> =
  | { kind: 'run'; id: number; job: Job }
  | { kind: 'cancel'; id: number }
  /** The consumer has taken `count` more events of the job: see EVENT_WINDOW. */
  | { kind: 'taken'; id: number; count: number };

/**
 * Events of one job that may be sent and not yet taken by their consumer. Then the engine pauses the job, so that a
 * client that reads slowly holds a few events in memory and not its whole answer.
 */
export const EVENT_WINDOW = 64;

/** Milliseconds between two `alive` messages. */
export const ALIVE_INTERVAL_MS = 1000;

/** What the engine process tells the HTTP process. */
export type FromEngine<Event, Info> =
  /** The model is loaded and warm. */
  | { kind: 'ready'; info: Info }
  /** The model could not be loaded; the engine ends itself after saying so. */
  | { kind: 'failed'; error: WireError }
  /** Sent every second while the engine's event loop turns. */
  | { kind: 'alive' }
  | { kind: 'events'; id: number; events: Event[] }
  /** The job is over; with what was not sent before. */
  | { kind: 'done'; id: number; events: Event[] }
  | { kind: 'error'; id: number; error: WireError };
