import { askForRequiredKey, forgetRejectedKey, REQUIRED, storedKey } from './key.ts';

/** A request that failed, with or without a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Error code such as `model_warming`; empty if the service names none. */
  readonly code: string;
  /** Seconds after which the service may be asked again; undefined if it does not say. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, code = '', retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Reads the body of an error response. @param retryAfter its header Retry-After */
export function apiError(status: number, body: string, retryAfter: string | null = null): ApiError {
  // Proxies may send a date.
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  try {
    const { error, detail } = JSON.parse(body);
    const code = typeof detail === 'object' ? String(detail.error) : '';
    return new ApiError(status, String(error.message), code, seconds);
  } catch {
    return new ApiError(status, `The service responded with status ${status}.`, '', seconds);
  }
}

export const unreachable = () => new ApiError(0, 'The service cannot be reached.', 'unreachable');

/** The header with the stored key, if any. */
export function keyHeaders(): Record<string, string> {
  // Browsers take characters of headers as bytes, and refuse to send others.
  const key = Array.from(new TextEncoder().encode(storedKey()), (byte) => String.fromCharCode(byte)).join('');
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Sends a request with the stored key, and asks for a key if the service rejects it.
 * @throws ApiError if the response is an error or missing; an AbortError when `signal` aborts
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const key = storedKey();
    const headers = { ...(init.headers as Record<string, string>), ...keyHeaders() };
    const response = await connected(fetch(path, { ...init, headers }), init.signal);
    if (response.ok) return response;
    if (response.status === 401) {
      // Another request may have asked for a new key.
      if (key !== storedKey()) continue;
      if (key !== '') forgetRejectedKey();
      const reason = key === '' ? REQUIRED : 'The service does not accept that key.';
      if (await askForRequiredKey(reason)) continue;
      throw new ApiError(response.status, reason);
    }
    throw apiError(response.status, await response.text(), response.headers.get('retry-after'));
  }
}

/**
 * What is exchanged with the service, such as the body of a response.
 * @throws ApiError if the connection breaks; an AbortError when `signal` aborts
 */
export function connected<T>(exchange: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return exchange.catch((error) => {
    throw signal?.aborted ? error : unreachable();
  });
}

/** Like `request`, for a JSON response. */
export async function requestJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await request(path, init)).json() as Promise<T>;
}

/** A POST request with a JSON body. */
export function jsonBody(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The message to show for anything thrown; undefined if the user aborted. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  console.error(error);
  return error instanceof Error ? error.message : String(error);
}
