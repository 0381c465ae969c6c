import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { rawErrorAnswer } from './errors.ts';

/** Milliseconds that a client is given to take the last answer of its connection and to close it. */
const LINGER_MS = 2000;

const refusals: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['upload_timeout', 'The head of the request took too long.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers of the request are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the request are too large.'],
};

/** Answers that are not complete, by their connection. There are several where a client pipelines its requests. */
const underWay = new WeakMap<Socket, Set<ServerResponse>>();

const answersOf = (socket: Socket) => underWay.get(socket) ?? new Set();

/**
 * Lets every answer hear when its connection closes. Node tells only the one whose turn it is; those behind it, to
 * requests that were pipelined, would never end.
 */
export function watchConnections(app: FastifyInstance): void {
  app.server.on('connection', (socket: Socket) => {
    underWay.set(socket, new Set());
    socket.once('close', () => {
      for (const answer of answersOf(socket)) {
        if (answer.socket) continue;
        answer.destroy();
        answer.emit('close');
      }
    });
  });
  app.addHook('onRequest', async (request, { raw }) => {
    const answers = answersOf(request.raw.socket);
    answers.add(raw);
    raw.once('close', () => answers.delete(raw));
  });
}

/** Refuses a request without a Host, or with several of them: each host between here and there may believe another one. */
export function requireOneHost(app: FastifyInstance): void {
  // Node passes over all headers but the first 2000, a second Host among them; the size of a head is limited anyway.
  app.server.maxHeadersCount = 0;
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return;
    throw new HearsayError('invalid_request', 'A request has one Host header.');
  });
}

/**
 * Answers what is no HTTP, too much of it, or too slow in coming, and closes the connection. In the middle of another
 * answer, it is cut off instead: the two would mix.
 */
export function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // It has its answer, and what still comes is not for us.
  if (socket.writableEnded && !socket.destroyed) return;
  const isBegun = [...answersOf(socket)].some(({ headersSent }) => headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || isBegun) {
    socket.destroy();
    return;
  }
  const [code, message] = refusals[error.code ?? ''] ?? ['invalid_request', 'The request is malformed HTTP.'];
  socket.end(rawErrorAnswer(new HearsayError(code, message)));
  // A client that never closes its side would keep the connection for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
