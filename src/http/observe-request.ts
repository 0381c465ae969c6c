import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../errors.ts';
import { traceRequest } from '../tracing/tracing.ts';
import { errorCodeOf, errorSpecs } from './errors.ts';

export interface CompletedRequest {
  /** undefined if the head could not be read. */
  method: string | undefined;
  /** Pattern of the route, e.g. `/v1/models/:model`; undefined for unknown routes. */
  route: string | undefined;
  /** 499 if the client disconnected. */
  status: number;
  /** From the request head to the end of the response; undefined if the head could not be read. */
  seconds: number | undefined;
  /** From the request head to the head of the response; undefined without one. */
  firstByteSeconds: number | undefined;
  /** Code of the error that it ended with. */
  code: ErrorCode | undefined;
}

/** A request whose head could not be read, so that no route got it. */
export function unreadRequest(code: ErrorCode): CompletedRequest {
  const { status } = errorSpecs[code];
  return { method: undefined, route: undefined, status, seconds: undefined, firstByteSeconds: undefined, code };
}

/**
 * Logs a request when it has ended, and traces it.
 * @param onEnd called once, when the response is complete or the client has disconnected
 */
export function observeRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  onEnd: (request: CompletedRequest) => void,
): void {
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
    // The 503 of a probe is not a failed request.
    const isUsual = status < 400 || status === 503;
    const level = isUsual && isBackground(request.method, route) ? 'debug' : 'info';
    request.log[level]({ method: request.method, path, status, ms: Math.round(ms) }, 'request');
    const headAt = head();
    const code = errorCodeOf(request);
    if (headAt !== undefined) span?.event('response head', headAt);
    span?.end({
      attributes: { 'http.response.status_code': status },
      // By the semantic conventions, client errors are not errors of a server span.
      error: status >= 500 ? (code ?? String(status)) : undefined,
    });
    onEnd({
      method: request.method,
      route,
      status,
      seconds: ms / 1000,
      firstByteSeconds: headAt === undefined ? undefined : (headAt - start) / 1000,
      code,
    });
  });
}

/** Whether a request is a poll or for a file of a page: these are frequent and say nothing about what clients do. */
function isBackground(method: string, route = ''): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && /^\/(?:(?:health|ready|metrics|system|api\/model\/presets)$|(?:web|docs)(?:\/|$))/.test(route);
}

/** @returns a function that returns the time when the head of the response was written, or undefined if it was not */
function timeOfHead({ raw }: FastifyReply): () => number | undefined {
  let at: number | undefined;
  const writeHead = raw.writeHead.bind(raw) as (...parameters: unknown[]) => typeof raw;
  // Node calls it for every head, implicit ones included.
  raw.writeHead = (...parameters: unknown[]) => {
    at = performance.now();
    return writeHead(...parameters);
  };
  return () => at;
}

/** Calls back once, when a response is complete or, unlike Fastify's onResponse, its client has disconnected. */
export function onResponseEnd(reply: FastifyReply, callback: (complete: boolean) => void): void {
  let complete = false;
  reply.raw.once('finish', () => {
    complete = true;
  });
  const { socket } = reply.request.raw;
  reply.raw.once('close', () => {
    // A client that has read everything may close the connection before Node has noticed that all of it is sent.
    const isSent = reply.raw.writableEnded && socket.writableLength === 0 && !socket.errored;
    callback(complete || isSent);
  });
}
