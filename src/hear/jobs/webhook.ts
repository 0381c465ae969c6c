import { createHmac } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../http/public-address.ts';

const TIMEOUT_MS = 15_000;
const MAX_URL_CHARACTERS = 2048;

/** The key of `whsec_<base64>`; undefined for any other text. */
export function webhookKey(secret: string): Buffer | undefined {
  const [, letters] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(letters ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** The headers with which a receiver verifies a message, as https://www.standardwebhooks.com has them. */
export function signatureHeaders(key: Buffer, id: string, body: string, now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** The host of a URL as the resolver takes it. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Why a text cannot be the URL of a callback, as words that follow its name; undefined if it can.
 * @param allowPrivate whether it may lead to a private address, and be plain http
 */
export function callbackFault(text: string, allowPrivate: boolean): string | undefined {
  if (text.length > MAX_URL_CHARACTERS) return `may have at most ${MAX_URL_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (allowPrivate) return undefined;
  const host = hostOf(url);
  const isLocal = /(^|\.)localhost\.?$/.test(host) || (isIP(host) > 0 && !isPublicAddress(host));
  return isLocal ? 'must not lead to a private address' : undefined;
}

/** A message was not accepted. The client that gave the URL may see the reason. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  /** Whether the receiver wants no further attempt. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal = false) {
    super(reason);
    this.isFinal = isFinal;
  }
}

/**
 * Posts JSON. Resolves the name itself, checks every address, and connects to one of them, so that DNS rebinding does
 * not help. Follows no redirects and ignores proxies of the environment.
 * @throws WebhookRefused unless the answer is 2xx; the reason of `signal`
 */
export async function post(
  target: string,
  {
    body,
    headers,
    allowPrivate,
    signal,
    timeoutMs = TIMEOUT_MS,
    dns = new Resolver({ timeout: 2000, tries: 2 }),
  }: PostOptions,
): Promise<void> {
  const fault = callbackFault(target, allowPrivate);
  if (fault !== undefined) throw new WebhookRefused(`The URL ${fault}.`, true);
  const url = new URL(target);
  // Within AbortSignal.any(), Node.js 20 collects an AbortSignal.timeout() before it fires.
  const deadline = new AbortController();
  const end = () => deadline.abort();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  const ended = new Promise<never>((_, reject) => deadline.signal.addEventListener('abort', reject, { once: true }));
  if (signal.aborted) end();
  // The system's resolver takes no signal.
  const status = await Promise.race([addressesOf(url, allowPrivate, dns), ended])
    .then((addresses) => send(url, addresses, { body, headers, signal: deadline.signal }))
    .catch((error) => {
      signal.throwIfAborted();
      if (error instanceof WebhookRefused) throw error;
      if (deadline.signal.aborted) throw new WebhookRefused(`No answer within ${timeoutMs / 1000} s.`);
      throw new WebhookRefused(`The connection failed (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
    })
    .finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    });
  if (status < 200 || status > 299) throw new WebhookRefused(`The answer was ${status}.`, status === 410);
}

export interface PostOptions {
  body: string;
  headers: Record<string, string>;
  /** Whether private addresses are allowed. */
  allowPrivate: boolean;
  signal: AbortSignal;
  /** Milliseconds for the connection and the answer. Default: 15,000 */
  timeoutMs?: number;
  /** Default: the servers of the system. */
  dns?: Pick<Resolver, 'resolve4' | 'resolve6'>;
}

interface Address {
  address: string;
  family: number;
}

async function addressesOf(
  url: URL,
  allowPrivate: boolean,
  dns: Pick<Resolver, 'resolve4' | 'resolve6'>,
): Promise<Address[]> {
  const host = hostOf(url);
  const found = allowPrivate
    ? lookup(host, { all: true })
    : isIP(host) > 0
      ? [{ address: host, family: isIP(host) }]
      : resolve(host, dns);
  const addresses = await Promise.resolve(found).catch((error) => {
    throw new WebhookRefused(`The name was not resolved (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  });
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new WebhookRefused('The name leads to a private address.');
  }
  return addresses;
}

/** Unlike `lookup`, does not block a thread of the pool that file operations need, even if the servers are slow. */
async function resolve(host: string, dns: Pick<Resolver, 'resolve4' | 'resolve6'>): Promise<Address[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  return addresses;
}

/** Sends a request to one of the addresses. @returns the status of the answer, whose body is not read */
export function send(
  url: URL,
  addresses: readonly Address[],
  { body, headers, signal }: Pick<PostOptions, 'body' | 'headers' | 'signal'>,
): Promise<number> {
  const [first] = addresses;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // A new connection, to an address that has been checked.
      agent: false,
      lookup: (_name, options, done) => {
        if (options.all) done(null, [...addresses]);
        else done(null, first!.address, first!.family);
      },
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'hearsay',
        ...headers,
      },
      signal,
    });
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.once('error', reject);
    request.end(body);
  });
}
