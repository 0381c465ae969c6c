import { randomUUID } from 'node:crypto';
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
import { requireApiKey } from './authentication.ts';
import { refuseMalformedHttp, requireOneHost, watchConnections } from './connections.ts';
import { replyEarly } from './early-reply.ts';
import { ClientGone, handleErrors, sendError, toHearsayError } from './errors.ts';
import { type ApiDescription, describeApi } from './openapi.ts';

export interface AnsweredRequest {
  method: string;
  /** Pattern of the route, e.g. `/v1/models/:model`; undefined where there is none. */
  route: string | undefined;
  /** 499 where the client hung up. */
  status: number;
  /** From the request head to the end of the answer. */
  seconds: number;
}

export interface ServerOptions {
  /** The service's log. The request log is a child of it, with a level of its own. */
  log: FastifyBaseLogger;
  requestLogLevel: string;
  apiKey?: string | undefined;
  /** Origins whose pages may call /v1; the other routes send no CORS headers. */
  corsOrigins: string[] | '*';
  description: ApiDescription;
  /** Called once for each request, when its answer is complete or its client has gone. */
  onAnswered?: (request: AnsweredRequest) => void;
  /** Limit of bodies that are not forms. */
  jsonBodyBytes?: number;
  /** How long the head of a request may take. */
  headTimeoutMs?: number;
  /** How long the rest of a refused upload is read. */
  drainMs?: number;
  /** How long a body that is not a form may take. */
  bodyTimeoutMs?: number;
}

/**
 * A server without routes: logging, keys, CORS, error answers, request ids and the API's description are in place, so
 * that routes added to it have them all. It does not listen yet.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, apiKey, headTimeoutMs = 30_000 } = options;
  let closing = false;
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id);
    const start = performance.now();
    onceOver(reply, (complete) => {
      // One that the service itself has broken holds a status for this line.
      const status = complete || reply.raw.statusCode >= 500 ? reply.raw.statusCode : 499;
      const route = request.routeOptions.url;
      const ms = performance.now() - start;
      const path = route ?? request.url.split('?', 1)[0]?.slice(0, 200);
      request.log.info({ method: request.method, path, status, ms: Math.round(ms) }, 'request');
      // Closing ends the connections that are idle by then; one whose answer came later would stay until its timeout.
      if (closing) setImmediate(() => app.server.closeIdleConnections());
      options.onAnswered?.({ method: request.method, route, status, seconds: ms / 1000 });
    });
  };
  const app: FastifyInstance = fastify({
    loggerInstance: log.child({}, { level: options.requestLogLevel }) as FastifyBaseLogger,
    // Fastify's own request lines hold the query.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.jsonBodyBytes ?? 1024 * 1024,
    genReqId: requestId,
    // Recordings may take long to arrive and to transcribe: only a silent head is cut off, uploads watch themselves.
    requestTimeout: 0,
    http: {
      headersTimeout: headTimeoutMs,
      // A head is found to be late when the connections are looked at.
      connectionsCheckingInterval: headTimeoutMs / 3,
      // Refused below instead, with the envelope.
      requireHostHeader: false,
    },
    keepAliveTimeout: 75_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // A path that cannot be decoded gets here without the hooks below.
    frameworkErrors: (error, request, reply) => {
      watch(request as FastifyRequest, reply as FastifyReply);
      sendError(reply as FastifyReply, toHearsayError(error, request as FastifyRequest, log));
    },
    clientErrorHandler: refuseMalformedHttp,
  });
  // Fastify would take it for a body that is one string, and the field that is then missing for what is wrong.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  // No route reads plain text: left in, it would fail the schema instead of the type.
  app.removeContentTypeParser('text/plain');
  // The schemas describe what the types already hold; encoding through them would only cost time.
  app.setSerializerCompiler(() => JSON.stringify);

  watchConnections(app);
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });

  app.addHook('onRequest', async (request, reply) => watch(request, reply));
  // Ahead of the key, so that a browser may read a 401 and its preflight needs no key.
  await app.register(cors, {
    delegator: (request, done) => {
      const isApi = (request as FastifyRequest).url.startsWith('/v1/');
      done(null, {
        origin: isApi && options.corsOrigins.length > 0 ? options.corsOrigins : false,
        exposedHeaders: ['Retry-After', 'X-Download-Path', 'X-Request-Id'],
        maxAge: 86_400,
        strictPreflight: false,
      });
    },
  });
  requireOneHost(app);
  requireApiKey(app, apiKey, ['/v1', '/api/model', '/dev', '/debug']);
  replyEarly(app, { drainMs: options.drainMs ?? 10_000, bodyMs: options.bodyTimeoutMs ?? 30_000 });
  handleErrors(app, log);
  await describeApi(app, options.description);
  return app;
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Calls back once, when an answer is complete or, unlike Fastify's onResponse, its client has hung up. */
function onceOver(reply: FastifyReply, callback: (complete: boolean) => void): void {
  let complete = false;
  reply.raw.once('finish', () => {
    complete = true;
  });
  reply.raw.once('close', () => callback(complete));
}

/** Aborts, with ClientGone, when the client hangs up before its answer is complete. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort(new ClientGone());
  onceOver(reply, (complete) => {
    if (!complete) controller.abort(new ClientGone());
  });
  return controller.signal;
}
