import type { Socket } from 'node:net';
import { encodeEvent } from './events.ts';

/** Bytes that are read ahead of the event being handled. */
const MAX_AHEAD = 1024 * 1024;
/** Milliseconds for a client to read the last event and close the connection. */
const LINGER_MS = 2000;

/** The client disconnected, or stopped reading. */
export class PeerGone extends Error {
  override readonly name = 'PeerGone';
  constructor() {
    super('The client closed the connection.');
  }
}

/** One client. Its socket is read ahead, so that a disconnect is noticed while an event is handled. */
export class WyomingConnection {
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  #isEnding = false;
  #chunks: Buffer[] = [];
  #ahead = 0;
  #hasEnded = false;
  #wake = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (this.#isEnding) return;
      this.#chunks.push(chunk);
      this.#ahead += chunk.length;
      if (this.#ahead > MAX_AHEAD) socket.pause();
      this.#wake();
    });
    socket.once('end', () => this.#end()).once('close', () => this.#end());
    // 'close' follows.
    socket.on('error', () => {});
  }

  /** Aborts with PeerGone when the client has sent all that it will: most then do not wait for anything either. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** What the client sends, until it ends. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#ahead -= chunk.length;
        if (this.#ahead <= MAX_AHEAD) this.#socket.resume();
        yield chunk;
      } else if (this.#hasEnded) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Sends an event, also to a client that only listens; resolves when there is room for more. @throws PeerGone */
  async send(type: string, data?: object, payload?: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (!socket.writable) throw new PeerGone();
    if (socket.write(encodeEvent(type, data, payload))) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
    if (!socket.writable) throw new PeerGone();
  }

  /** Ends the connection after what has been sent. What still comes is discarded: unread, it would keep the socket open. */
  end(): void {
    this.#isEnding = true;
    this.#chunks = [];
    if (this.#socket.destroyed) return;
    this.#socket.resume();
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** Closes the connection at once, without an event. */
  close(): void {
    this.#socket.destroy();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#gone.abort(new PeerGone());
    this.#wake();
  }
}
