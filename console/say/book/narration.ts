import { ApiError } from '../../shared/api.ts';
import { delay } from '../../shared/retry.ts';
import { Speech, type SpeechRequest } from '../speech.ts';
import { isFromSamples, speechFile, synthesize } from '../synthesis.ts';
import { type Book, type Chapter, isSpoken } from './book.ts';

export interface NarrationEvents {
  /** The settings of a chapter, but for its text. */
  settings: () => Omit<SpeechRequest, 'input'>;
  /** Called when a chapter begins to be spoken. */
  onStart: (chapter: Chapter, speech: Speech) => void;
  /** Called after each part of a chapter. */
  onProgress: (chapter: Chapter) => void;
  /** Called when a chapter is spoken and kept, or cannot be spoken. */
  onEnd: (chapter: Chapter, problem: string | undefined) => void;
  tell: (text: string) => void;
}

/** Waits before the next attempt, if the service cannot be reached or cuts a chapter off. */
const RETRIES_MS = [2000, 10_000, 30_000, 60_000];
/** Letters to speak before the pace is worth showing. */
const MIN_MEASURED_LETTERS = 200;

/** Speaks the chapters of a book one after the other, and keeps each that is complete. */
export class Narration {
  readonly #book: Book;
  readonly #events: NarrationEvents;
  /** The chapter that is spoken now, and its sound so far. */
  current: { chapter: Chapter; speech: Speech } | undefined;
  /** Letters spoken since `#startedAt`, in chapters that are complete. */
  #letters = 0;
  #startedAt = 0;
  #due: readonly Chapter[] = [];

  constructor(book: Book, events: NarrationEvents) {
    this.#book = book;
    this.#events = events;
  }

  /** Share of the current chapter that has been spoken, from 0 to 1. */
  get fraction(): number {
    if (!this.current) return 0;
    const { chapter, speech } = this.current;
    return Math.min(1, (speech.words.at(-1)?.to ?? 0) / Math.max(1, chapter.text.length));
  }

  /** Seconds until all is spoken, at the pace so far; undefined at first. */
  get secondsLeft(): number | undefined {
    if (!this.current) return undefined;
    const current = this.fraction * this.current.chapter.text.length;
    const spoken = this.#letters + current;
    if (spoken < MIN_MEASURED_LETTERS) return undefined;
    const left = this.#due.reduce((sum, { text }) => sum + text.length, 0) - current;
    return (left * (performance.now() - this.#startedAt)) / 1000 / spoken;
  }

  /**
   * Speaks the chapters that have no sound of their text yet.
   * @param chapters all, or those that the user chose
   * @throws ApiError if the service fails for good; an AbortError when `signal` aborts
   */
  async run(chapters: readonly Chapter[], signal: AbortSignal): Promise<void> {
    this.#letters = 0;
    this.#startedAt = performance.now();
    this.#due = chapters.filter((chapter) => !isSpoken(chapter));
    try {
      for (let [chapter] = this.#due; chapter; [chapter] = this.#due) {
        await this.#speak(chapter, signal);
        this.#letters += chapter.text.length;
        const [, ...rest] = this.#due;
        // Chapters may have been left out meanwhile.
        this.#due = rest.filter(({ id, isIncluded }) => isIncluded && this.#book.chapter(id) !== undefined);
      }
    } finally {
      this.current = undefined;
      this.#due = [];
    }
  }

  async #speak(chapter: Chapter, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#attempt(chapter, signal);
        this.#events.onEnd(chapter, undefined);
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'unspeakable_text') {
          this.#events.onEnd(chapter, error.message);
          return;
        }
        const wait = RETRIES_MS[attempt];
        const isLasting = (error.status >= 400 && error.status < 500) || error.code === 'no_room';
        if (isLasting || wait === undefined) throw error;
        this.#events.tell(`${error.message} Trying again…`);
        await delay(wait, signal);
      }
    }
  }

  async #attempt(chapter: Chapter, signal: AbortSignal): Promise<void> {
    const { settings, onStart, onProgress, tell } = this.#events;
    const speech = new Speech({ ...settings(), input: chapter.text, stream: true });
    this.current = { chapter, speech };
    onStart(chapter, speech);
    try {
      await synthesize(speech, {
        signal,
        onChunk: () => onProgress(chapter),
        waitForRoom: async () => {},
        onWaiting: tell,
      });
    } catch (error) {
      speech.isPartial = true;
      throw error;
    } finally {
      speech.complete = true;
      onProgress(chapter);
    }
    const { format } = speech.request;
    // The service removes the file after a while.
    if (!isFromSamples(format)) speech.madeFile = await speechFile(speech, format);
    await this.#book.keep(chapter, speech, speech.madeFile).catch((error) => {
      console.warn(error);
      throw new ApiError(
        0,
        'This browser has no space to store the chapter. Save what is spoken, or free some space.',
        'no_room',
      );
    });
  }
}
