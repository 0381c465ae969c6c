import type { Span, SpeechWindow, VoiceActivityOptions, WindowLimits } from '../contracts/transcription.ts';
import { FRAME, joinSamples, SAMPLE_RATE, SPEECH_HYSTERESIS, SPEECH_ONSET, SPEECH_TAIL_SECONDS } from './frames.ts';
import { type LeveledFrames, QuietPassages, raiseIfQuiet } from './loudness.ts';
import type { VoiceActivityDetector } from './silero.ts';

const seconds = (value: number) => Math.round(value * SAMPLE_RATE);

const MIN_OFFSET = 0.01;
/** Minimum silence that ends speech. */
const MIN_GAP_FRAMES = 5;
/** Minimum speech; a shorter blip is a click or a cough. */
const MIN_SPEECH_FRAMES = 3;

/** Audio kept before speech, because quiet first words precede the detection. */
const LEAD = seconds(0.4);
const TAIL = seconds(SPEECH_TAIL_SECONDS);
const SENTENCE_PAUSE = seconds(0.3);
/**
 * Raised noise may keep Silero from hearing the speech after it. If it is that sure of silence, sound counts as it is, where it
 * rates speech lower, but hardly ever takes noise for it.
 */
const SURE_SILENCE = 0.1;
const UNRAISED_WEIGHT = 1.4;
const INITIAL_CAPACITY = seconds(4);

/**
 * Cuts a recording into windows of speech while it is decoded. Silence is dropped; `limits.maxLength` bounds memory. Speech
 * is found in the sound as it is, too: where noise is raised, Silero misses speech that is not much louder.
 *
 * @param audio mono samples at 16 kHz, in chunks of any size
 * @param voiceActivity makes two detectors: one for the sound as it is
 * @param options numbers of the request, which replace those of the model and of this file
 */
export async function* speechWindows(
  audio: AsyncIterable<Float32Array>,
  voiceActivity: { detector(): Pick<VoiceActivityDetector, 'next'> },
  limits: WindowLimits,
  options: VoiceActivityOptions = {},
): AsyncGenerator<SpeechWindow> {
  const cutter = new WindowCutter(limits, options);
  const quietPassages = new QuietPassages();
  const [ofRaised, ofUnraised] = [voiceActivity.detector(), voiceActivity.detector()];
  async function* cut({ frames, raised }: LeveledFrames) {
    if (frames.length === 0) return;
    const [probabilities, unraised] = await Promise.all([ofRaised.next(raised), ofUnraised.next(frames)]);
    for (const [index, probability] of probabilities.entries()) {
      const heard = probability < SURE_SILENCE ? Math.min(1, UNRAISED_WEIGHT * unraised[index]!) : probability;
      const window = cutter.push(frames.subarray(index * FRAME, (index + 1) * FRAME), heard);
      if (window) yield audible(window);
    }
  }
  /** Samples of an incomplete frame. */
  let rest = new Float32Array(0);
  for await (const chunk of audio) {
    const samples = joinSamples(rest, chunk);
    const whole = samples.length - (samples.length % FRAME);
    rest = samples.slice(whole);
    if (whole > 0) yield* cut(quietPassages.raise(samples.subarray(0, whole)));
  }
  if (rest.length > 0) {
    const frame = new Float32Array(FRAME);
    frame.set(rest);
    yield* cut(quietPassages.raise(frame));
  }
  yield* cut(quietPassages.finish());
  const last = cutter.finish(rest.length > 0 ? FRAME - rest.length : 0);
  if (last) yield audible(last);
}

/**
 * Cuts speech whose voice activity is known.
 * @param samples whole frames of mono 16 kHz
 * @param probabilities of speech, for each frame
 * @returns windows, each with whether a pause completes it: more audio does not change it
 */
export function* knownWindows(
  samples: Float32Array,
  probabilities: Float32Array,
  limits: WindowLimits,
): Generator<{ window: SpeechWindow; isComplete: boolean }> {
  const cutter = new WindowCutter(limits);
  for (const [index, probability] of probabilities.entries()) {
    const window = cutter.push(samples.subarray(index * FRAME, (index + 1) * FRAME), probability);
    if (window) yield { window: audible(window), isComplete: true };
  }
  const last = cutter.finish();
  if (last) yield { window: audible(last), isComplete: false };
}

