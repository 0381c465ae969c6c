import { ApiError, messageOf } from '../shared/api.ts';
import { isLocked } from '../shared/retry.ts';
import type { JobSettings } from './jobs.ts';
import { LiveTurns, type RealtimeEvent, SILENCE_MS } from './live-turns.ts';
import { namesFor } from './names.ts';
import { openRealtime } from './realtime-socket.ts';
import { Replay } from './replay.ts';
import type { Transcript } from './transcript.ts';

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;
/** Speech is found a moment after it begins, and events are answered later when the service is busy. */
const MARGIN_SECONDS = 10;
/** Milliseconds for the text of the last turns to arrive. */
const FINISH_MS = 60_000;

/** `locked`: the service wants a key, which the user has not given. */
export type LiveState = 'connecting' | 'listening' | 'retrying' | 'locked' | 'refused' | 'finishing';
type Settings = Pick<JobSettings, 'language' | 'names'>;

/**
 * Transcribes a recording while it is made. Reconnects when the connection is lost, and resends audio that has no text
 * yet.
 */
export class LiveSession {
  readonly turns = new LiveTurns();
  readonly #replay = new Replay();
  readonly #onChange: () => void;
  #settings: Settings;
  #state: LiveState = 'connecting';
  /** Why the service refuses or the connection was lost. */
  #reason = '';
  #socket: WebSocket | undefined;
  /** Seconds of the recording before the session. */
  #offset = 0;
  #retryMs = MIN_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;
  #isClosed = false;
  #isConnecting = false;
  /** Whether the service has processed all audio, up to the end. */
  #isAnswered = false;
  /** The turn that was committed here. */
  #committed: string | undefined;
  /**
   * Updates of the session that were sent and not answered. The answer to the last one shows that all audio was
   * processed.
   */
  #pendingUpdates = 0;
  #finished: (() => void) | undefined;

  /** @param onChange called when the text or the state has changed */
  constructor(settings: Settings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
    void this.#connect();
  }

  get state(): LiveState {
    return this.#state;
  }

  get reason(): string {
    return this.#reason;
  }

  /** Whether all of the recording was processed and has its text. */
  get isComplete(): boolean {
    return this.#isAnswered && !this.turns.hasFailed && !this.#replay.hasLost;
  }

  push(samples: Int16Array): void {
    const isHeard = this.#state === 'listening';
    this.#replay.push(samples, isHeard);
    if (!isHeard) return;
    this.#append(samples);
    this.#trim();
  }

  /** Ends the turn in progress. */
  pause(): void {
    this.#isPaused = true;
    this.#commitOpen();
  }

  resume(): void {
    this.#isPaused = false;
    // A long pause ends the session.
    this.reconnect();
  }

