import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HearsayError } from '../errors.ts';
import { onEveryRequest } from './connections.ts';

interface BodyTimeouts {
  /** Milliseconds for which the rest of a rejected body is read before the connection is cut. */
  drainMs: number;
  /** Milliseconds for a body that is not a form to arrive. */
  bodyMs: number;
}

/** Whether a request has a body, by its headers. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whether part of the body has yet to arrive. Injected requests have no `complete`, and their body is already there.
 */
export const isIncomplete = (raw: IncomingMessage) => raw.complete === false && hasBody(raw);

// HTTP/1.0 has no interim responses; its expectations are ignored (RFC 9110, 10.1.1).
const awaitsContinue = ({ raw, headers }: FastifyRequest) =>
  raw.httpVersion !== '1.0' && /^100-continue$/i.test(headers.expect ?? '');

/** Whether the body is a form, which its route reads itself. */
export const isForm = (request: FastifyRequest) => /^multipart\//i.test(request.headers['content-type'] ?? '');

/** Sends `100 Continue` if the client waits for it. Call it before reading a form. */
export function sendContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (awaitsContinue(request)) reply.raw.writeContinue();
}

/** Reads and discards the rest of a body; cuts the connection after `limitMs`. */
async function discardBody(raw: IncomingMessage, limitMs: number): Promise<void> {
  if (raw.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    raw.once('end', done).once('close', done).once('error', done);
    raw.resume();
  });
  if (!raw.complete) raw.socket.destroy();
}

/**
 * Delivers responses that are sent before the body has arrived (a wrong key, a full queue, an oversized upload).
 * Closing a connection with unread data resets it, and most clients then lose the response. So the response goes out at
 * once, and the rest of the body is read for a bounded time before the connection ends.
 *
 * Clients that send `Expect: 100-continue` get such a response before they send anything.
 */
export function handleEarlyResponses(app: FastifyInstance, { drainMs, bodyMs }: BodyTimeouts): void {
  // The onSend hook below misses responses that are not strings or that bypass hooks; after those Node would read the
  // rest of the body without a limit.
  onEveryRequest(app.server, (raw, response) => {
    response.once('finish', () => {
      if (!isIncomplete(raw)) return;
      const timer = setTimeout(() => raw.socket.destroy(), drainMs);
      const done = () => clearTimeout(timer);
      raw.once('end', done).once('close', done);
    });
  });

  // Without a listener Node sends 100 Continue before the key is checked.
  app.server.on('checkContinue', app.routing);
  // Other expectations may be ignored (RFC 9110, 10.1.1); Node would answer 417 without our envelope.
  app.server.on('checkExpectation', app.routing);

  app.addHook('preParsing', async (request, reply) => {
    if (isForm(request)) return;
    sendContinue(request, reply);
    const { raw } = request;
    if (!isIncomplete(raw)) return;
    const timer = setTimeout(() => {
      if (!raw.complete && !reply.sent) reply.send(new HearsayError('upload_timeout', 'The body took too long.'));
    }, bodyMs);
    reply.raw.once('close', () => clearTimeout(timer));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { raw } = request;
    if (!isIncomplete(raw) || typeof payload !== 'string') return payload;
    // The rest of a stalled body, or of one that was not requested, will not arrive; Node closes the connection.
    if (reply.statusCode === 408 || (awaitsContinue(request) && !raw.readableDidRead)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    async function* respondThenDiscard() {
      yield Buffer.from(payload as string);
      await discardBody(raw, drainMs);
    }
    return Readable.from(respondThenDiscard(), { objectMode: false });
  });
}
