import { type ErrorCode, HearsayError } from '../errors.ts';

/**
 * Messages from the HTTP process of a service to its engine process. Node's IPC channel with `advanced` serialization
 * keeps typed arrays. Each service defines its `Job`, `Event` and `Info`.
 */
export type ToEngine<Job> =
  /** `window`: unread events after which the engine pauses the job. */
  | { kind: 'run'; id: number; job: Job; window: number }
  | { kind: 'cancel'; id: number }
  /** The consumer has read `count` more events of the job: see EVENT_WINDOW. */
  | { kind: 'consumed'; id: number; count: number };

/** Default number of unread events after which the engine pauses a job, to bound the memory of a slow client. */
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

/** An error as the engine process sends it; serialization would drop its class. */
export interface WireError {
  /** Undefined for an unexpected error, whose message may appear only in the log. */
  code?: ErrorCode;
  param?: string;
  /** Code and system call of a system error: they decide what the client is told. */
  system?: { code?: string; syscall: string };
  message: string;
  stack?: string;
}

export function toWireError(error: unknown): WireError {
  if (error instanceof HearsayError) {
    const { code, param, message } = error;
    return param === undefined ? { code, message } : { code, param, message };
  }
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, syscall, message, stack = message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return { message, stack };
  return { system: { ...(code !== undefined && { code }), syscall }, message, stack };
}

/** A HearsayError if the error has a code, otherwise an Error with the original message and stack. */
export function fromWireError({ code, param, system, message, stack }: WireError): Error {
  if (code !== undefined) return new HearsayError(code, message, param === undefined ? {} : { param });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, system);
}
