import type { FastifyReply } from 'fastify';
import type { HearsayError } from '../errors.ts';
import { errorBody } from './errors.ts';
import { StreamedResponse } from './streamed-response.ts';

/** Milliseconds without an event before a heartbeat: clients and proxies drop idle connections. */
const HEARTBEAT_MS = 15_000;

/**
 * A response of server-sent events, with a comment line as heartbeat while nothing is sent. Call `end` or `fail`, which
 * stop the heartbeat.
 */
export class EventStream {
  readonly #response: StreamedResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #delivered = false;

  constructor(reply: FastifyReply) {
    this.#response = new StreamedResponse(reply, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#heartbeat = setInterval(() => this.#response.push(': still at work\n\n'), HEARTBEAT_MS);
    reply.raw.once('close', () => clearInterval(this.#heartbeat));
  }

  /** Whether the head has been sent: the status is final. */
  get started(): boolean {
    return this.#response.started;
  }

  /** Whether an event has been sent. */
  get delivered(): boolean {
    return this.#delivered;
  }

  /** Sends one event. Events are small: for a slow reader they are buffered, so that the engine does not wait. */
  send(event: object): void {
    this.sendJson(JSON.stringify(event));
  }

  /** Sends one event given as JSON in one line. */
  sendJson(event: string): void {
    this.#delivered = true;
    this.#heartbeat.refresh();
    this.#response.push(`data: ${event}\n\n`);
  }

  /** Sends one event of a large stream; resolves when the connection has room for more or is closed. */
  write(event: object): Promise<void> {
    this.#delivered = true;
    this.#heartbeat.refresh();
    return this.#response.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  end(): void {
    this.stop();
    this.#response.end();
  }

  /** Stops the heartbeat of a response of which nothing was sent. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  /** Sends the error and cuts the connection, so that the client cannot mistake the part for the whole. */
  fail(error: HearsayError): void {
    this.stop();
    this.#response.abort(`event: error\ndata: ${JSON.stringify({ type: 'error', ...errorBody(error) })}\n\n`);
  }
}
