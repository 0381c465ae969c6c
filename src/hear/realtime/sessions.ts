import type { WebSocket } from 'ws';
import { HearsayError } from '../../errors.ts';
import { assertReady } from '../../http/health.ts';
import type { HearContext, HearModels } from '../context.ts';
import { epochSeconds } from './client-secrets.ts';
import { RealtimeConnection } from './connection.ts';
import { type LiveEngine, liveEngine } from './live-engine.ts';
import { RealtimeSession } from './session.ts';
import { assertKnownLanguages, type SessionConfig } from './session-config.ts';
import { newId } from './turns.ts';

/** Maximum length of a session, as in OpenAI's API. */
export const MAX_SESSION_SECONDS = 3600;

export interface RealtimeSessionsOptions {
  models: HearModels;
  drain: HearContext['drain'];
  maxSessions: number;
  defaultLanguage: string | undefined;
  /** Called for each turn that got its text. */
  onAnswered: (answer: { seconds: number; missed: number; lagSeconds: number }) => void;
}

/** A slot for one session; `release` it if none is opened. */
export interface SessionPlace {
  open(socket: WebSocket, options: OpenOptions): void;
  release(): void;
}

export interface OpenOptions {
  config: SessionConfig;
  isOlder: boolean;
  /** Converts an error for the client, and logs it. */
  toClientError: (error: unknown) => HearsayError;
}

/** All sessions of the service. */
export class RealtimeSessions {
  readonly #options: RealtimeSessionsOptions;
  readonly #engine: LiveEngine;
  readonly #connections = new Set<RealtimeConnection>();
  #places = 0;

  constructor(options: RealtimeSessionsOptions) {
    this.#options = options;
    this.#engine = liveEngine(options.models);
  }

  /** Sessions, those included that are being opened. */
  get count(): number {
    return this.#places;
  }

  /** @throws HearsayError `unsupported_language` if the model does not know what a configuration asks for */
  assertKnownLanguages(config: SessionConfig): void {
    assertKnownLanguages(config, this.#options.models.info);
  }

  /** @throws HearsayError `model_warming`, `model_failed`, `draining`, `queue_full` */
  admit(): SessionPlace {
    const { models, drain, maxSessions } = this.#options;
    assertReady(models);
    if (maxSessions === 0) {
      throw new HearsayError('queue_full', 'Live transcription is switched off: MAX_REALTIME_SESSIONS is 0.');
    }
    if (this.#places >= maxSessions) {
      throw new HearsayError(
        'queue_full',
        `The maximum of ${maxSessions} live sessions is reached. Try again in a moment.`,
      );
    }
    const leaveDrain = drain.enter();
    this.#places += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#places -= 1;
      leaveDrain();
    };
    return { release, open: (socket, options) => this.#open(socket, options, release) };
  }

  /** Ends all connections. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #open(socket: WebSocket, { config, isOlder, toClientError }: OpenOptions, release: () => void): void {
    const { models, drain, defaultLanguage, onAnswered } = this.#options;
    const connection: RealtimeConnection = new RealtimeConnection(socket, {
      maxSessionMs: MAX_SESSION_SECONDS * 1000,
      draining: drain.started,
      toClientError,
      createSession: (send) =>
        new RealtimeSession({
          id: newId('sess'),
          config,
          isOlder,
          expiresAt: epochSeconds() + MAX_SESSION_SECONDS,
          engine: this.#engine,
          info: () => models.info,
          defaultLanguage,
          send,
          onAnswered,
          toClientError,
        }),
      onClosed: () => {
        this.#connections.delete(connection);
        release();
      },
    });
    this.#connections.add(connection);
  }
}
