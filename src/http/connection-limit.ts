import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { connectionEvent, hasRequest } from './connections.ts';
import { isIncomplete } from './early-response.ts';

/** Milliseconds between log lines about the limit. */
const LOG_INTERVAL_MS = 60_000;
/** Milliseconds of a request before its rate is meaningful. */
const MIN_AGE_MS = 2000;

/** The latest request of a connection. */
interface Exchange {
  raw: IncomingMessage;
  since: number;
  /** Bytes that the connection had moved by then. */
  moved: number;
}

/** Bytes received, plus bytes sent that are no longer in the write buffer. */
const movedBy = (socket: Socket) => socket.bytesRead + socket.bytesWritten - socket.writableLength;

const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/**
 * Bounds the open connections. Beyond the limit, a new connection closes the one that has been idle for longest, else
 * the one whose client sends or reads most slowly, so that slow clients never block new ones. If there is neither, the
 * new connection is closed.
 */
export function limitConnections(app: FastifyInstance, maxConnections: number, log: FastifyBaseLogger): void {
  /** Longest without a request first. */
  const sockets = new Map<Socket, Exchange | undefined>();
  let lastLogged = Number.NEGATIVE_INFINITY;

  const add = (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const dispensable = (): Socket | undefined => {
    const now = performance.now();
    let slowest: Socket | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const [socket, exchange] of sockets) {
      if (!hasRequest(socket)) return socket;
      if (!exchange || now - exchange.since < MIN_AGE_MS) continue;
      if (!isIncomplete(exchange.raw) && socket.writableLength === 0) continue;
      const rate = (movedBy(socket) - exchange.moved) / (now - exchange.since);
      if (rate >= lowest) continue;
      slowest = socket;
      lowest = rate;
    }
    return slowest;
  };

  app.server.on('connection', (socket: Socket) => {
    // Emitted again by upgrades.ts.
    if (sockets.has(socket)) return;
    if (sockets.size >= maxConnections) {
      const closed = dispensable() ?? socket;
      sockets.delete(closed);
      closed.destroy();
      if (performance.now() - lastLogged >= LOG_INTERVAL_MS) {
        lastLogged = performance.now();
        log.warn(`MAX_CONNECTIONS (${maxConnections}) reached: closing idle and slow connections, else new ones`);
      }
      if (closed === socket) return;
    }
    add(socket);
  });
  // With TLS, requests arrive on another socket than `connection` reported, from the same address.
  if (connectionEvent(app) === 'secureConnection') {
    const handshakes = new Map<string, Socket>();
    app.server.on('connection', (socket: Socket) => {
      const address = addressOf(socket);
      handshakes.set(address, socket);
      socket.once('close', () => {
        if (handshakes.get(address) === socket) handshakes.delete(address);
      });
    });
    app.server.on('secureConnection', (socket: Socket) => {
      const connection = handshakes.get(addressOf(socket));
      if (connection && sockets.delete(connection)) add(socket);
    });
  }
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { socket } = raw;
    if (!sockets.has(socket)) return;
    sockets.set(socket, { raw, since: performance.now(), moved: movedBy(socket) });
    reply.raw.once('close', () => {
      if (sockets.delete(socket)) sockets.set(socket, undefined);
    });
  });
}
