import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HearsayError } from '../errors.ts';

export interface BodyTimeouts {
  /** How long the rest of a refused body is read before the connection is cut. */
  drainMs: number;
  /** How long a body that is not a form may take to arrive. */
  bodyMs: number;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

// An injected request has no `complete`: it is there as a whole.
const isIncomplete = (raw: IncomingMessage) => raw.complete === false && hasBody(raw);

// A client of HTTP/1.0 knows no answer before the answer, and its expectation is passed over (RFC 9110, 10.1.1).
const awaitsContinue = ({ raw, headers }: FastifyRequest) =>
  raw.httpVersion !== '1.0' && /^100-continue$/i.test(headers.expect ?? '');

const isForm = (request: FastifyRequest) => /^multipart\//i.test(request.headers['content-type'] ?? '');

/** Asks for the body where the client waits to be asked. Whoever reads a form calls this first. */
export function askForBody(request: FastifyRequest, reply: FastifyReply): void {
  if (awaitsContinue(request)) reply.raw.writeContinue();
}

/** Reads and drops what is left of a body, for a bounded time; then the connection is cut. */
async function drop(raw: IncomingMessage, limitMs: number): Promise<void> {
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
 * Makes an answer that is given before the body has arrived (a wrong key, a full queue, too large an upload) reach its
 * client. Closing a connection with unread data resets it, and the reset can overtake the answer, which most clients
 * then never see. So the answer goes out at once, and the rest of the body is read for a bounded time before it ends.
 *
 * A client that asked with `Expect: 100-continue` gets such an answer before it sends anything.
 */
export function replyEarly(app: FastifyInstance, { drainMs, bodyMs }: BodyTimeouts): void {
  // Without a listener Node asks for the body before anybody has looked at the key.
  app.server.on('checkContinue', app.routing);
  // Any other expectation may be passed over (RFC 9110, 10.1.1); Node would refuse it without our envelope.
  app.server.on('checkExpectation', app.routing);

  // An answer that is no string (a page, none at all) or that no hook sees ends at once, and Node reads what is left of
  // the body for as long as it comes.
  app.server.on('request', (raw, answer) => {
    answer.once('finish', () => {
      if (!isIncomplete(raw)) return;
      const timer = setTimeout(() => raw.socket.destroy(), drainMs);
      const done = () => clearTimeout(timer);
      raw.once('end', done).once('close', done);
    });
  });

  app.addHook('preParsing', async (request, reply) => {
    if (isForm(request)) return;
    askForBody(request, reply);
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
    // Nothing more comes of a stalled body, nor of one that was never asked for; Node closes the connection.
    if (reply.statusCode === 408 || (awaitsContinue(request) && !raw.readableDidRead)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    async function* answerThenDrop() {
      yield Buffer.from(payload as string);
      await drop(raw, drainMs);
    }
    return Readable.from(answerThenDrop(), { objectMode: false });
  });
}
