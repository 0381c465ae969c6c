import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A connection that its client wants to use for another protocol. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that came after the head of the request. */
  head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The connection of a request that asks for a WebSocket on the path of `serveUpgrades`; undefined for any other. */
export const upgradeOf = (raw: IncomingMessage): Upgrade | undefined => upgrades.get(raw);

/**
 * Routes requests for a WebSocket at a path like all others, so that the same hooks admit them; the route's handler takes
 * over the connection. Without this listener Node ignores the header Upgrade; with it, it hands over every connection whose
 * client sends one, such as clients that offer HTTP/2: those are served as if they had not.
 */
export function serveUpgrades(app: FastifyInstance, path: string): void {
  const isServed = ({ method, url = '', headers }: IncomingMessage) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    url.split('?', 1)[0]?.replace(/\/$/, '') === path;
  const responses = new UnsentResponses(app);
  const take = (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isServed(raw)) return withoutUpgrade(app, raw, socket, head);
    const response = new ServerResponse(raw);
    response.assignSocket(raw.socket);
    // A refusal is the last response of the connection: its parser is gone.
    response.shouldKeepAlive = false;
    response.once('finish', () => raw.socket.destroySoon());
    upgrades.set(raw, { socket, head });
    app.routing(raw, response);
  };
  // Node hands over a connection as soon as it has read the request.
  app.server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node no longer listens for errors of the connection, which may come with a response.
    socket.off('error', destroy).on('error', destroy);
    responses.whenSent(socket, () => take(raw, socket, head));
  });
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** The responses of connections that are not sent yet: more than one if requests are pipelined. */
class UnsentResponses {
  readonly #unsent = new WeakMap<Duplex, Set<ServerResponse>>();

  constructor({ server }: FastifyInstance) {
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const unsent = this.#unsent.get(socket) ?? new Set();
      this.#unsent.set(socket, unsent.add(response));
      response.once('close', () => unsent.delete(response));
    });
  }

  /** Calls a function when a connection has none, unless it is closed before. */
  whenSent(socket: Duplex, handle: () => void): void {
    const unsent = [...(this.#unsent.get(socket) ?? [])];
    let left = unsent.length;
    if (left === 0) {
      handle();
      return;
    }
    const onSent = () => {
      left -= 1;
      if (left === 0 && !socket.destroyed && !socket.writableEnded) handle();
    };
    for (const response of unsent) response.once('close', onSent);
  }
}

/** Lets the server read the request again, without what asks for an upgrade. */
function withoutUpgrade({ server }: FastifyInstance, raw: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${raw.method} ${raw.url} HTTP/${raw.httpVersion}`];
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const [name, value] = [raw.rawHeaders[index]!, raw.rawHeaders[index + 1]!];
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    if (!/^connection$/i.test(name)) {
      lines.push(`${name}: ${value}`);
      continue;
    }
    const options = value.split(',').filter((option) => !/^\s*(upgrade|http2-settings)\s*$/i.test(option));
    if (options.length > 0) lines.push(`${name}: ${options.join()}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
