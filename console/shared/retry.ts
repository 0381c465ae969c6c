import { ApiError } from './api.ts';

/** A model is mostly ready within seconds, and someone is looking on; programs are asked to wait for longer. */
const WARMING_MS = 1500;
const MAX_MS = 60_000;

/** Milliseconds until a refused request may be sent again, as the service says; undefined if it would fail again. */
export function retryDelay(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.status !== 503) return undefined;
  if (error.code === 'model_warming') return WARMING_MS;
  return error.retryAfter === undefined ? undefined : Math.min(1000 * error.retryAfter, MAX_MS);
}

/** Whether the service did not respond: the connection failed, or a proxy answered in its place. */
export function isUnreachable(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0
    ? error.code === 'unreachable'
    : [502, 503, 504].includes(error.status) && error.code === '';
}

/** Whether the service wants a key, which the user has not given. */
export const isLocked = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** What a request waits for, for people. */
export function waitingText(error: unknown): string {
  if (isUnreachable(error)) return 'Waiting: the service does not respond…';
  const { code, message } = error as ApiError;
  switch (code) {
    case 'model_warming':
      return 'Waiting for the model to warm up…';
    case 'queue_full':
    case 'queue_timeout':
      return 'Waiting: the service is busy…';
    case 'draining':
      return 'Waiting: the service is shutting down…';
    default:
      return `Waiting to try again: ${message}`;
  }
}

/** @throws the reason of `signal` when it aborts */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
