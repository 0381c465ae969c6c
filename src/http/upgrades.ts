import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { lastResponse, trackResponse } from './connections.ts';
import { hasBody } from './early-response.ts';
import { withoutExtraSlashes } from './path.ts';

/** A connection whose client asks for another protocol. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that came after the head of the request. */
  head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The connection of a request that asks for a WebSocket on the path of `serveUpgrades`; undefined for any other. */
export const upgradeOf = (raw: IncomingMessage): Upgrade | undefined => upgrades.get(raw);

/**
 * Routes WebSocket requests at a path like all others, so that they pass the same hooks; the route's handler takes
 * over the connection. For every other request with an Upgrade header, such as those of clients that offer HTTP/2, the
 * header is ignored.
 */
export function serveUpgrades(app: FastifyInstance, path: string): void {
  const isServed = ({ method, url = '', headers }: IncomingMessage) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    withoutExtraSlashes(url.split('?', 1)[0] ?? '') === path;
  // Newer versions of Node ask which requests to hand over. They hold back the body of one that they hand over, and lose
  // requests that are pipelined behind one that they do not.
  if ('shouldUpgradeCallback' in app.server) {
    app.server.shouldUpgradeCallback = (raw: IncomingMessage) => isServed(raw) || !hasBody(raw);
  }
  const take = (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isServed(raw)) return withoutUpgrade(app, raw, socket, head);
    const response = new ServerResponse(raw);
    response.assignSocket(raw.socket);
    trackResponse(raw.socket, response);
    // A rejection is the last response of the connection, which has no parser any more.
    response.shouldKeepAlive = false;
    response.once('finish', () => raw.socket.destroySoon());
    upgrades.set(raw, { socket, head });
    app.routing(raw, response);
  };
  app.server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) =>
    whenSent(raw.socket, head, (more) => take(raw, socket, more)),
  );
}

/** Maximum bytes read ahead while earlier responses are sent. */
const MAX_HELD_BYTES = 64 * 1024;

/**
 * Hands over a connection when its earlier responses are sent, with the bytes read until then. Node would hand it over
 * as soon as it has read the request. Keeps reading meanwhile, to notice if the client hangs up.
 */
function whenSent(socket: Socket, head: Buffer, handle: (head: Buffer) => void): void {
  // Node no longer handles errors of the connection, which may occur while a response is sent.
  socket.off('error', destroy).on('error', destroy);
  const last = lastResponse(socket);
  if (!last) {
    handle(head);
    return;
  }
  const held = [head];
  let heldBytes = 0;
  const read = () => {
    const chunk: Buffer | null = heldBytes < MAX_HELD_BYTES ? socket.read() : null;
    if (!chunk) return;
    held.push(chunk);
    heldBytes += chunk.length;
  };
  socket.on('readable', read).on('end', destroy);
  last.once('close', () => {
    socket.off('readable', read).off('end', destroy);
    if (!socket.destroyed && !socket.writableEnded) handle(Buffer.concat(held));
  });
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** Makes the server parse the request again, without its Upgrade headers. */
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
