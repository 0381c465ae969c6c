import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { traceRequest } from '../tracing/tracing.ts';
import type { Certificate } from './certificate.ts';
import { limitConnections } from './connection-limit.ts';
import { handleClientError, handleEarlyResponses, requireOneHost, trackResponses } from './connections.ts';
import { ClientGone, errorCodeOf, handleErrors, handleUnknownRoutes, sendError, toHearsayError } from './errors.ts';
import { type AllowedHosts, refuseForeignHosts, refuseForeignPages, refuseForeignSockets } from './foreign-pages.ts';
import { boundBodies, IncomingBodies } from './incoming-bodies.ts';
import { answerOtherMethods } from './methods.ts';
import { type ApiDescription, describeApi } from './openapi.ts';
import { upgradeOf } from './upgrades.ts';

/** Bytes of all bodies in memory; more if a single one may be larger. */
const MAX_BODIES_BYTES = 128 * 1024 * 1024;

export interface CompletedRequest {
  method: string;
  /** Pattern of the route, e.g. `/v1/models/:model`; undefined for unknown routes. */
  route: string | undefined;
  /** 499 if the client disconnected. */
  status: number;
  /** From the request head to the end of the response. */
  seconds: number;
  /** From the request head to the head of the response; undefined without one. */
  firstByteSeconds: number | undefined;
  /** Of the error that it ended with. */
  code: ErrorCode | undefined;
}

export interface ServerOptions {
  /** Log of the service. Requests are logged to a child with `requestLogLevel`. */
  log: FastifyBaseLogger;
  requestLogLevel: string;
  apiKey?: string | undefined;
  /** Whether a key was given out for this request. */
  isTemporaryKey?: IsTemporaryKey;
  /** Origins that may call /v1; other routes send no CORS headers. */
  corsOrigins: string[] | '*';
  /** Host names that the service answers to, beside addresses and names without a dot. */
  allowedHosts?: AllowedHosts;
  description: ApiDescription;
  /** Makes it an HTTPS server. */
  certificate?: Certificate | undefined;
  /** Called once for each request, when its response is complete or its client has disconnected. */
  onRequestEnd?: (request: CompletedRequest) => void;
  /** Size limit of bodies that are not forms. */
  jsonBodyBytes?: number;
  /** Size limit of all such bodies together. */
  maxBodiesBytes?: number;
  /** Open connections; unlimited by default. */
  maxConnections?: number;
  /** Milliseconds for the head of a request to arrive. */
  headTimeoutMs?: number;
  /** Milliseconds that the rest of a refused body is read. */
  drainMs?: number;
  /** Milliseconds for a body that is not a form to arrive. */
  bodyTimeoutMs?: number;
}

/**
 * Creates a server without routes and without listening. Routes added to it get logging, keys, CORS, error responses,
 * request ids and the API description.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, apiKey, headTimeoutMs = 30_000, jsonBodyBytes = 1024 * 1024 } = options;
  let isClosing = false;
  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const start = performance.now();
    const head = timeOfHead(reply);
    const url = request.routeOptions.url;
    const span = isBackground(request.method, url)
      ? undefined
      : traceRequest(request.raw, {
          'http.route': url ?? 'unknown',
          'http.request.method': request.method,
          'hearsay.request_id': request.id,
        });
    onResponseEnd(reply, (complete) => {
      // A response aborted by the service itself has a 5xx, and a WebSocket never has a complete one.
      const { statusCode } = reply.raw;
      const status = complete || statusCode >= 500 || statusCode === 101 ? statusCode : 499;
      const route = request.routeOptions.url;
      const ms = performance.now() - start;
      const path = route ?? request.url.split('?', 1)[0]?.slice(0, 200);
      // A probe's 503 is no failed request.
      const isUsual = status < 400 || status === 503;
      const level = isUsual && isBackground(request.method, route) ? 'debug' : 'info';
      request.log[level]({ method: request.method, path, status, ms: Math.round(ms) }, 'request');
      // close() ends only the connections idle by then; those busy with a response would stay until their timeout.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections());
      const headAt = head();
      const code = errorCodeOf(request);
      if (headAt !== undefined) span?.event('response head', headAt);
      span?.end({
        attributes: { 'http.response.status_code': status },
        // As the conventions have it: what the client did wrong is no error of a server.
        error: status >= 500 ? (code ?? String(status)) : undefined,
      });
      options.onRequestEnd?.({
        method: request.method,
        route,
        status,
        seconds: ms / 1000,
        firstByteSeconds: headAt === undefined ? undefined : (headAt - start) / 1000,
        code,
      });
    });
  };
  const http = {
    headersTimeout: headTimeoutMs,
    // Late heads are found at these intervals only.
    connectionsCheckingInterval: headTimeoutMs / 3,
    // requireOneHost answers with the envelope.
    requireHostHeader: false,
  };
  const { certificate } = options;
  // The types of an HTTPS app differ, its behaviour does not.
  const app: FastifyInstance = (fastify as (options: object) => FastifyInstance)({
    loggerInstance: log.child({}, { level: options.requestLogLevel }) as FastifyBaseLogger,
    // Fastify's own request lines contain the query.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: jsonBodyBytes,
    genReqId: requestId,
    // Uploads may take hours and have timeouts of their own.
    requestTimeout: 0,
    ...(certificate ? { https: { ...http, ...certificate, handshakeTimeout: headTimeoutMs } } : { http }),
    keepAliveTimeout: 75_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Undecodable paths skip the hooks below.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      observe(request, reply);
      sendError(reply, toHearsayError(error, request, log));
    },
    clientErrorHandler: handleClientError,
  });
  app.setValidatorCompiler(validatorCompiler);
  // No route reads plain text: it must fail as a media type, not in the schema.
  app.removeContentTypeParser('text/plain');
  // TypeScript checks the responses already; encoding through the schemas would only cost time.
  app.setSerializerCompiler(() => JSON.stringify);

  trackResponses(app);
  limitConnections(app, options.maxConnections ?? Number.POSITIVE_INFINITY, log);
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });

  app.addHook('onRequest', async (request, reply) => observe(request, reply));
  // Before CORS, which has a route of its own.
  handleErrors(app, log);
  // Before the key: browsers may read a 401, and preflights need no key.
  await app.register(cors, {
    delegator: (request, done) => {
      const isApi = (request as FastifyRequest).url.startsWith('/v1/');
      done(null, {
        origin: isApi && options.corsOrigins.length > 0 ? options.corsOrigins : false,
        methods: ['GET', 'HEAD', 'POST', 'DELETE'],
        exposedHeaders: ['Location', 'Retry-After', 'X-Download-Path', 'X-Request-Id', 'X-Skipped-Text'],
        maxAge: 86_400,
        strictPreflight: false,
      });
    },
  });
  requireOneHost(app);
  const { allowedHosts = [] } = options;
  refuseForeignHosts(app, allowedHosts);
  refuseForeignPages(app, allowedHosts);
  refuseForeignSockets(app, { allowedHosts, corsOrigins: options.corsOrigins });
  requireApiKey(
    app,
    apiKey,
    ['/v1', '/api/model', '/asr', '/detect-language', '/dev', '/debug'],
    options.isTemporaryKey,
  );
  handleEarlyResponses(app, { drainMs: options.drainMs ?? 10_000, bodyMs: options.bodyTimeoutMs ?? 30_000 });
  const maxBytes = options.maxBodiesBytes ?? Math.max(MAX_BODIES_BYTES, 2 * jsonBodyBytes);
  boundBodies(app, new IncomingBodies({ maxCount: Number.POSITIVE_INFINITY, maxBytes }));
  answerOtherMethods(app);
  handleUnknownRoutes(app);
  await describeApi(app, options.description, apiKey !== undefined);
  return app;
}

/** Whether a request is a poll or for a file of a page: they come in dozens, and say nothing of what clients do. */
function isBackground(method: string, route = ''): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && /^\/(?:(?:health|ready|metrics|system)$|(?:web|docs)(?:\/|$))/.test(route);
}

