import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
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
import { HearsayError } from '../errors.ts';
import type { Certificate } from './certificate.ts';
import { limitConnections } from './connection-limit.ts';
import { handleClientError, requireOneHost, trackResponses } from './connections.ts';
import { handleEarlyResponses } from './early-response.ts';
import { ClientGone, handleErrors, handleUnknownRoutes, sendError, toHearsayError } from './errors.ts';
import { type AllowedHosts, refuseForeignHosts, refuseForeignPages, refuseForeignSockets } from './foreign-pages.ts';
import { boundBodies, IncomingBodies } from './incoming-bodies.ts';
import { assertFewValues, decodeJson } from './json.ts';
import { answerOtherMethods } from './methods.ts';
import { type CompletedRequest, observeRequest, onResponseEnd, unreadRequest } from './observe-request.ts';
import { type ApiDescription, describeApi } from './openapi.ts';
import { isUnderV1 } from './path.ts';
import { upgradeOf } from './upgrades.ts';

/** Bytes of all bodies in memory; more if a single one may be larger. */
const MAX_BODIES_BYTES = 128 * 1024 * 1024;

export interface ServerOptions {
  /** Log of the service. Requests are logged to a child with `requestLogLevel`. */
  log: FastifyBaseLogger;
  requestLogLevel: string;
  apiKey?: string | undefined;
  /** Whether this request carries another valid key, such as a client secret. */
  isTemporaryKey?: IsTemporaryKey;
  /** Origins that may call /v1; other routes send no CORS headers. */
  corsOrigins: string[] | '*';
  /** Host names that the service answers to, besides addresses and names that cannot be registered. */
  allowedHosts?: AllowedHosts;
  description: ApiDescription;
  /** Makes it an HTTPS server. */
  certificate?: Certificate | undefined;
  /**
   * Called once for each request: when its response is complete, its client has disconnected or its head is malformed.
   */
  onRequestEnd?: (request: CompletedRequest) => void;
  /** Size limit of bodies that are not forms. */
  jsonBodyBytes?: number;
  /** The largest size limit of a route, if it is above `jsonBodyBytes`. */
  largestBodyBytes?: number;
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
  const { log, apiKey, corsOrigins, allowedHosts = [], jsonBodyBytes = 1024 * 1024 } = options;
  let isClosing = false;
  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    observeRequest(request, reply, (completed) => {
      // close() ends only idle connections; a busy one would otherwise stay open until its timeout.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections());
      options.onRequestEnd?.(completed);
    });
  };
  // The types of an HTTPS app differ, its behaviour does not.
  const app: FastifyInstance = (fastify as (options: object) => FastifyInstance)({
    loggerInstance: log.child({}, { level: options.requestLogLevel }) as FastifyBaseLogger,
    // Fastify's own request lines contain the query.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: jsonBodyBytes,
    genReqId: requestId,
    // Uploads may take hours and have their own timeouts.
    requestTimeout: 0,
    ...nodeServer(options),
    keepAliveTimeout: 75_000,
    // Fastify's own 503 during close() has another body than our errors, and no Retry-After.
    return503OnClosing: false,
    // Clients append the route to an address that may end in a slash.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    // Undecodable paths skip the hooks below.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      observe(request, reply);
      sendError(reply, toHearsayError(error, request, log));
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      handleClientError(error, socket, ({ code }) => options.onRequestEnd?.(unreadRequest(code))),
  });
  app.setValidatorCompiler(validatorCompiler);
  // Drop `__proto__` and `constructor`, like other unknown members.
  const parseBody = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Clients announce JSON and send nothing, as with DELETE.
    if (body.length === 0) return done(null);
    let text: string;
    try {
      text = decodeJson(body as Buffer, 'The body');
      assertFewValues(text, 'The body');
    } catch (error) {
      return done(error as Error);
    }
    parseBody(request, text, done);
  });
  // No route reads plain text: reject its media type, not its content.
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
  // Before CORS, which adds a route.
  handleErrors(app, log);
  // Before the key: browsers may read a 401, and preflights need no key.
  await allowOrigins(app, corsOrigins);
  requireOneHost(app);
  refuseForeignHosts(app, allowedHosts);
  refuseForeignPages(app, { allowedHosts, corsOrigins });
  refuseForeignSockets(app, { allowedHosts, corsOrigins });
  requireApiKey(
    app,
    apiKey,
    ['/v1', '/api/model', '/asr', '/detect-language', '/dev', '/debug'],
    options.isTemporaryKey,
  );
  refuseCompressedBodies(app);
  handleEarlyResponses(app, { drainMs: options.drainMs ?? 10_000, bodyMs: options.bodyTimeoutMs ?? 30_000 });
  const maxBytes =
    options.maxBodiesBytes ?? Math.max(MAX_BODIES_BYTES, 2 * jsonBodyBytes, 2 * (options.largestBodyBytes ?? 0));
  boundBodies(app, new IncomingBodies({ maxCount: Number.POSITIVE_INFINITY, maxBytes }));
  answerOtherMethods(app);
  handleUnknownRoutes(app);
  await describeApi(app, options.description, apiKey !== undefined);
  return app;
}

/** Options of Node's server, with TLS if there is a certificate. */
function nodeServer({ certificate, headTimeoutMs = 30_000 }: ServerOptions): { http: object } | { https: object } {
  const http = {
    headersTimeout: headTimeoutMs,
    // Node checks for late heads only at this interval.
    connectionsCheckingInterval: headTimeoutMs / 3,
    // requireOneHost answers with the envelope.
    requireHostHeader: false,
  };
  return certificate ? { https: { ...http, ...certificate, handshakeTimeout: headTimeoutMs } } : { http };
}

/** Sends CORS headers to pages of these origins, for /v1 only. */
async function allowOrigins(app: FastifyInstance, origins: string[] | '*'): Promise<void> {
  await app.register(cors, {
    delegator: ({ url, headers }: FastifyRequest, done) => {
      done(null, {
        origin: isUnderV1(url) && origins.length > 0 ? origins : false,
        methods: ['GET', 'HEAD', 'POST', 'DELETE'],
        exposedHeaders: [
          'Content-Range',
          'ETag',
          'Location',
          'Retry-After',
          'X-Download-Path',
          'X-Request-Id',
          'X-Skipped-Text',
        ],
        maxAge: 86_400,
        // Any other OPTIONS asks for the methods of a route.
        preflight: headers.origin !== undefined && headers['access-control-request-method'] !== undefined,
      });
    },
  });
}

/** Encodings that compress. Some clients send others, such as `utf-8`, with a plain body. */
const COMPRESSION = /\b(?:gzip|deflate|br|zstd|compress)\b/i;

/** Rejects compressed bodies with a clear error: no route decompresses them, and a parser would call them malformed. */
function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'] ?? '';
    if (!COMPRESSION.test(encoding)) return;
    throw new HearsayError(
      'unsupported_media_type',
      `The body is compressed (Content-Encoding: ${encoding}). Send it uncompressed.`,
      { param: 'content-encoding' },
    );
  });
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
  // Digests have equal lengths, so that the comparison does not even leak the length of the key.
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

/** A signal that aborts with ClientGone when the client disconnects before its response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort(new ClientGone());
  onResponseEnd(reply, (complete) => {
    if (!complete) controller.abort(new ClientGone());
  });
  return controller.signal;
}
