import { setTimeout as sleep } from 'node:timers/promises';
import { HearsayError } from '../errors.ts';

/** A failure that may pass by itself: the same request is worth another try. Its message completes 'because …'. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

export interface HubAccess {
  /** Base address without a slash at its end. */
  endpoint: string;
  token: string | undefined;
  /** Milliseconds without a byte after which an attempt is given up. */
  stallTimeoutMs: number;
  /** Further attempts after an interrupted one. */
  retries: number;
  /** Milliseconds before the first further attempt; doubled for each after it. */
  retryDelayMs: number;
}

export interface HubAnswer {
  response: Response;
  /** The next bytes of the body, undefined at its end. Throws an Interruption. */
  read(): Promise<Uint8Array | undefined>;
}

/** Host and port of the hub, as messages name it. */
export function hostOf(access: HubAccess): string {
  return new URL(access.endpoint).host;
}

/**
 * One GET request, with the token. Redirects are followed; fetch drops the token where one leads to another origin.
 * What is left of the body when `use` ends is cancelled.
 *
 * @param range first byte wanted of the file, 0 for all of it
 * @throws Interruption where the connection fails, breaks or stalls; `signal.reason` where the caller aborts
 */
export async function get<T>(
  access: HubAccess,
  url: string,
  range: number,
  signal: AbortSignal,
  use: (answer: HubAnswer) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Lengths and ranges count the bytes of the file only while nothing is compressed on the way.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (access.token !== undefined) {
    // fetch would say so too, in a message that holds the token.
    if (!/^[!-~]+$/.test(access.token)) {
      throw new HearsayError('model_load_failed', 'HF_TOKEN holds a character that no token has. Set it anew.');
    }
    headers.authorization = `Bearer ${access.token}`;
  }
  if (range > 0) headers.range = `bytes=${range}-`;

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

/** fetch hides the reason (ECONNREFUSED, CERT_HAS_EXPIRED …) one level down. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? ` (${code})` : '';
}

/**
 * Repeats `attempt` while it is interrupted, `access.retries` times in a row at most, waiting longer each time.
 *
 * @param progressed whether the attempt that just broke off brought enough to start the count again
 * @throws the last Interruption; anything else that `attempt` throws, at once; `signal.reason` when aborted
 */
export async function retrying<T>(
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
 * Turns an answer that is not a success into an error that says what to do.
 *
 * @param repository as the user wrote it
 * @param file the file asked for; absent where the list of files was
 * @throws Interruption where a later attempt may succeed, else HearsayError `model_load_failed`
 */
export function refuseFailure(access: HubAccess, response: Response, repository: string, file?: string): void {
  if (response.ok) return;
  const { status } = response;
  const host = hostOf(access);
  // A storage host refuses when its signed address has expired; the next attempt gets a new one from the hub.
  const elsewhere = new URL(response.url).origin !== new URL(access.endpoint).origin;
  if (elsewhere || status === 408 || status === 429 || status >= 500) {
    throw new Interruption(`${new URL(response.url).host} answered with status ${status}`);
  }
  throw new HearsayError('model_load_failed', reason());

  function reason(): string {
    if (status === 401 || status === 403) {
      return access.token === undefined
        ? `The model hub ${host} refuses ${repository}: it is gated or private, or its name is wrong. Check the name, accept its conditions on its page, and set HF_TOKEN to a token that may read it.`
        : `The model hub ${host} refuses ${repository} to the token in HF_TOKEN. Check the name and the token, and accept the conditions on the repository's page if it is gated.`;
    }
    if (status === 404 || status === 410) {
      return file === undefined
        ? `The model hub ${host} has no model repository ${repository}. Check its name and revision.`
        : `The model hub ${host} has no file ${file} in ${repository}.`;
    }
    return `The model hub ${host} answered with status ${status} for ${repository}.`;
  }
}