  /** Connects again if that waits for nothing but the user, who e.g. has given a key now. */
  reconnect(): void {
    if (!this.#isPaused && this.#isCutOff && !this.#timer) void this.#connect();
  }

  get #isCutOff(): boolean {
    return (this.#state === 'retrying' || this.#state === 'locked') && !this.#isConnecting;
  }

  /** Changes the language or the names from now on. */
  update(settings: Settings): void {
    this.#settings = settings;
    if (this.#state === 'listening') this.#configure();
  }

  /** Resolves when all audio has its text, or no more text can arrive. */
  async finish(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#isPaused) this.resume();
    if (this.#state === 'refused' || this.#isCutOff) return this.close();
    const isConnected = this.#state === 'listening';
    this.#state = 'finishing';
    this.#onChange();
    const timer = setTimeout(() => this.#giveUp('The service did not answer in time.'), FINISH_MS);
    await new Promise<void>((resolve) => {
      this.#finished = resolve;
      if (isConnected) this.#configure();
    });
    clearTimeout(timer);
    this.close();
  }

  /** Ends the session; text that has not arrived is lost. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#finished?.();
  }

  /** The transcript so far. */
  transcript(): Transcript {
    return this.turns.transcript(this.#replay.seconds);
  }

  segments(): Transcript['segments'] {
    return this.turns.segments(this.#replay.seconds);
  }

  async #connect(): Promise<void> {
    this.#timer = undefined;
    this.#isConnecting = true;
    let socket: WebSocket;
    try {
      socket = await openRealtime();
    } catch (error) {
      if (!this.#isClosed) this.#onFailure(error);
      return;
    } finally {
      this.#isConnecting = false;
    }
    if (this.#isClosed) return socket.close();
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(socket, JSON.parse(data) as RealtimeEvent));
    socket.addEventListener('close', ({ reason }) => this.#onClose(socket, reason));
    this.#offset = this.#replay.start;
    if ((this.turns.dropUnanswered() ?? this.#offset) < this.#offset) this.#replay.hasLost = true;
    this.#pendingUpdates = 0;
    this.#retryMs = MIN_RETRY_MS;
    this.#reason = '';
    if (this.#state !== 'finishing') this.#state = 'listening';
    this.#configure();
    for (const samples of this.#replay.blocks) this.#append(samples);
    if (this.#state === 'finishing') this.#configure();
    this.#onChange();
  }

  #onFailure(error: unknown): void {
    const message = messageOf(error) ?? '';
    const isPassing =
      error instanceof ApiError && (error.status >= 500 || error.status === 0) && error.code !== 'no_websocket';
    if (this.#state !== 'finishing' && isLocked(error)) this.#show('locked', message);
    else if (this.#state === 'finishing' || !isPassing) this.#giveUp(message);
    else this.#retry(message);
  }

  #onClose(socket: WebSocket, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    const message = reason || this.#reason || 'The connection to the service was lost.';
    if (this.#state === 'finishing') this.#giveUp(message);
    else this.#retry(message);
  }

  #show(state: LiveState, reason: string): void {
    this.#state = state;
    this.#reason = reason;
    this.#onChange();
  }

  #retry(reason: string): void {
    // A paused recording has nothing to send: resuming connects again.
    if (!this.#isPaused) {
      this.#timer = setTimeout(() => void this.#connect(), this.#retryMs);
      this.#retryMs = Math.min(MAX_RETRY_MS, 2 * this.#retryMs);
    }
    this.#show('retrying', reason);
  }

  #giveUp(reason: string): void {
    this.close();
    this.#show('refused', reason);
  }

  #receive(socket: WebSocket, event: RealtimeEvent): void {
    if (socket !== this.#socket) return;
    if (event.type === 'session.updated') this.#pendingUpdates--;
    else if (event.type === 'error') {
      const { event_id: id, message = '' } = event.error ?? {};
      // The service does not know the language, for example.
      if (id === CONFIGURE) this.#giveUp(message);
      // If a commit failed, there was too little.
      else if (id !== COMMIT) this.#reason = message;
    } else {
      this.turns.take(event, this.#offset, this.#replay.seconds);
      this.#trim();
      if (event.type === 'input_audio_buffer.speech_started' && this.#isPaused) this.#commitOpen();
    }
    if (this.#state === 'finishing' && this.#pendingUpdates === 0) {
      this.#isAnswered = this.turns.isAnswered;
      if (this.#isAnswered) this.#finished?.();
      else this.#commitOpen();
    }
    this.#onChange();
  }

  /** Drops audio that another session would not need. */
  #trim(): void {
    const heard = this.turns.answeredUntil ?? 0;
    const quiet = this.turns.isAnswered ? this.#replay.seconds - MARGIN_SECONDS : 0;
    this.#replay.dropUntil(Math.max(heard, quiet));
  }

  #configure(): void {
    const { language, names } = this.#settings;
    const transcription = { language: language || null, keywords: namesFor('transcriptions', names).keywords };
    // Lines begin where speech does.
    const turn_detection = { type: 'server_vad', prefix_padding_ms: 0, silence_duration_ms: SILENCE_MS };
    const include = ['item.input_audio_transcription.words'];
    const session = { type: 'transcription', include, audio: { input: { transcription, turn_detection } } };
    this.#pendingUpdates++;
    this.#send({ type: 'session.update', event_id: CONFIGURE, session });
  }

  #commitOpen(): void {
    const { open } = this.turns;
    if (open === undefined || open === this.#committed) return;
    this.#committed = open;
    this.#send({ type: 'input_audio_buffer.commit', event_id: COMMIT });
  }

  #append(samples: Int16Array): void {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    this.#send({ type: 'input_audio_buffer.append', audio: btoa(String.fromCharCode(...bytes)) });
  }

  #send(event: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(event));
  }
}

const CONFIGURE = 'configure';
const COMMIT = 'commit';
