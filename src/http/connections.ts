import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { ClientGone, rawErrorResponse } from './errors.ts';

/** Milliseconds for a client to read its last response and close the connection. */
const LINGER_MS = 2000;

const parserErrors: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['upload_timeout', 'The head of the request took too long.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers of the request are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the request are too large.'],
};

/**
 * Listeners of a response: each step of a request frees its resources on `close`, and Node warns above 10 listeners.
 */
const MAX_LISTENERS = 30;

/** Maximum number of unanswered requests on a connection; benchmark tools pipeline many. */
const MAX_PIPELINED = 1000;

/** Responses in flight by connection, in order: several if a client pipelines its requests. */
const inFlight = new WeakMap<Socket, Set<ServerResponse>>();

const responsesOf = (socket: Socket) => inFlight.get(socket) ?? new Set();

/** Whether a request of the connection has no complete response yet. */
export const hasRequest = (socket: Socket) => responsesOf(socket).size > 0;

/** The last of the responses in flight on a connection; undefined if there is none. */
export const lastResponse = (socket: Socket) => [...responsesOf(socket)].at(-1);

/** The server event for a connection that carries requests: with TLS, emitted after the handshake. */
export const connectionEvent = ({ server }: FastifyInstance) =>
  server instanceof TlsServer ? 'secureConnection' : 'connection';

/**
 * Calls a listener with every request, before it is routed. Node has separate events for requests with an `Expect`
 * header.
 */
export function onEveryRequest(
  server: Server,
  listener: (raw: IncomingMessage, response: ServerResponse) => void,
): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, listener);
}

/** Counts a response until it is closed. */
export function trackResponse(socket: Socket, response: ServerResponse): void {
  const responses = responsesOf(socket);
  responses.add(response);
  response.once('close', () => responses.delete(response));
}

/**
 * Emits `close` on every response of a connection that closes: Node emits it only on the first of several pipelined
 * ones, and the others would never end. Handles pipelined requests one after the other, so that none holds a resource
 * that an earlier one waits for.
 */
export function trackResponses(app: FastifyInstance): void {
  app.server.on(connectionEvent(app), (socket: Socket) => {
    // Emitted again by upgrades.ts.
    if (inFlight.has(socket)) return;
    inFlight.set(socket, new Set());
    socket.once('close', () => {
      for (const response of responsesOf(socket)) {
        if (response.socket) continue;
        response.destroy();
        response.emit('close');
      }
    });
  });
  onEveryRequest(app.server, ({ socket }, response) => {
    trackResponse(socket, response);
    if (responsesOf(socket).size > MAX_PIPELINED) socket.destroy();
  });
  app.addHook('onRequest', async (request, { raw }) => {
    raw.setMaxListeners(MAX_LISTENERS);
    const { socket } = request.raw;
    const responses = [...responsesOf(socket)];
    const before = responses[responses.indexOf(raw) - 1];
    if (!before) return;
    await new Promise((resolve) => before.once('close', resolve));
    if (socket.destroyed) throw new ClientGone();
  });
}

/** Rejects requests with no Host or several: a proxy in between might pick another one than we do. */
export function requireOneHost(app: FastifyInstance): void {
  // Node ignores headers beyond the first 2000, and with them a second Host. The size of a head is limited anyway.
  app.server.maxHeadersCount = 0;
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return;
    throw new HearsayError('invalid_request', 'A request must have exactly one Host header.');
  });
}

/**
 * The connection of a client that sent plain HTTP to a server of HTTPS, which can still be written to below TLS. Node has it
 * in an internal property: without that, the connection is closed without an answer.
 */
const plainSocket = (error: NodeJS.ErrnoException, socket: Socket): Socket | undefined =>
  error.code === 'ERR_SSL_HTTP_REQUEST' ? (socket as { _parent?: Socket })._parent : undefined;

/**
 * Answers malformed, oversized or slow request heads and closes the connection. If a response is being sent on it,
 * cuts it without an answer, which would corrupt that response.
 *
 * @param onRefused called with each answer to a head, unless the client sent nothing: browsers open connections in advance
 */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  onRefused: (error: HearsayError) => void,
): void {
  const plain = plainSocket(error, socket);
  if (plain?.writable) {
    const refusal = new HearsayError('invalid_request', 'This port takes HTTPS: the address must begin with https://.');
    plain.end(rawErrorResponse(refusal));
    onRefused(refusal);
    linger(socket);
    return;
  }
  // Already answered; ignore what else arrives.
  if (socket.writableEnded && !socket.destroyed) return;
  const isResponding = [...responsesOf(socket)].some(({ headersSent }) => headersSent);
  // After a failed handshake nothing can be sent.
  const isTls = /^ERR_(SSL|TLS)/.test(error.code ?? '');
  if (error.code === 'ECONNRESET' || isTls || !socket.writable || isResponding) {
    socket.destroy();
    return;
  }
  const [code, message] = parserErrors[error.code ?? ''] ?? ['invalid_request', 'The request is malformed HTTP.'];
  const refusal = new HearsayError(code, message);
  // Its request has been routed, and is counted there.
  const isInBody = lastResponse(socket)?.req.complete === false;
  socket.end(rawErrorResponse(refusal));
  if (socket.bytesRead > 0 && !isInBody) onRefused(refusal);
  linger(socket);
}

/** Closes a connection after its last response: a client that never closes its side would keep it open. */
function linger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