/** The window for the speech model: amplifies speech between two pauses if it is quiet. */
function audible(window: SpeechWindow): SpeechWindow {
  const { samples, speech, start } = window;
  const pauses = speech.slice(1).map((span, index) => Math.round((speech[index]!.end + span.start) / 2) - start);
  return { ...window, samples: raiseIfQuiet(samples, pauses) };
}

/** Collects frames with their speech probabilities into windows. */
export class WindowCutter {
  readonly #maxLength: number;
  readonly #enoughSpeech: number;
  readonly #longPause: number;
  readonly #sentencePause: number;
  readonly #onset: number;
  readonly #offset: number;
  readonly #minGapFrames: number;
  readonly #lead: number;
  /** Grows on demand, since most jobs of live speech hold only a few seconds. */
  #samples = new Float32Array(INITIAL_CAPACITY);
  #probabilities: number[] = [];
  /** Position of the first buffered sample in the recording. */
  #start = 0;
  #length = 0;
  /** End of the last window, which may lie within a buffered frame. */
  #lastEnd = 0;
  #speech: Span[] = [];
  #openSince: number | undefined;
  #quietFrames = 0;

  constructor(
    { maxLength, enoughSpeech, longPause }: WindowLimits,
    { threshold = SPEECH_ONSET, prefixPadding, silence }: VoiceActivityOptions = {},
  ) {
    this.#maxLength = seconds(maxLength);
    this.#enoughSpeech = seconds(enoughSpeech);
    this.#longPause = seconds(silence ?? longPause);
    this.#sentencePause = silence === undefined ? SENTENCE_PAUSE : this.#longPause;
    this.#onset = threshold;
    this.#offset = Math.min(threshold, Math.max(MIN_OFFSET, threshold - SPEECH_HYSTERESIS));
    this.#minGapFrames = Math.max(1, Math.min(MIN_GAP_FRAMES, Math.floor(this.#longPause / FRAME)));
    this.#lead = prefixPadding === undefined ? LEAD : seconds(prefixPadding);
  }

  /** Takes one frame; returns the window that it completes, if any. */
  push(frame: Float32Array, probability: number): SpeechWindow | undefined {
    const needed = this.#length + frame.length;
    if (needed > this.#samples.length) {
      const grown = new Float32Array(Math.max(needed, 2 * this.#samples.length));
      grown.set(this.#samples);
      this.#samples = grown;
    }
    this.#samples.set(frame, this.#length);
    this.#length = needed;
    this.#probabilities.push(probability);
    this.#detect(probability);
    return this.#completed();
  }

  /**
   * Ends the recording; returns the last window, if any.
   * @param padding samples of the last frame that are not part of the recording
   */
  finish(padding = 0): SpeechWindow | undefined {
    this.#closeSpeech(this.#position - this.#quietFrames * FRAME);
    const end = this.#position - padding;
    return this.#speech.length > 0 ? this.#cut(Math.min(this.#lastSpeech!.end + TAIL, end)) : undefined;
  }

  get #position(): number {
    return this.#start + this.#length;
  }

  get #lastSpeech(): Span | undefined {
    return this.#speech.at(-1);
  }

  /** Starts, continues or ends speech. */
  #detect(probability: number): void {
    if (this.#openSince === undefined) {
      if (probability < this.#onset) return;
      this.#openSince = this.#position - FRAME;
      this.#quietFrames = 0;
    } else if (probability >= this.#offset) {
      this.#quietFrames = 0;
    } else if (++this.#quietFrames >= this.#minGapFrames) {
      this.#closeSpeech(this.#position - this.#quietFrames * FRAME);
    }
  }

  #closeSpeech(end: number): void {
    if (this.#openSince !== undefined && end - this.#openSince >= MIN_SPEECH_FRAMES * FRAME) {
      this.#speech.push({ start: this.#openSince, end });
    }
    this.#openSince = undefined;
    this.#quietFrames = 0;
  }

