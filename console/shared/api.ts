import { askForKey, storedKey } from './key.ts';

/** A request that the service refused, or that did not reach it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Code of the service's errors such as `model_warming`; empty where it names none. */
  readonly code: string;

  constructor(status: number, message: string, code = '') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the body of an error answer says. */
export function apiError(status: number, body: string): ApiError {
  try {
    const { error, detail } = JSON.parse(body);
    return new ApiError(status, String(error.message), typeof detail === 'object' ? String(detail.error) : '');
  } catch {
    return new ApiError(status, `The service answered with status ${status}.`);
  }
}

export const unreachable = () => new ApiError(0, 'The service cannot be reached.');

/** The header that carries the key, where there is one. */
export function keyHeaders(): Record<string, string> {
  const key = storedKey();
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Sends a request with the key, which is asked for when the service wants one or another one.
 * @throws ApiError where the answer is an error, or there is none; an AbortError when `signal` aborts
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const key = storedKey();
    let response: Response;
    try {
      response = await fetch(path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), ...keyHeaders() },
      });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw unreachable();
    }
    if (response.ok) return response;
    if (response.status === 401) {
      // Meanwhile another request may have got a new one.
      if (key !== storedKey()) continue;
      const reason = key === '' ? 'This service wants an API key.' : 'The service does not accept that key.';
      if (await askForKey(reason)) continue;
    }
    throw apiError(response.status, await response.text());
  }
}

/** Like `request`, for an answer in JSON. */
export async function requestJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await request(path, init)).json() as Promise<T>;
}

/** A request with a body of JSON. */
export function jsonBody(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** What to tell people of anything thrown; undefined where they have ended it themselves. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  console.error(error);
  return error instanceof Error ? error.message : String(error);
}
