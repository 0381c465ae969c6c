import { randomBytes } from 'node:crypto';
import type { Segment, TokenLogprob, Word } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { errorSpecs } from '../../http/errors.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { milliseconds } from '../transcript/milliseconds.ts';
import { transcriptText } from '../transcript/response.ts';
import { deltaLogprobs, textLogprobs } from '../transcript/token-logprobs.ts';
import { Items } from './items.ts';
import type { Utterance } from './utterance.ts';

/** An event of the API, without its id. */
export interface ServerEvent {
  type: string;
  [member: string]: unknown;
}

/** A turn of speech, from its first frame to its text: an item of the conversation. */
export interface Turn {
  readonly id: string;
  /** Audio so far, in samples. */
  samples: number;
  /** Absent if the session does not transcribe. */
  utterance?: Utterance;
  /** Whether it has any text. */
  hasText: boolean;
  /** Text that is held back until the earlier turns are answered. */
  held: string;
  /** Its tokens, if the session includes them. */
  heldLogprobs?: TokenLogprob[];
  /** Seconds of the session's audio before it, if the session includes words. */
  wordsFrom?: number;
}

export interface TurnsOptions {
  send: (event: ServerEvent) => void;
  /** Called for each turn that got its text, which may be empty. */
  onAnswered: (answer: { seconds: number; missed: number; lagSeconds: number }) => void;
  /** Converts an error that a turn failed with, and logs it. */
  toClientError: (error: unknown) => HearsayError;
}

/**
 * The turns of a session, in order. Several may be transcribed at the same time, but their text is sent one turn after
 * the other, so that clients do not mix it up.
 */
export class Turns {
  readonly items = new Items();
  readonly #options: TurnsOptions;
  /** Turns without all of their text, in order. */
  readonly #unanswered: Turn[] = [];
  #lastAnswer: Promise<void> = Promise.resolve();
  #language: string | undefined;
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Number of turns whose text is incomplete, the one in progress included. */
  get unanswered(): number {
    return this.#unanswered.length;
  }

  /** ISO 639-1 code of the last speech that was answered. */
  get language(): string | undefined {
    return this.#language;
  }

  /** Begins a turn. */
  start({ hasLogprobs }: { hasLogprobs: boolean }): Turn {
    const turn: Turn = {
      id: newId('item'),
      samples: 0,
      hasText: false,
      held: '',
      ...(hasLogprobs && { heldLogprobs: [] }),
    };
    this.#unanswered.push(turn);
    return turn;
  }

  /** Appends text to a turn, and sends it if no turn before waits for its own. */
  append(turn: Turn, text: string, logprobs: TokenLogprob[]): void {
    turn.held += turn.hasText ? text : text.trimStart();
    turn.heldLogprobs?.push(...deltaLogprobs({ logprobs }, !turn.hasText));
    turn.hasText = true;
    this.#sendHeld();
  }

  /** Forgets a turn that was not committed. */
  drop(turn: Turn): void {
    turn.utterance?.cancel(new Error('The turn was dropped.'));
    this.#remove(turn);
  }

  /** Commits a turn as an item; its text follows. */
  commit(turn: Turn, isOlder: boolean): void {
    const { send } = this.#options;
    const previous_item_id = this.items.lastId;
    const item = this.items.add(turn.id);
    send({ type: 'input_audio_buffer.committed', previous_item_id, item_id: turn.id });
    const types = isOlder ? ['conversation.item.created'] : ['conversation.item.added', 'conversation.item.done'];
    for (const type of types) send({ type, previous_item_id, item: structuredClone(item) });
    if (turn.utterance) this.#lastAnswer = this.#answer(turn, turn.utterance, this.#lastAnswer);
    else this.#remove(turn);
  }

  /** Resolves when every committed turn has been answered. */
  answered(): Promise<void> {
    return this.#lastAnswer;
  }

  /** Drops all turns; nothing is sent any more. */
  close(reason: unknown): void {
    this.#isClosed = true;
    for (const { utterance } of this.#unanswered.splice(0)) utterance?.cancel(reason);
  }

  async #answer(turn: Turn, utterance: Utterance, before: Promise<void>): Promise<void> {
    const { send, onAnswered, toClientError } = this.#options;
    const ended = performance.now();
    const end = await utterance.finish().catch((error: unknown) => {
      // Nothing reads the reason after that.
      return this.#isClosed ? undefined : toClientError(error);
    });
    await before;
    if (this.#isClosed || end === undefined) return;
    const ids = { item_id: turn.id, content_index: 0 };
    const prefix = 'conversation.item.input_audio_transcription';
    if (end instanceof HearsayError) {
      const { code, message, param } = end;
      const error = { type: errorSpecs[code].type, code, message, param: param ?? null };
      send({ type: `${prefix}.failed`, ...ids, error });
    } else {
      const { segments, language } = end;
      this.#language = language ?? this.#language;
      const seconds = milliseconds(turn.samples / SAMPLE_RATE);
      const transcript = transcriptText(segments);
      this.items.complete(turn.id, transcript);
      send({
        type: `${prefix}.completed`,
        ...ids,
        transcript,
        ...(turn.heldLogprobs && { logprobs: textLogprobs(segments) }),
        ...(turn.wordsFrom !== undefined && { words: movedWords(segments, turn.wordsFrom) }),
        languages: language === undefined ? [] : [{ code: language }],
        usage: { type: 'duration', seconds },
      });
      onAnswered({ seconds, missed: end.missed, lagSeconds: (performance.now() - ended) / 1000 });
    }
    this.#remove(turn);
  }

  #remove(turn: Turn): void {
    const index = this.#unanswered.indexOf(turn);
    if (index >= 0) this.#unanswered.splice(index, 1);
    this.#sendHeld();
  }

  #sendHeld(): void {
    const [turn] = this.#unanswered;
    if (this.#isClosed || !turn || turn.held === '') return;
    const delta = turn.held;
    turn.held = '';
    this.#options.send({
      type: 'conversation.item.input_audio_transcription.delta',
      item_id: turn.id,
      content_index: 0,
      delta,
      ...(turn.heldLogprobs && { logprobs: turn.heldLogprobs.splice(0) }),
    });
  }
}

function movedWords(segments: readonly Segment[], seconds: number): Word[] {
  return segments
    .flatMap(({ words }) => words)
    .map(({ word, start, end, probability }) => ({
      word,
      start: milliseconds(start + seconds),
      end: milliseconds(end + seconds),
      probability,
    }));
}

/** A new id such as `item_0123456789abcdef01234`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(11).toString('hex').slice(0, 21)}`;
}
