import type { WireError } from './wire-error.ts';

/**
 * Messages from the HTTP process of a service to its engine process. Node's IPC channel with `advanced` serialization
 * keeps typed arrays. Each service defines its `Job`, `Event` and `Info`.
 */
export type ToEngine<Job> =
  | { kind: 'run'; id: number; job: Job }
  | { kind: 'cancel'; id: number }
  /** The consumer has read `count` more events of the job: see EVENT_WINDOW. */
  | { kind: 'consumed'; id: number; count: number };

/** Unread events of one job after which the engine pauses it, to bound the memory that a slow client takes. */
export const EVENT_WINDOW = 64;

/** Milliseconds between two `alive` messages. */
export const ALIVE_INTERVAL_MS = 1000;

/** Messages from the engine process to the HTTP process. */
export type FromEngine<Event, Info> =
  /** The model is loaded and warm. */
  | { kind: 'ready'; info: Info }
  /** The model could not be loaded; the engine exits. */
  | { kind: 'failed'; error: WireError }
  /** Sent every second while the engine's event loop turns. */
  | { kind: 'alive' }
  | { kind: 'events'; id: number; events: Event[] }
  /** The job is over; `events` are the last ones. */
  | { kind: 'done'; id: number; events: Event[] }
  | { kind: 'error'; id: number; error: WireError };
