import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { hasRequest } from './connections.ts';

/** Milliseconds between log lines about the limit. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Bounds the open connections. One more closes the one that has been without a request for longest, so that idle
 * connections keep nobody out; if all are serving requests, it is closed itself.
 */
export function limitConnections(app: FastifyInstance, maxConnections: number, log: FastifyBaseLogger): void {
  /** Longest without a request first. */
  const sockets = new Set<Socket>();
  let lastLogged = Number.NEGATIVE_INFINITY;
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (sockets.size <= maxConnections) return;
    // The new one is last.
    const closed = [...sockets].find((each) => !hasRequest(each))!;
    sockets.delete(closed);
    closed.destroy();
    if (performance.now() - lastLogged < LOG_INTERVAL_MS) return;
    lastLogged = performance.now();
    log.warn(`MAX_CONNECTIONS (${maxConnections}) reached: closing idle connections, and new ones if there are none`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    reply.raw.once('close', () => {
      if (sockets.delete(socket)) sockets.add(socket);
    });
  });
}
