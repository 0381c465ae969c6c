import type { FastifyReply } from 'fastify';
import type { HearsayError } from '../errors.ts';
import { errorBody } from './errors.ts';
import { StreamedAnswer } from './streamed-answer.ts';

/** Milliseconds of silence after which a client or a proxy might take the connection for dead. */
const HEARTBEAT_MS = 15_000;

/**
 * An answer of server-sent events. While nothing happens, a comment line is sent now and then, which readers pass over; end
 * it or let it fail, so that this ends too.
 */
export class EventStream {
  readonly #answer: StreamedAnswer;
  readonly #heartbeat: NodeJS.Timeout;
  #delivered = false;

  constructor(reply: FastifyReply) {
    this.#answer = new StreamedAnswer(reply, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#heartbeat = setInterval(() => this.#answer.push(': still at work\n\n'), HEARTBEAT_MS);
    reply.raw.once('close', () => clearInterval(this.#heartbeat));
  }

  /** Whether the head of the answer has left: its status cannot be changed any more. */
  get begun(): boolean {
    return this.#answer.begun;
  }

  /** Whether an event has left. */
  get delivered(): boolean {
    return this.#delivered;
  }

  /** Sends one event. Its text is small, so a slow reader is buffered for and does not hold up the engine. */
  send(event: object): void {
    this.sendJson(JSON.stringify(event));
  }

  /** Sends one event that is JSON, in one line, already. */
  sendJson(event: string): void {
    this.#delivered = true;
    this.#heartbeat.refresh();
    this.#answer.push(`data: ${event}\n\n`);
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#answer.end();
  }

  /** Sends the error and breaks the connection, so that nobody takes what came before for the whole. */
  fail(error: HearsayError): void {
    clearInterval(this.#heartbeat);
    this.#answer.break(`event: error\ndata: ${JSON.stringify({ type: 'error', ...errorBody(error) })}\n\n`);
  }
}
