import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * A response sent chunk by chunk. The head is sent with the first chunk, so that an earlier failure can have its own
 * status.
 */
export class StreamedResponse {
  readonly #reply: FastifyReply;
  readonly #headers: OutgoingHttpHeaders;

  constructor(reply: FastifyReply, headers: OutgoingHttpHeaders) {
    this.#reply = reply;
    this.#headers = headers;
  }

  /** Whether the head has been sent. */
  get started(): boolean {
    return this.#reply.sent;
  }

  #sendHead(): void {
    if (this.started) return;
    this.#reply.hijack();
    this.#reply.raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      'cache-control': 'no-cache',
      // Keeps reverse proxies from buffering.
      'x-accel-buffering': 'no',
      ...this.#headers,
    });
  }

  /** Sends or buffers a chunk; false if the buffer of the connection is full. */
  push(chunk: Uint8Array | string): boolean {
    const { raw } = this.#reply;
    if (raw.destroyed) return true;
    this.#sendHead();
    return raw.write(chunk);
  }

  /** Sends a chunk; resolves when the connection has room for more or is closed. */
  async write(chunk: Uint8Array | string): Promise<void> {
    if (this.push(chunk)) return;
    const { raw } = this.#reply;
    await new Promise<void>((resolve) => {
      const done = () => {
        raw.off('drain', done).off('close', done);
        resolve();
      };
      raw.on('drain', done).on('close', done);
    });
  }

  end(): void {
    if (this.#reply.raw.destroyed) return;
    this.#sendHead();
    this.#reply.raw.end();
  }

  /**
   * Cuts the connection, so that the client cannot mistake the part for the whole.
   * @param last a final chunk that gives the reason
   */
  abort(last?: string): void {
    const { raw } = this.#reply;
    if (raw.destroyed) return;
    // The client already has its 200, but the request log and the metrics must count a failure.
    raw.statusCode = 500;
    if (last === undefined) raw.destroy();
    else raw.write(last, () => raw.destroy());
  }
}
