/**
 * What a speech model answers with, in the words of the API: seconds, tokens, natural logarithms. The field names are
 * those of `verbose_json`, so that a segment travels from the model to the client as it is.
 */

export interface Word {
  /** The word as written, with its punctuation and without surrounding blanks. */
  word: string;
  /** Seconds from the start of the recording. */
  start: number;
  end: number;
  /** Mean probability of the word's tokens, 0 to 1. */
  probability: number;
}

export interface Segment {
  /** Start of the window that the segment was decoded in, in frames of 10 ms. */
  seek: number;
  /** Seconds from the start of the recording. */
  start: number;
  end: number;
  /** Text with its leading blank, so that the texts of all segments, joined, are the transcript. */
  text: string;
  /** Token ids of the model. */
  tokens: number[];
  /** Sampling temperature that was used. */
  temperature: number;
  /** Mean natural log probability of the tokens. */
  avg_logprob: number;
  /** Bytes of the text over bytes of its zlib form; a high one means repetition. */
  compression_ratio: number;
  /** Probability, 0 to 1, that there is no speech here. */
  no_speech_prob: number;
  /** May be empty where only the text was asked for. */
  words: Word[];
}

export type TranscriptionTask = 'transcribe' | 'translate';

/** One recording to transcribe, as it is sent to the engine process. */
export interface TranscriptionJob {
  /** Path of the uploaded file, readable by the engine. */
  path: string;
  task: TranscriptionTask;
  /** ISO 639-1 code; absent: detect. */
  language?: string;
  /** Initial decoding context. Not every model can use one. */
  prompt?: string;
  /** Only the text will be looked at: a model need not work out words and their times. */
  textOnly?: boolean;
  /** Refuse recordings longer than this. */
  maxAudioSeconds: number;
}

/** What the engine sends back: segments in order as they are ready, then one `end`. */
export type TranscriptionEvent =
  | { type: 'segment'; segment: Segment }
  | { type: 'end' /** ISO 639-1 code of the speech. */; language: string /** Seconds. */; duration: number };

/** What a loaded speech model says of itself. */
export interface SpeechModelInfo {
  /** Name as in GET /v1/models, e.g. `moonshine-tiny` or `small`. */
  model: string;
  device: string;
  compute_type: string;
  /** ISO 639-1 codes of the languages it can be asked for. */
  languages: string[];
  /** Whether it can translate into English. English-only models count: their transcript is English. */
  translates: boolean;
}

/** Samples from `start` up to, not including, `end`, counted from the start of the recording. */
export interface Span {
  start: number;
  end: number;
}

/** A piece of a recording that holds speech, cut at pauses. */
export interface SpeechWindow extends Span {
  /** `end - start` samples, mono, 16 kHz. */
  samples: Float32Array;
  /** Where there is speech within the window, without padding, in order. */
  speech: Span[];
  /** Probability of speech for each frame of 512 samples from `start` on. */
  probabilities: Float32Array;
}

export interface RecognizedWindow {
  /** Times count from the start of the recording. */
  segments: Segment[];
  /** ISO 639-1 code. */
  language: string;
}

/** How a recording is cut into windows for a model, in seconds. */
export interface WindowLimits {
  /** A window never exceeds this by more than a frame. */
  longest: number;
  /** From this much speech on, a window ends at the next pause between sentences. */
  enoughSpeech: number;
  /** A pause this long always ends a window. */
  longPause: number;
}

/** The contract between the engine and a speech model. */
export interface SpeechRecognizer {
  readonly info: SpeechModelInfo;
  /** How many windows it can work on at the same time. */
  readonly parallelWindows: number;
  readonly windowLimits: WindowLimits;
  /**
   * Recognizes one window. Windows of several jobs may be inside at once; jobs take fair turns.
   * @param context.signal its abortion takes the window out as soon as possible; the promise then rejects
   */
  recognize(window: SpeechWindow, context: { job: TranscriptionJob; signal: AbortSignal }): Promise<RecognizedWindow>;
}
