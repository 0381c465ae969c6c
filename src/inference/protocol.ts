import type { ErrorCode } from '../errors.ts';

/**
 * Messages between a service's HTTP process and its engine process. They travel over Node's IPC channel with the
 * `advanced` serialization, so typed arrays pass as they are. `Job`, `Event` and `Info` belong to the service.
 */
export type ToEngine<Job> = { kind: 'run'; id: number; job: Job } | { kind: 'cancel'; id: number };

export interface WireError {
  /** Absent: an unexpected error; its message is for the log and never for the client. */
  code?: ErrorCode;
  param?: string;
  message: string;
  stack?: string;
}

export type FromEngine<Event, Info> =
  /** The model is loaded and warm. */
  | { kind: 'ready'; info: Info }
  /** The model could not be loaded; the engine ends itself after saying so. */
  | { kind: 'failed'; error: WireError }
  /** Sent every second while the engine's event loop turns. */
  | { kind: 'alive' }
  | { kind: 'event'; id: number; event: Event }
  | { kind: 'done'; id: number }
  | { kind: 'error'; id: number; error: WireError };
