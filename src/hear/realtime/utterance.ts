import type { HeardFrames, Segment, TokenLogprob, UtteranceJob } from '../../contracts/transcription.ts';
import { FRAME, SAMPLE_RATE, SPEECH_HYSTERESIS, SPEECH_ONSET, SPEECH_TAIL_FRAMES } from '../../vad/frames.ts';
import { Agreement } from './agreement.ts';
import { FrameBuffer } from './frame-buffer.ts';
import { guessedWords } from './guessed-words.ts';
import type { LiveEngine, StretchText, UtteranceText } from './live-engine.ts';
import { later } from './segment-times.ts';

const FRAME_SECONDS = FRAME / SAMPLE_RATE;
const framesIn = (seconds: number) => Math.ceil(seconds / FRAME_SECONDS);

/** A pause after which speech starts anew. */
const LONG_PAUSE_FRAMES = framesIn(2);
/** Kept before speech. */
const LEAD_FRAMES = framesIn(0.4);
/** Minimum speech before the first guess: on less, the model hallucinates. */
const FIRST_GUESS_FRAMES = framesIn(0.2);
/** New audio before the next guess, and before that while no word has been given out. */
const GUESS_FRAMES = framesIn(0.16);
const URGENT_GUESS_FRAMES = framesIn(0.06);
/** A guess at more than this starts later, at a word that ended this long before the last committed one. */
const MAX_GUESS_FRAMES = framesIn(6);
const MIN_OVERLAP_SECONDS = 1.5;
/** New audio after which the utterance is searched for complete windows. */
const SETTLE_FRAMES = framesIn(10);
/** Audio not yet transcribed beyond which `room` waits, or drops the oldest if it cannot be transcribed. */
const MAX_FRAMES = framesIn(60);
const RETRY_MS = 1000;
/** While no word has been sent, a guess that took no longer is followed by the next one at once. */
const QUICK_MS = 100;
/** Maximum of an utterance that is decoded again with the next one, if that is short. */
const TAIL_FRAMES = 2 * framesIn(2);
const SHORT_FRAMES = framesIn(7);
/** A guess that took longer shows that the engine is busy: the end of the utterance before is then left out. */
const SLOW_MS = 250;
/** Characters of the text before that condition what follows. */
const CONTEXT_CHARACTERS = 400;

/** The result of an utterance. */
export interface UtteranceEnd {
  /** ISO 639-1 code of its last speech; undefined if there was none. */
  language: string | undefined;
  missed: number;
  /** Its final text; times are seconds from its first frame. */
  segments: Segment[];
}

/** The end of the utterance before. */
export interface SpokenBefore extends HeardFrames {
  /** Its text as far as it is known. */
  text: string;
}

interface UtteranceOptions extends Omit<UtteranceJob, 'samples' | 'probabilities' | 'before'> {
  before?: SpokenBefore;
}

/** The frames of a run. */
interface Stretch {
  from: number;
  /** Frames so far: it ends there. */
  length: number;
  isDraft: boolean;
  /** End of speech when it started. */
  speechEnd: number;
}

interface Run {
  controller: AbortController;
  /** Resolves when the run is over, whether it succeeded or not. */
  done: Promise<void>;
  isDraft: boolean;
}

/**
 * Transcribes one utterance while it is spoken. Guesses at the speech so far run one at a time, with a break as long
 * as the last one took, so that they are rarer under load. In a pause the text is decoded like that of a recording; if
 * speech ends there, it is final. Words that were sent before stay, even if the final text differs.
 */
export class Utterance {
  readonly #engine: Pick<LiveEngine, 'transcribe'>;
  readonly #options: Omit<UtteranceOptions, 'before'>;
  #before: SpokenBefore | undefined;
  readonly #onText: (text: string, tokens: TokenLogprob[]) => void;
  readonly #cancelled = new AbortController();
  /** Audio that is not settled yet. */
  readonly #frames = new FrameBuffer();
  readonly #agreement = new Agreement();
  #hasSpeech = false;
  /** Frames up to the end of speech so far. */
  #speechEnd = 0;
  /** Speech since the first frame with any. */
  #speechFrames = 0;
  #run: Run | undefined;
  /** Frames so far when the last run started, and the last run that was no guess. */
  #lastRun = 0;
  #lastWhole = 0;
  /** Frame at which guesses begin. */
  #guessFrom = 0;
  /** Duration of the last guess. */
  #guessMs = 0;
  /** Time before which no guess is started. */
  #guessAfter = 0;
  /** Time before which nothing is started, after a failure. */
  #retryAfter = 0;
  /** Text of all speech up to its end. */
  #whole: { speechEnd: number; text: StretchText } | undefined;
  #isFinishing = false;
  #context = '';
  #language: string | undefined;
  #missed = 0;
  /** Frames dropped from the front. */
  #dropped = 0;
  /** Whether any text has been given out. */
  #hasText = false;
  readonly #segments: Segment[] = [];
  #onSettled = () => {};

