import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';
import { isUnderV1 } from './path.ts';
import { upgradeOf } from './upgrades.ts';

/** Names in lower case; `*.example.org` matches every name below example.org. */
export type AllowedHosts = readonly string[] | '*';

/** The name in a Host header, without its port and in lower case; undefined if it is malformed. */
function hostName(host: string): string | undefined {
  return /^(\[[^\]]+\]|[^:]+?)\.?(?::\d*)?$/.exec(host)?.[1]?.toLowerCase();
}

function isListed(name: string, allowed: AllowedHosts): boolean {
  if (allowed === '*') return true;
  return allowed.some((each) => each === name || (each.startsWith('*.') && name.endsWith(each.slice(1))));
}

/** Domains reserved for private networks, in which no stranger can register a name: RFC 6761, 6762 and 8375; `.internal` by ICANN. */
const PRIVATE_DOMAINS: AllowedHosts = ['*.localhost', '*.local', '*.home.arpa', '*.internal'];

/**
 * Whether the service accepts requests for a host name. A name without a dot or in a private domain is local to this
 * machine, its network or its containers; any other may be pointed here by a stranger (DNS rebinding).
 */
function isServed(name: string, allowed: AllowedHosts): boolean {
  if (isIP(name) !== 0 || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return !name.includes('.') || isListed(name, PRIVATE_DOMAINS) || isListed(name, allowed);
}

/** Rejects requests for a foreign host name: a page of another site whose name was pointed here (DNS rebinding). */
export function refuseForeignHosts(app: FastifyInstance, allowed: AllowedHosts): void {
  app.addHook('onRequest', async ({ headers: { host } }) => {
    // Only HTTP/1.0 requests may lack it, and no browser sends those.
    if (host === undefined) return;
    const name = hostName(host);
    if (name !== undefined && isServed(name, allowed)) return;
    const shown = JSON.stringify((name ?? host).slice(0, 100));
    throw new HearsayError('forbidden', `The host ${shown} is not allowed. To serve it, add it to ALLOWED_HOSTS.`);
  });
}

interface ForeignPages {
  allowedHosts: AllowedHosts;
  /** Origins whose pages may use `/v1`. */
  corsOrigins: readonly string[] | '*';
}

/**
 * Rejects requests from pages of other origins, except safe ones: outside `/v1` all of them, under it those that CORS
 * does not allow. Browsers send simple requests without a preflight, and CORS only hides the responses.
 */
export function refuseForeignPages(app: FastifyInstance, { allowedHosts, corsOrigins }: ForeignPages): void {
  app.addHook('onRequest', async (request) => {
    const { method, headers, routeOptions } = request;
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
    const { origin, 'sec-fetch-site': site, host = '' } = headers;
    const isApi = isUnderV1(routeOptions.url ?? request.url);
    if (isApi && (origin === undefined || isListedOrigin(origin, corsOrigins))) return;
    // Browsers send this header on secure pages, and no proxy changes it.
    if (site !== undefined ? isOwnSite(String(site)) : isOwnOrigin(origin, host, allowedHosts)) return;
    const rule = isApi
      ? 'Pages of origins that are not in CORS_ORIGINS may not use this route.'
      : 'Pages of other origins may not use this route.';
    throw new HearsayError('forbidden', `${rule}${site === undefined ? hintOf(origin) : ''}`);
  });
}

/**
 * Rejects WebSockets of pages whose origin may not call the service: browsers open WebSockets across origins without a
 * preflight, and let the page read all messages.
 */
export function refuseForeignSockets(app: FastifyInstance, { allowedHosts, corsOrigins }: ForeignPages): void {
  app.addHook('onRequest', async ({ raw, headers: { origin, host = '' } }) => {
    if (!upgradeOf(raw) || origin === undefined || isListedOrigin(origin, corsOrigins)) return;
    if (isOwnOrigin(origin, host, allowedHosts)) return;
    throw new HearsayError(
      'forbidden',
      `Pages of this origin may not use the service. To allow them, see CORS_ORIGINS.${hintOf(origin)}`,
    );
  });
}

const isListedOrigin = (origin: string, listed: readonly string[] | '*') => listed === '*' || listed.includes(origin);

/** A proxy that replaces the Host makes the service's own pages look like foreign ones. */
function hintOf(origin: string | undefined): string {
  if (origin === undefined || !URL.canParse(origin)) return '';
  const shown = JSON.stringify(new URL(origin).hostname.slice(0, 100));
  return ` If ${shown} is this service, ALLOWED_HOSTS must name it, or the proxy pass on the Host.`;
}

const isOwnSite = (site: string) => site === 'same-origin' || site === 'none';

function isOwnOrigin(origin: string | undefined, host: string, allowed: AllowedHosts): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  // A proxy may have replaced the Host, and ended TLS.
  if (allowed !== '*' && isListed(page.hostname, allowed)) return true;
  const own = `${page.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === page.host;
}
