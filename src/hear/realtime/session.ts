import { setTimeout as sleep } from 'node:timers/promises';
import type { SpeechModelInfo, VoiceActivityState } from '../../contracts/transcription.ts';
import { FRAME, SAMPLE_RATE, SPEECH_ONSET } from '../../vad/frames.ts';
import { AudioInput } from './audio-input.ts';
import type { ClientEvent } from './client-events.ts';
import { RealtimeError } from './errors.ts';
import type { LiveEngine } from './live-engine.ts';
import {
  assertKnownLanguages,
  includesLogprobs,
  includesWords,
  jobOptionsOf,
  olderSessionView,
  type SessionConfig,
  sessionView,
  updateSession,
} from './session-config.ts';
import { SpeechPace } from './speech-pace.ts';
import { MAX_PADDING_MS, turnDetectionOf } from './turn-detection.ts';
import { type DetectedTurn, TurnDetector } from './turn-detector.ts';
import { type Turn, Turns, type TurnsOptions } from './turns.ts';
import { type SpokenBefore, Utterance } from './utterance.ts';

const MS_PER_SAMPLE = 1000 / SAMPLE_RATE;
/** Minimum audio of a commit, as in the reference. */
const MIN_COMMIT_MS = 100;
/** Audio of consecutive events is processed together, up to this. */
const MAX_HEARD_SECONDS = 0.5;
/** Frames kept for the start of a turn: the longest padding, and the speech that triggers the turn. */
const MAX_RECENT = Math.ceil(MAX_PADDING_MS / (FRAME * MS_PER_SAMPLE)) + 4;
/** A turn continues where the last one ended, unless there is this much silence between them. */
const MAX_PAUSE_FRAMES = Math.ceil(2000 / (FRAME * MS_PER_SAMPLE));
/** Frames before the detected start of a turn that the model gets, whatever the padding: first words may be quiet. */
const MIN_LEAD = 16;
/** Maximum turns whose text is incomplete; with more, no audio is processed. */
const MAX_UNANSWERED = 8;

export interface SessionOptions extends TurnsOptions {
  id: string;
  config: SessionConfig;
  /** Seconds since the epoch. */
  expiresAt: number;
  /** Whether the client knows the events from before general availability. */
  isOlder: boolean;
  engine: LiveEngine;
  /** The model, if one has been loaded. */
  info: () => SpeechModelInfo | undefined;
  defaultLanguage?: string | undefined;
}

interface Frame {
  samples: Float32Array;
  probability: number;
}

/**
 * One transcription session: processes the events of a client one at a time, and sends those of the API in order.
 * Detects turns here, from the engine's probabilities of speech, because a session outlives its engines.
 */