const sha256 = (text: string, encoding: BufferEncoding) => createHash('sha256').update(text, encoding).digest();

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

type IsTemporaryKey = (key: string, request: FastifyRequest) => boolean;

const KEY_PROTOCOL = 'openai-insecure-api-key.';

/**
 * The key of a request: `Authorization: Bearer <key>`, or of a WebSocket, to which browsers add no headers, the
 * subprotocol `openai-insecure-api-key.<key>`.
 */
export function keyOf({ raw, headers }: FastifyRequest): string | undefined {
  const key = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined || !upgradeOf(raw)) return key;
  const protocols = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? [];
  return protocols.find((protocol) => protocol.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length);
}

/**
 * Requires the key, see `keyOf`, on every path under the prefixes, before a body is read. Register it before the routes.
 * Does nothing without a key.
 */
export function requireApiKey(
  app: FastifyInstance,
  apiKey: string | undefined,
  prefixes: string[],
  isTemporaryKey: IsTemporaryKey = () => false,
): void {
  if (apiKey === undefined) return;
  const expected = sha256(apiKey, 'utf8');
  // Digests have equal lengths: the comparison leaks nothing, not even the length of the key.
  const isKey = (digest: Buffer) => timingSafeEqual(digest, expected);
  app.addHook('onRequest', async (request) => {
    // The raw path may be percent-encoded and still match a route.
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
    if (!prefixes.some((prefix) => isUnder(path, prefix))) return;
    const key = keyOf(request);
    // Node decodes headers as Latin-1; clients may send keys beyond ASCII in UTF-8.
    if (key !== undefined && (isKey(sha256(key, 'latin1')) || isKey(sha256(key, 'utf8')))) return;
    if (key === undefined || !isTemporaryKey(key, request))
      throw new HearsayError('invalid_api_key', 'Invalid API key');
  });
}

function requestId(request: IncomingMessage): string {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID();
}

/** @returns a function with the time when the head of the response was written; undefined before, or without one */
function timeOfHead({ raw }: FastifyReply): () => number | undefined {
  let at: number | undefined;
  const writeHead = raw.writeHead.bind(raw) as (...parameters: unknown[]) => typeof raw;
  // Node calls it for every head, also for one that nobody writes explicitly.
  raw.writeHead = (...parameters: unknown[]) => {
    at = performance.now();
    return writeHead(...parameters);
  };
  return () => at;
}

/** Calls back once, when a response is complete or, unlike Fastify's onResponse, its client has disconnected. */
function onResponseEnd(reply: FastifyReply, callback: (complete: boolean) => void): void {
  let complete = false;
  reply.raw.once('finish', () => {
    complete = true;
  });
  reply.raw.once('close', () => callback(complete));
}

/** A signal that aborts with ClientGone when the client disconnects before its response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort(new ClientGone());
  onResponseEnd(reply, (complete) => {
    if (!complete) controller.abort(new ClientGone());
  });
  return controller.signal;
}
