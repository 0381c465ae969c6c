import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../errors.ts';
import { PeerGone, WyomingConnection } from './connection.ts';
import { readEvents, type WyomingEvent } from './events.ts';

/** Milliseconds without a byte, of a client that is waited for or does not read. */
const IDLE_MS = 120_000;

/** Serves the events of one connection, one after the other. */
export interface WyomingHandler {
  /** @throws HearsayError for the client, as an `error` event; anything else is logged */
  handle(event: WyomingEvent): Promise<void>;
  /** Called when the connection ends. */
  close?(): Promise<void>;
}

export interface WyomingOptions {
  host: string;
  port: number;
  /** One more closes the one that has been idle for longest, or is closed itself if none is. */
  maxConnections: number;
  log: Pick<FastifyBaseLogger, 'debug' | 'error'>;
  handler: (connection: WyomingConnection) => WyomingHandler;
  idleMs?: number;
}

export interface WyomingServer {
  port: number;
  close(): Promise<void>;
}

/** Listens for clients of the Wyoming protocol. @throws the error of the system if it cannot */
export async function startWyoming({
  host,
  port,
  maxConnections,
  log,
  handler,
  idleMs = IDLE_MS,
}: WyomingOptions): Promise<WyomingServer> {
  /** All sockets, and those of them that wait for their client: first the one that has waited for longest. */
  const sockets = new Set<Socket>();
  const idle = new Set<Socket>();
  // Checks of health pipe `describe` into nc, which closes its side before it reads the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (sockets.size >= maxConnections) {
      const [closed = socket] = idle;
      closed.destroy();
      sockets.delete(closed);
      idle.delete(closed);
      if (closed === socket) return;
    }
    sockets.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      idle.delete(socket);
    });
    socket.setTimeout(idleMs, () => {
      if (idle.has(socket) || socket.writableLength > 0) socket.destroy();
    });
    const connection = new WyomingConnection(socket);
    const served = handler(connection);
    const serve = async () => {
      for await (const event of readEvents(connection.chunks())) {
        idle.delete(socket);
        if (event.type === 'ping') await connection.send('pong', { text: event.data.text ?? null });
        else await served.handle(event);
        if (!socket.destroyed) idle.add(socket);
      }
    };
    serve()
      .catch((error: unknown) => report(connection, error, log))
      .finally(() => served.close?.())
      .catch((error: unknown) => log.error({ err: error }, 'A Wyoming connection could not be cleaned up'))
      .finally(() => connection.end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function report(connection: WyomingConnection, error: unknown, log: WyomingOptions['log']): Promise<void> {
  const isExpected = error instanceof HearsayError;
  if (error instanceof PeerGone || (connection.signal.aborted && !isExpected)) return;
  if (isExpected) log.debug({ code: error.code }, 'A Wyoming event was refused');
  else log.error({ err: error }, 'Unexpected error while serving a Wyoming client');
  const text = isExpected ? error.message : 'The server had an unexpected error.';
  await connection.send('error', { text, code: isExpected ? error.code : 'internal_error' }).catch(() => {});
}