  /**
   * @param options its `before` is heard with the beginning of the utterance, for its final text
   * @param onText receives text to append, with its leading space, and its tokens if the job asks for them
   */
  constructor(
    engine: Pick<LiveEngine, 'transcribe'>,
    { before, ...options }: UtteranceOptions,
    onText: (text: string, tokens: TokenLogprob[]) => void,
  ) {
    this.#engine = engine;
    this.#before = before;
    this.#options = options;
    this.#onText = onText;
  }

  /** Takes the next frame and its probability of speech. */
  push(frame: Float32Array, probability: number): void {
    this.#frames.push(frame, probability);
    if (probability >= SPEECH_ONSET) this.#hasSpeech = true;
    if (this.#hasSpeech && probability >= SPEECH_ONSET - SPEECH_HYSTERESIS) {
      this.#speechEnd = this.#frames.length;
      this.#speechFrames += 1;
    }
    // Silence before speech is not part of it.
    if (!this.#hasSpeech && this.#frames.length > 2 * LEAD_FRAMES) {
      this.#drop(this.#frames.length - LEAD_FRAMES);
      if (this.#dropped > LONG_PAUSE_FRAMES) this.#before = undefined;
    }
  }

  /** Starts the next run, if one is due. Call it when frames have been pushed. */
  advance(): void {
    if (this.#isFinishing || !this.#hasSpeech || this.#cancelled.signal.aborted) return;
    const { length } = this.#frames;
    const quiet = length - this.#speechEnd;
    const isPause = quiet >= SPEECH_TAIL_FRAMES;
    if (this.#run) {
      // The text of a pause may be final, so it does not wait for a guess, which has the lowest priority.
      if (isPause && this.#run.isDraft && !this.#isUrgent) this.#run.controller.abort();
    } else if (performance.now() < this.#retryAfter) {
      return;
    } else if (isPause && this.#whole?.speechEnd === this.#speechEnd) {
      if (quiet >= LONG_PAUSE_FRAMES) this.#settlePause(this.#whole.text);
    } else if (isPause || length - this.#lastWhole >= SETTLE_FRAMES) {
      this.#start({ isDraft: false });
    } else if (this.#isGuessDue) {
      this.#start({ isDraft: true });
    }
  }

  get #isGuessDue(): boolean {
    if (this.#speechFrames < FIRST_GUESS_FRAMES || performance.now() < this.#guessAfter) return false;
    const newFrames = this.#frames.length - this.#lastRun;
    return newFrames >= (this.#isUrgent ? URGENT_GUESS_FRAMES : GUESS_FRAMES);
  }

  /** Resolves when there is room for more audio. */
  async room(): Promise<void> {
    while (this.#frames.length > MAX_FRAMES && this.#run && !this.#cancelled.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    }
    if (this.#frames.length > MAX_FRAMES) this.#drop(this.#frames.length - MAX_FRAMES);
  }

  /**
   * Ends the utterance; resolves when all of its text has been given out.
   * @throws HearsayError if it could not be transcribed; the reason of `cancel`
   */
  async finish(): Promise<UtteranceEnd> {
    this.#isFinishing = true;
    if (this.#run?.isDraft) this.#run.controller.abort();
    await this.#run?.done;
    const { signal } = this.#cancelled;
    signal.throwIfAborted();
    if (this.#hasSpeech) {
      if (this.#whole?.speechEnd !== this.#speechEnd) {
        const stretch = { from: 0, length: this.#frames.length, isDraft: false, speechEnd: this.#speechEnd };
        this.#take(await this.#engine.transcribe(this.#job(stretch), signal), stretch);
      }
      this.#settle(this.#whole!.text, this.#frames.length);
    }
    return { language: this.#language, missed: this.#missed, segments: this.#segments };
  }

  /** The last seconds of it, for an utterance that follows; undefined without speech. */
  get tail(): SpokenBefore | undefined {
    if (!this.#hasSpeech) return undefined;
    const { length } = this.#frames;
    const from = Math.max(0, length - TAIL_FRAMES);
    // A cut within a word would cost the words after it.
    const begins = from === 0 ? [0] : Array.from({ length: TAIL_FRAMES / 2 }, (_, index) => from + index);
    const quietest = this.#frames.quietest(begins)!;
    return { ...this.#frames.slice(quietest, length), text: this.#agreement.textFrom(quietest * FRAME_SECONDS) };
  }

  /** Drops the utterance. */
  cancel(reason: unknown): void {
    this.#cancelled.abort(reason);
    this.#run?.controller.abort(reason);
    this.#onSettled();
  }

  #start({ isDraft }: Pick<Run, 'isDraft'>): void {
    const controller = new AbortController();
    const { signal } = controller;
    const started = performance.now();
    const { length } = this.#frames;
    this.#lastRun = length;
    if (!isDraft) this.#lastWhole = length;
    const stretch = { from: isDraft ? this.#nextGuessFrom(length) : 0, length, isDraft, speechEnd: this.#speechEnd };
    const done = this.#engine.transcribe(this.#job(stretch), signal).then(
      (text) => {
        if (!signal.aborted) this.#take(text, stretch);
      },
      // The final text is requested again; a lost guess does not matter.
      () => {
        if (!signal.aborted) this.#retryAfter = performance.now() + RETRY_MS;
      },
    );
    this.#run = {
      controller,
      isDraft,
      done: done.then(() => {
        this.#run = undefined;
        const now = performance.now();
        const took = now - started;
        if (isDraft) this.#guessMs = took;
        this.#guessAfter = now + Math.max(0, took - (this.#isUrgent ? QUICK_MS : 0));
        this.#onSettled();
        this.advance();
      }),
    };
  }

  /** Whether no word has been given out. */
  get #isUrgent(): boolean {
    return !this.#hasText;
  }

  /**
   * Guesses start at the quietest end of a committed word, shortly before the last one, so that their cost does not
   * grow.
   */
  #nextGuessFrom(length: number): number {
    if (length - this.#guessFrom <= MAX_GUESS_FRAMES) return this.#guessFrom;
    const ends = this.#agreement.committedEnds;
    const latest = (ends.at(-1) ?? 0) - MIN_OVERLAP_SECONDS;
    const frames = ends.filter((end) => end <= latest).map((end) => Math.round(end / FRAME_SECONDS));
    this.#guessFrom = this.#frames.quietest(frames.filter((frame) => frame > this.#guessFrom)) ?? this.#guessFrom;
    return this.#guessFrom;
  }

  #job({ from, length, isDraft }: Stretch): UtteranceJob {
    const before = isDraft || length > SHORT_FRAMES || this.#guessMs > SLOW_MS ? undefined : this.#before;
    const expected = (before?.text ?? '') + this.#agreement.textFrom(from * FRAME_SECONDS);
    const prompt = [this.#options.prompt, this.#context].filter(Boolean).join(' ');
    return {
      ...this.#options,
      languageBefore: this.#language ?? this.#options.languageBefore,
      prompt: prompt || undefined,
      expected: expected || undefined,
      isDraft,
      isUrgent: isDraft && this.#isUrgent,
      before,
      ...this.#frames.slice(from, length),
    };
  }

  #take({ settled, ...text }: UtteranceText, { from, length, isDraft, speechEnd }: Stretch): void {
    const done = settled && !isDraft ? Math.min(length, framesIn(settled.end)) : 0;
    if (settled && done > 0) {
      this.#settle(settled, done);
      this.#drop(done);
    }
    const segments = text.segments.map((segment) => later(segment, (from - done) * FRAME_SECONDS));
    const heard = (length - done) * FRAME_SECONDS;
    this.#append(this.#agreement.push(guessedWords(segments), heard, from * FRAME_SECONDS));
    if (!isDraft) this.#whole = { speechEnd: speechEnd - done, text: { ...text, segments } };
  }

  /** Takes text as final. */
  #settle(text: StretchText, length: number): void {
    const { segments } = text;
    this.#append(this.#agreement.settle(guessedWords(segments), length * FRAME_SECONDS));
    this.#context = (this.#context + segments.map((segment) => segment.text).join('')).slice(-CONTEXT_CHARACTERS);
    if (segments.length > 0) this.#language = text.language;
    this.#missed += text.missed;
    const start = this.#dropped * FRAME_SECONDS;
    this.#segments.push(...segments.map((segment) => later(segment, start)));
    this.#before = undefined;
  }

  #settlePause(text: StretchText): void {
    const length = this.#frames.length - LEAD_FRAMES;
    this.#settle(text, length);
    this.#drop(length);
    this.#context = '';
  }

  /** Drops frames from the front. */
  #drop(count: number): void {
    this.#dropped += count;
    this.#frames.drop(count);
    this.#speechEnd = Math.max(0, this.#speechEnd - count);
    if (this.#speechEnd === 0) {
      this.#hasSpeech = false;
      this.#speechFrames = 0;
    }
    this.#whole = undefined;
    this.#lastRun = Math.max(0, this.#lastRun - count);
    this.#guessFrom = Math.max(0, this.#guessFrom - count);
    this.#lastWhole = Math.max(0, this.#lastWhole - count);
  }

  #append(text: string): void {
    if (text === '') return;
    this.#hasText = true;
    this.#onText(text, this.#agreement.takeTokens());
  }
}