export class RealtimeSession {
  readonly #options: SessionOptions;
  readonly #closed = new AbortController();
  readonly #turns: Turns;
  #config: SessionConfig;
  #isOlder: boolean;
  #input: AudioInput;
  /** Audio that is not processed yet. */
  #heard = Buffer.alloc(0);
  #voiceActivity: VoiceActivityState | undefined;
  readonly #pace = new SpeechPace();
  readonly #detector = new TurnDetector();
  /** The last frames outside a turn. */
  #recent: Frame[] = [];
  /** Frames so far, and samples of silence that padded some of them. */
  #position = 0;
  #padding = 0;
  /** Position after the last item. */
  #committed = 0;
  /** The turn in progress. */
  #turn: Turn | undefined;
  /** The end of the turn before, and its position. */
  #last: { tail: SpokenBefore; end: number } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#isOlder = options.isOlder;
    this.#input = new AudioInput(options.config.format);
    this.#turns = new Turns(options);
  }

  /** Sends the first event. */
  open(): void {
    this.#options.send({ type: 'session.created', session: this.#view() });
  }

  /**
   * Processes one event; pass the next one when it has resolved.
   * @param isFollowed whether the next one has already arrived: audio may then wait for it
   * @throws HearsayError if the event is wrong or there is no engine; the reason of `close`
   */
  async handle(event: ClientEvent, isFollowed = false): Promise<void> {
    const { send } = this.#options;
    if (event.type !== 'input_audio_buffer.append') await this.#takeHeard();
    switch (event.type) {
      case 'session.update':
        this.#update(event.session);
        return send({ type: 'session.updated', session: this.#view() });
      case 'transcription_session.update': {
        this.#isOlder = true;
        this.#update(event.session);
        const { id, expiresAt } = this.#options;
        return send({ type: 'transcription_session.updated', session: olderSessionView(id, this.#config, expiresAt) });
      }
      case 'input_audio_buffer.append':
        return this.#append(event.audio, isFollowed);
      case 'input_audio_buffer.commit':
        return this.#commitByClient();
      case 'input_audio_buffer.clear':
        this.#clear();
        return send({ type: 'input_audio_buffer.cleared' });
      case 'conversation.item.retrieve': {
        const item = this.#turns.items.get(event.item_id);
        if (!item) throw new RealtimeError('item_retrieve_invalid_item_id', NO_SUCH_ITEM, 'item_id');
        return send({ type: 'conversation.item.retrieved', item: structuredClone(item) });
      }
      case 'conversation.item.delete':
        if (!this.#turns.items.delete(event.item_id)) {
          throw new RealtimeError('item_delete_invalid_item_id', NO_SUCH_ITEM, 'item_id');
        }
        return send({ type: 'conversation.item.deleted', item_id: event.item_id });
    }
  }

  /** Ends the turn in progress, if any; resolves when every turn is answered. */
  async finish(): Promise<void> {
    await this.#takeHeard();
    if (this.#turn) this.#commit(this.#turn);
    await this.#turns.answered();
  }

  /** Drops all work. */
  close(reason: unknown): void {
    this.#closed.abort(reason);
    this.#turns.close(reason);
  }

  #view() {
    return sessionView(this.#options.id, this.#config, this.#options.expiresAt);
  }

  #update(update: unknown): void {
    const config = updateSession(this.#config, update);
    assertKnownLanguages(config, this.#options.info());
    if (config.format.type !== this.#config.format.type) this.#input = new AudioInput(config.format);
    this.#config = config;
    // Speech before an update ends like any other turn.
    if (!turnDetectionOf(config)) this.#detector.reset();
    else if (this.#turn) this.#detector.resume();
  }

  async #append(audio: string, isFollowed: boolean): Promise<void> {
    this.#heard = Buffer.concat([this.#heard, this.#input.decodeBase64(audio)]);
    if (!isFollowed || this.#input.secondsOf(this.#heard) >= MAX_HEARD_SECONDS) await this.#takeHeard();
  }

  async #takeHeard(): Promise<void> {
    const bytes = this.#heard;
    this.#heard = Buffer.alloc(0);
    for (const samples of this.#input.frames(bytes)) await this.#take(samples);
  }

  /** Takes whole frames. */
  async #take(samples: Float32Array): Promise<void> {
    const { signal } = this.#closed;
    const found = await this.#options.engine.findSpeech({ frames: samples, state: this.#voiceActivity }, signal);
    signal.throwIfAborted();
    this.#voiceActivity = found.state;
    let speech = 0;
    for (const [index, probability] of found.probabilities.entries()) {
      this.#position += 1;
      if (probability >= SPEECH_ONSET) speech += FRAME / SAMPLE_RATE;
      this.#detect({ samples: samples.subarray(index * FRAME, (index + 1) * FRAME), probability });
    }
    this.#turn?.utterance?.advance();
    const wait = this.#pace.take(speech, performance.now());
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {});
    await this.#turn?.utterance?.room();
    if (this.#turns.unanswered > MAX_UNANSWERED) await this.#turns.answered();
    signal.throwIfAborted();
  }

  #detect(frame: Frame): void {
    const detection = turnDetectionOf(this.#config);
    const found = this.#detector.push(frame.probability, detection);
    if (!detection) {
      // The client commits: all audio since the last commit is one turn.
      if (this.#turn) this.#add(this.#turn, frame, SPEECH_ONSET);
      else this.#turn = this.#startTurn([...this.#recent, frame]);
      return;
    }
    const { threshold } = detection;
    if (this.#turn) this.#add(this.#turn, frame, threshold);
    else if (this.#recent.push(frame) > MAX_RECENT) this.#recent.shift();
    if (found) this.#onTurn(found, threshold);
  }

  #onTurn(found: DetectedTurn, threshold: number): void {
    const { send } = this.#options;
    if (found.type === 'started') {
      const count = this.#position - found.at;
      const turn = this.#startTurn(this.#recent.slice(-Math.max(count, MIN_LEAD)), threshold);
      turn.samples = count * FRAME;
      this.#turn = turn;
      const audio_start_ms = this.#msAt(found.at);
      send({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id: turn.id });
      return;
    }
    const turn = this.#turn ?? this.#startTurn([]);
    const audio_end_ms = this.#msAt(found.at);
    if (found.type === 'stopped') {
      send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id: turn.id });
    } else {
      turn.samples = (found.at - found.from) * FRAME;
      const audio_start_ms = this.#msAt(found.from);
      send({ type: 'input_audio_buffer.timeout_triggered', audio_start_ms, audio_end_ms, item_id: turn.id });
    }
    this.#commit(turn);
  }

  /** @param frames its first ones: the last of the session so far */
  #startTurn(frames: readonly Frame[], threshold = SPEECH_ONSET): Turn {
    const turn = this.#turns.start({ hasLogprobs: includesLogprobs(this.#config) });
    if (includesWords(this.#config)) turn.wordsFrom = this.#msAt(this.#position - frames.length) / 1000;
    if (this.#config.transcription) {
      const { engine, defaultLanguage } = this.#options;
      const before = this.#before(this.#position - frames.length);
      const { language: languageBefore } = this.#turns;
      const options = { ...jobOptionsOf(this.#config, defaultLanguage), before, languageBefore };
      turn.utterance = new Utterance(engine, options, (text, tokens) => this.#turns.append(turn, text, tokens));
    }
    this.#recent = [];
    for (const frame of frames) this.#add(turn, frame, threshold);
    return turn;
  }

  #add(turn: Turn, { samples, probability }: Frame, threshold: number): void {
    turn.samples += FRAME;
    turn.utterance?.push(samples, atUsualThreshold(probability, threshold));
  }

  async #commitByClient(): Promise<void> {
    const rest = this.#input.flush();
    if (rest) {
      this.#padding += rest.padding;
      await this.#take(rest.samples);
    }
    const ms = this.#msAt(this.#position) - this.#msAt(this.#committed);
    if (ms < MIN_COMMIT_MS) {
      const message = `The input audio buffer holds ${ms} ms of audio, which is too little to commit: at least ${MIN_COMMIT_MS} ms are needed.`;
      throw new RealtimeError('input_audio_buffer_commit_empty', message);
    }
    const turn = this.#turn ?? this.#startTurn(this.#recent);
    turn.samples = Math.max(0, turn.samples - (rest?.padding ?? 0));
    this.#commit(turn);
  }

  #commit(turn: Turn): void {
    this.#turn = undefined;
    this.#detector.reset();
    this.#committed = this.#position;
    const tail = turn.utterance?.tail;
    this.#last = tail && { tail, end: this.#position };
    this.#turns.commit(turn, this.#isOlder);
  }

  /** Speech shortly before a position. With several languages it may be in another one. */
  #before(position: number): SpokenBefore | undefined {
    if (!this.#last || position - this.#last.end > MAX_PAUSE_FRAMES) return undefined;
    return this.#options.info()?.languages.length === 1 ? this.#last.tail : undefined;
  }

  #clear(): void {
    this.#input.flush();
    if (this.#turn) this.#turns.drop(this.#turn);
    this.#turn = undefined;
    this.#last = undefined;
    this.#recent = [];
    this.#detector.reset();
    this.#committed = this.#position;
  }

  /** Milliseconds from the start of the session's audio. */
  #msAt(position: number): number {
    return Math.max(0, Math.round((position * FRAME - this.#padding) * MS_PER_SAMPLE));
  }
}

const NO_SUCH_ITEM = 'The session has no item with this item_id.';

/** Maps a probability so that a threshold becomes the segmenter's own. */
function atUsualThreshold(probability: number, threshold: number): number {
  if (probability < threshold) return (SPEECH_ONSET * probability) / threshold;
  return threshold < 1 ? SPEECH_ONSET + ((1 - SPEECH_ONSET) * (probability - threshold)) / (1 - threshold) : 1;
}
