import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { HearsayError } from '../errors.ts';
import { errorBody } from './errors.ts';

/**
 * An answer of server-sent events. The head goes out with the first event, so that a failure before it can still be
 * answered with a status of its own.
 */
export class EventStream {
  readonly #reply: FastifyReply;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  /** Whether anything has been sent. */
  get begun(): boolean {
    return this.#reply.sent;
  }

  #begin(): void {
    if (this.begun) return;
    this.#reply.hijack();
    this.#reply.raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      // Reverse proxies would hold events back until the end.
      'x-accel-buffering': 'no',
    });
  }

  /** Sends one event. Its text is small, so a slow reader is buffered for and does not hold up the engine. */
  send(event: object): void {
    if (this.#reply.raw.destroyed) return;
    this.#begin();
    this.#reply.raw.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  end(): void {
    this.#begin();
    this.#reply.raw.end();
  }

  /** Sends the error and breaks the connection, so that nobody takes what came before for the whole. */
  fail(error: HearsayError): void {
    const { raw } = this.#reply;
    if (raw.destroyed) return;
    raw.write(`event: error\ndata: ${JSON.stringify({ type: 'error', ...errorBody(error) })}\n\n`, () => raw.destroy());
  }
}