  #completed(): SpeechWindow | undefined {
    if (this.#length >= this.#maxLength) return this.#cutAtBestPause();
    if (this.#openSince !== undefined) return undefined;
    const last = this.#lastSpeech;
    if (!last) {
      this.#drop(this.#length - this.#lead);
      return undefined;
    }
    const pause = this.#position - last.end;
    const spoken = last.end - this.#speech[0]!.start;
    const complete = pause >= this.#longPause || (spoken >= this.#enoughSpeech && pause >= this.#sentencePause);
    return complete ? this.#cut(last.end + TAIL) : undefined;
  }

  /** Cuts a window without a long enough pause at the longest gap of its second half, else at its quietest moment. */
  #cutAtBestPause(): SpeechWindow {
    const half = this.#start + this.#length / 2;
    let best: Span | undefined;
    const next = [...this.#speech.slice(1).map((span) => span.start), this.#openSince];
    this.#speech.forEach((span, index) => {
      const gap = { start: span.end, end: next[index] ?? this.#position };
      if (gap.start >= half && (!best || gap.end - gap.start > best.end - best.start)) best = gap;
    });
    if (best) return this.#cut(Math.min(best.start + TAIL, Math.round((best.start + best.end) / 2)));
    return this.#cut(this.#quietestMoment(half));
  }

  #quietestMoment(from: number): number {
    const reach = 2;
    let best = this.#probabilities.length - 1;
    let lowest = Number.POSITIVE_INFINITY;
    const first = Math.max(reach, Math.floor((from - this.#start) / FRAME));
    for (let index = first; index < this.#probabilities.length - reach; index++) {
      let sum = 0;
      for (let near = -reach; near <= reach; near++) sum += this.#probabilities[index + near]!;
      if (sum <= lowest) {
        lowest = sum;
        best = index;
      }
    }
    return this.#start + best * FRAME + FRAME / 2;
  }

  /** Removes and returns the window before a position in the recording. */
  #cut(at: number): SpeechWindow {
    const end = Math.min(at, this.#position);
    const all = [...this.#speech];
    if (this.#openSince !== undefined) all.push({ start: this.#openSince, end: this.#position });
    const speech = all
      .filter((span) => span.start < end)
      .map((span) => ({ start: span.start, end: Math.min(span.end, end) }));
    const first = speech[0]?.start ?? this.#start;
    const start = Math.max(this.#start, this.#lastEnd, first - this.#lead);
    const window = {
      start,
      end,
      samples: this.#samples.slice(start - this.#start, end - this.#start),
      speech,
      probabilities: Float32Array.from(
        this.#probabilities.slice(Math.floor((start - this.#start) / FRAME), Math.ceil((end - this.#start) / FRAME)),
      ),
    };
    this.#speech = all
      .filter((span) => span.end > end)
      .map((span) => ({ start: Math.max(span.start, end), end: span.end }));
    if (this.#openSince !== undefined) {
      this.#speech.pop();
      this.#openSince = Math.max(this.#openSince, end);
    }
    this.#lastEnd = end;
    this.#drop(end - this.#start);
    return window;
  }

  /** Drops whole frames from the front, at most `count` samples. */
  #drop(count: number): void {
    const frames = Math.max(0, Math.floor(count / FRAME));
    if (frames === 0) return;
    this.#samples.copyWithin(0, frames * FRAME, this.#length);
    this.#length -= frames * FRAME;
    this.#start += frames * FRAME;
    this.#probabilities = this.#probabilities.slice(frames);
  }
}

/** Splits a window at the pause nearest to its middle; undefined if it has no pause. */
export function splitAtPause(window: SpeechWindow): [SpeechWindow, SpeechWindow] | undefined {
  const middle = (window.start + window.end) / 2;
  const cuts = window.speech.slice(1).map((span, index) => Math.round((window.speech[index]!.end + span.start) / 2));
  if (cuts.length === 0) return undefined;
  const cut = cuts.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best));
  return [slice(window, window.start, cut), slice(window, cut, window.end)];
}

function slice(window: SpeechWindow, start: number, end: number): SpeechWindow {
  const frame = (position: number) => Math.floor((position - window.start) / FRAME);
  return {
    start,
    end,
    samples: window.samples.slice(start - window.start, end - window.start),
    speech: window.speech.filter((span) => span.start >= start && span.end <= end),
    probabilities: window.probabilities.slice(frame(start), frame(end) + 1),
  };
}
