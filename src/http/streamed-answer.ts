import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * An answer that leaves chunk by chunk. The head goes out with the first chunk, so that a failure before it can still be
 * answered with a status of its own.
 */
export class StreamedAnswer {
  readonly #reply: FastifyReply;
  readonly #headers: OutgoingHttpHeaders;

  constructor(reply: FastifyReply, headers: OutgoingHttpHeaders) {
    this.#reply = reply;
    this.#headers = headers;
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
      'cache-control': 'no-cache',
      // Reverse proxies would hold chunks back until the end.
      'x-accel-buffering': 'no',
      ...this.#headers,
    });
  }

  /** Sends a chunk, or keeps it until the client has read what came before. False: the connection has no room for more. */
  push(chunk: Uint8Array | string): boolean {
    const { raw } = this.#reply;
    if (raw.destroyed) return true;
    this.#begin();
    return raw.write(chunk);
  }

  /** Sends a chunk; resolves when the client's connection has room for more, or is gone. */
  async write(chunk: Uint8Array | string): Promise<void> {
    if (this.push(chunk)) return;
    const { raw } = this.#reply;
    await new Promise<void>((resolve) => {
      const over = () => {
        raw.off('drain', over).off('close', over);
        resolve();
      };
      raw.on('drain', over).on('close', over);
    });
  }

  end(): void {
    if (this.#reply.raw.destroyed) return;
    this.#begin();
    this.#reply.raw.end();
  }

  /**
   * Breaks the connection, so that nobody takes what came before for the whole.
   * @param last a chunk that says why
   */
  break(last?: string): void {
    const { raw } = this.#reply;
    if (raw.destroyed) return;
    // The client has its 200 already; the request log and the metrics shall not count it as one, nor as a hang-up.
    raw.statusCode = 500;
    if (last === undefined) raw.destroy();
    else raw.write(last, () => raw.destroy());
  }
}
