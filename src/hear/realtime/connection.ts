import type { WebSocket } from 'ws';
import type { HearsayError } from '../../errors.ts';
import { ClientGone, errorSpecs } from '../../http/errors.ts';
import { eventIdOf, parseClientEvent } from './client-events.ts';
import { RealtimeError } from './errors.ts';
import type { RealtimeSession } from './session.ts';
import { newId, type ServerEvent } from './turns.ts';

/** Maximum characters of waiting events, beyond which the client is not read. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;
const MAX_WAITING_EVENTS = 1000;
/** Maximum bytes that a client has not read, beyond which its connection is cut. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const PING_INTERVAL_MS = 20_000;
/** Milliseconds without an event from the client before the connection ends. */
const MAX_IDLE_MS = 15 * 60_000;
/** Milliseconds for a client to answer the close frame. */
const LINGER_MS = 2000;

// RFC 6455, 7.4.1.
const NORMAL = 1000;
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;

export interface ConnectionOptions {
  /** Milliseconds until the session expires. */
  maxSessionMs: number;
  /** Aborts when the service shuts down. */
  draining: AbortSignal;
  createSession: (send: (event: ServerEvent) => void) => RealtimeSession;
  /** Converts an error for the client, and logs it. */
  toClientError: (error: unknown) => HearsayError;
  onClosed: () => void;
}

/** A session's WebSocket: delivers events in order, and limits what a client can make the service buffer. */
export class RealtimeConnection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #session: RealtimeSession;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** Resolves when no event waits. */
  #handling: Promise<void> | undefined;
  #isEnding = false;
  #isAnswering = true;
  #lastMessage = performance.now();
  readonly #timers: NodeJS.Timeout[];

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#session = options.createSession((event) => this.#send(event));
    const { maxSessionMs, draining } = options;
    this.#timers = [setInterval(() => this.#check(), PING_INTERVAL_MS), setTimeout(() => this.#expire(), maxSessionMs)];
    const drain = () => void this.#drain();
    draining.addEventListener('abort', drain, { once: true });
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('pong', () => {
      this.#isAnswering = true;
    });
    // A protocol error of the client closes the connection, with the code for it.
    socket.on('error', () => {});
    socket.once('close', () => {
      draining.removeEventListener('abort', drain);
      for (const timer of this.#timers) clearTimeout(timer);
      this.#waiting = [];
      this.#session.close(new ClientGone());
      options.onClosed();
    });
    this.#session.open();
  }

  /** Ends the connection, answered or not. */
  close(): void {
    this.#end(GOING_AWAY, 'The service is shutting down.');
  }

  #receive(message: string): void {
    if (this.#isEnding) return;
    this.#lastMessage = performance.now();
    this.#waiting.push(message);
    this.#waitingCharacters += message.length;
    if (this.#isFull) this.#socket.pause();
    this.#handling ??= this.#handleAll();
  }

  get #isFull(): boolean {
    return this.#waitingCharacters > MAX_WAITING_CHARACTERS || this.#waiting.length > MAX_WAITING_EVENTS;
  }

  async #handleAll(): Promise<void> {
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      await this.#handle(message);
      this.#waitingCharacters -= message.length;
      if (this.#socket.isPaused && !this.#isFull) this.#socket.resume();
    }
    this.#handling = undefined;
  }

  async #handle(message: string): Promise<void> {
    try {
      await this.#session.handle(parseClientEvent(message), this.#waiting.length > 0);
    } catch (error) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      const expected = this.#options.toClientError(error);
      this.#sendError(expected, eventIdOf(message));
      if (expected.code === 'draining') this.close();
      else if (errorSpecs[expected.code].status >= 500) this.#end(INTERNAL_ERROR, expected.message);
    }
  }

  #send(event: ServerEvent): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    const { type, ...members } = event;
    socket.send(JSON.stringify({ type, event_id: newId('event'), ...members }));
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
  }

  #sendError(error: HearsayError, eventId: string | null): void {
    const { code, message, param } = error;
    const shownCode = code === 'invalid_request' ? 'invalid_value' : code;
    this.#send({
      type: 'error',
      error: {
        type: errorSpecs[code].type,
        code: error instanceof RealtimeError ? error.realtimeCode : shownCode,
        message,
        param: param ?? null,
        event_id: eventId,
      },
    });
  }

  /** Ends the connection of a peer that is gone or silent. */
  #check(): void {
    if (performance.now() - this.#lastMessage > MAX_IDLE_MS) {
      this.#end(NORMAL, 'No event for 15 minutes.');
    } else if (!this.#isAnswering && !this.#socket.isPaused) {
      this.#socket.terminate();
    } else {
      // A paused connection reads no pongs either.
      this.#isAnswering = this.#socket.isPaused;
      this.#socket.ping();
    }
  }

  #expire(): void {
    this.#sendError(new RealtimeError('session_expired', 'The session has reached its maximum duration.'), null);
    this.#end(NORMAL, 'The session has expired.');
  }

  /** Answers the audio received so far, then ends the connection. */
  async #drain(): Promise<void> {
    this.#isEnding = true;
    await this.#handling;
    await this.#session.finish().catch(() => {});
    this.close();
  }

  #end(code: number, reason: string): void {
    this.#isEnding = true;
    this.#waiting = [];
    // A close frame holds 123 bytes of reason.
    this.#socket.close(code, Buffer.from(reason).subarray(0, 120).toString());
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.terminate(), LINGER_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
