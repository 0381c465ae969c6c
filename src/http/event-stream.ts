import type { FastifyReply } from 'fastify';
import type { HearsayError } from '../errors.ts';
import { errorBody } from './errors.ts';
import { StreamedAnswer } from './streamed-answer.ts';

/** An answer of server-sent events. */
export class EventStream {
  readonly #answer: StreamedAnswer;

  constructor(reply: FastifyReply) {
    this.#answer = new StreamedAnswer(reply, { 'content-type': 'text/event-stream; charset=utf-8' });
  }

  /** Whether anything has been sent. */
  get begun(): boolean {
    return this.#answer.begun;
  }

  /** Sends one event. Its text is small, so a slow reader is buffered for and does not hold up the engine. */
  send(event: object): void {
    void this.#answer.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  end(): void {
    this.#answer.end();
  }

  /** Sends the error and breaks the connection, so that nobody takes what came before for the whole. */
  fail(error: HearsayError): void {
    this.#answer.break(`event: error\ndata: ${JSON.stringify({ type: 'error', ...errorBody(error) })}\n\n`);
  }
}
