import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { rawErrorResponse } from './errors.ts';

/** Milliseconds for a client to read its last response and close the connection. */
const LINGER_MS = 2000;

const parserErrors: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['upload_timeout', 'The head of the request took too long.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers of the request are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the request are too large.'],
};

/** Responses in flight by connection: several if a client pipelines its requests. */
const inFlight = new WeakMap<Socket, Set<ServerResponse>>();

const responsesOf = (socket: Socket) => inFlight.get(socket) ?? new Set();

/**
 * Emits `close` on every response of a connection that closes. Node tells only the first of several pipelined ones; the
 * others would never end.
 */
export function trackResponses(app: FastifyInstance): void {
  app.server.on('connection', (socket: Socket) => {
    inFlight.set(socket, new Set());
    socket.once('close', () => {
      for (const response of responsesOf(socket)) {
        if (response.socket) continue;
        response.destroy();
        response.emit('close');
      }
    });
  });
  app.addHook('onRequest', async (request, { raw }) => {
    const responses = responsesOf(request.raw.socket);
    responses.add(raw);
    raw.once('close', () => responses.delete(raw));
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
 * Answers malformed, oversized or slow request heads and closes the connection. Cuts it if a response is being sent on
 * it: the two would mix.
 */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Already answered; ignore what else arrives.
  if (socket.writableEnded && !socket.destroyed) return;
  const isResponding = [...responsesOf(socket)].some(({ headersSent }) => headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding) {
    socket.destroy();
    return;
  }
  const [code, message] = parserErrors[error.code ?? ''] ?? ['invalid_request', 'The request is malformed HTTP.'];
  socket.end(rawErrorResponse(new HearsayError(code, message)));
  // A client that never closes its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
