import { setTimeout as sleep } from 'node:timers/promises';
import { HearsayError } from '../errors.ts';

/** A transient failure, worth a retry. Its message follows "because". */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

export interface HubAccess {
  /** Base URL without a trailing slash. */
  endpoint: string;
  token: string | undefined;
  /** Milliseconds without data before an attempt is aborted. */
  stallTimeoutMs: number;
  /** Retries of an interrupted request. */
  retries: number;
  /** Milliseconds before the first retry, doubled for each further one. */
  retryDelayMs: number;
}

export interface HubResponse {
  response: Response;
  /** The next bytes of the body; undefined at its end. @throws Interruption */
  read(): Promise<Uint8Array | undefined>;
}

/** Host and port of the hub, for messages. */
export function hostOf(access: HubAccess): string {
  return new URL(access.endpoint).host;
}

/**
 * Sends a GET request with the token and follows redirects; fetch drops the token if one leads to another origin.
 * Cancels the rest of the body when `use` ends.
 *
 * @param offset first byte to request, 0 for the whole file
 * @throws Interruption if the connection fails, breaks or stalls; `signal.reason`
 */
export async function get<T>(
  access: HubAccess,
  url: string,
  offset: number,
  signal: AbortSignal,
  use: (response: HubResponse) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // With compression, lengths and ranges would not count bytes of the file.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (access.token !== undefined) {
    // The error of fetch would show the token.
    if (!/^[!-~]+$/.test(access.token)) {
      throw new HearsayError('model_load_failed', 'HF_TOKEN contains an invalid character. Set it again.');
    }
    headers.authorization = `Bearer ${access.token}`;
  }
  if (offset > 0) headers.range = `bytes=${offset}-`;

  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', stop);

  async function network<R>(work: () => Promise<R>): Promise<R> {
    let stalled = false;
    const timer = setTimeout(() => {
      stalled = true;
      controller.abort();
    }, access.stallTimeoutMs);
    try {
      return await work();
    } catch (cause) {
      signal.throwIfAborted();
      if (stalled) throw new Interruption(`nothing arrived for ${access.stallTimeoutMs / 1000} s`, { cause });
      throw new Interruption(`the connection failed${codeOf(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    const response = await network(() => fetch(url, { headers, signal: controller.signal }));
    const reader = response.body?.getReader();
    return await use({
      response,
      read: async () => (reader === undefined ? undefined : (await network(() => reader.read())).value),
    });
  } finally {
    signal.removeEventListener('abort', stop);
    controller.abort();
  }
}

/** fetch hides the reason (ECONNREFUSED, CERT_HAS_EXPIRED …) in `cause`. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? ` (${code})` : '';
}

/**
 * Retries `attempt` on an Interruption, at most `access.retries` times in a row, with exponential backoff.
 *
 * @param progressed whether the failed attempt brought enough to restart the count
 * @throws the last Interruption; any other error of `attempt`, at once; `signal.reason`
 */
export async function withRetries<T>(
  access: HubAccess,
  signal: AbortSignal,
  attempt: () => Promise<T>,
  progressed: () => boolean = () => false,
): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      failures = progressed() ? 1 : failures + 1;
      if (failures > access.retries) throw error;
      const delay = access.retryDelayMs * 2 ** (failures - 1);
      await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/**
 * Throws unless the response is a success.
 *
 * @param repository as the user wrote it
 * @param file the requested file; undefined for the list of files
 * @throws Interruption if a retry may succeed, otherwise HearsayError `model_load_failed` with advice for the user
 */
export function assertOk(access: HubAccess, response: Response, repository: string, file?: string): void {
  if (response.ok) return;
  const { status } = response;
  const host = hostOf(access);
  // A storage host refuses an expired signed URL; a retry gets a new one from the hub.
  const isOtherOrigin = new URL(response.url).origin !== new URL(access.endpoint).origin;
  if (isOtherOrigin || status === 408 || status === 429 || status >= 500) {
    throw new Interruption(`${new URL(response.url).host} responded with status ${status}`);
  }
  throw new HearsayError('model_load_failed', reason());

  function reason(): string {
    if (status === 401 || status === 403) {
      return access.token === undefined
        ? `The model hub ${host} denies access to ${repository}: it is gated or private, or its name is wrong. Check the name, accept its conditions on its page, and set HF_TOKEN to a token with read access.`
        : `The model hub ${host} denies the token in HF_TOKEN access to ${repository}. Check the name and the token, and accept the conditions on the repository's page if it is gated.`;
    }
    if (status === 404 || status === 410) {
      return file === undefined
        ? `The model hub ${host} has no model repository ${repository}. Check its name and revision.`
        : `The model hub ${host} has no file ${file} in ${repository}.`;
    }
    return `The model hub ${host} responded with status ${status} for ${repository}.`;
  }
}
