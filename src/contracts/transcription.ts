/**
 * Results of speech models, in units of the API: seconds, tokens, natural logarithms. Field names are those of
 * `verbose_json`, so that segments reach the client unchanged.
 */

import type { ByteRange } from '../audio/byte-range.ts';
import type { DiarizationOptions, SpeakerTurn } from './speakers.ts';

/** Limits of the keywords of a request or a session. */
export const MAX_KEYWORDS = 500;
export const MAX_KEYWORD_CHARACTERS = 100;

export interface Word {
  /** The word as written, with its punctuation and without surrounding whitespace. */
  word: string;
  /** Seconds from the start of the recording. */
  start: number;
  end: number;
  /** Mean probability of the word's tokens, 0 to 1. */
  probability: number;
}

/** A token of the text, as the decoder chose it. */
export interface TokenLogprob {
  /** Its text; bytes that are not a whole character are escaped: `\\xe2\\x82`. */
  token: string;
  /** Its UTF-8 bytes. */
  bytes: number[];
  /** Natural logarithm of its probability. */
  logprob: number;
}

export interface Segment {
  /** Start of the segment's window, in frames of 10 ms. */
  seek: number;
  /** Seconds from the start of the recording. */
  start: number;
  end: number;
  /** Text with its leading space: the texts of all segments, joined, are the transcript. */
  text: string;
  /** Token ids of the model. */
  tokens: number[];
  /** Sampling temperature. */
  temperature: number;
  /** Mean natural log probability of the tokens. */
  avg_logprob: number;
  /** Bytes of the text over bytes of its zlib form; high values mean repetition. */
  compression_ratio: number;
  /** Probability of silence, 0 to 1. */
  no_speech_prob: number;
  words: Word[];
  /** The tokens of the text, without timestamps, if the job asks for them; joined, they are the text. */
  logprobs?: TokenLogprob[];
  /** Name or label of the speaker, if the job asks for it. */
  speaker?: string;
}

/** Hypotheses that decoding follows: 1 is greedy; `auto` is greedy, then 5 if the text is unsure. */
export type BeamSize = number | 'auto';

export type TranscriptionTask = 'transcribe' | 'translate';

/** How voice activity cuts a recording into windows; omitted limits are the model's choice. */
export interface VoiceActivityOptions {
  /** Probability, 0 to 1, at which speech begins; it ends 0.15 below. */
  threshold?: number;
  /** Seconds of audio kept before speech. */
  prefixPadding?: number;
  /** Seconds of silence that end a window; no shorter pause does. */
  silence?: number;
}

/** One recording to transcribe, as sent to the engine process. */
export interface TranscriptionJob {
  /** Path of the uploaded file, readable by the engine. */
  path: string;
  /** Where the recording lies in the file; absent: it is the whole file. */
  recording?: ByteRange;
  /** How to tell speakers apart; absent: not at all. */
  speakers?: DiarizationOptions;
  task: TranscriptionTask;
  /** ISO 639-1 code; absent: detect. */
  language?: string;
  /** ISO 639-1 codes to detect the language among; absent: all that the model knows. */
  languages?: readonly string[];
  /** Initial decoding context, which some models ignore. */
  prompt?: string;
  /** Words and phrases that the model hears more readily. */
  keywords?: readonly string[];
  /** Whether segments have `logprobs`. Default: false. */
  logprobs?: boolean;
  voiceActivity?: VoiceActivityOptions;
  /** Only detects the language, in the first window with speech. Default: false. */
  detectOnly?: boolean;
  /** Longer recordings are rejected. */
  maxAudioSeconds: number;
  /** Whether it is a background job, which yields to all others. Default: false. */
  isBackground?: boolean;
}

/** Sent by the engine: segments in order as they are ready, `turns` if the job asks for speakers, then one `end`. */
export type TranscriptionEvent =
  | { type: 'segment'; segment: Segment }
  | { type: 'turns'; turns: SpeakerTurn[] }
  | {
      type: 'end';
      /** ISO 639-1 code of the speech. */
      language: string;
      /** ISO 639-1 codes of all languages that are spoken, the most spoken first; empty without speech. */
      languages: string[];
      /** Probability of `language`, 0 to 1, if the job only detects it; 0 without speech. */
      probability?: number;
      /** Seconds. */
      duration: number;
      /** Seconds of speech that no segment covers. */
      missed: number;
      /** Seconds from the start of the job until the recording was decoded to its end. */
      decodedAfter?: number;
      batching?: Batching;
    };

/** How windows share the runs of a decoder. The steps of all windows divided by their runs are the mean batch size. */
export interface Batching {
  /** Decoder steps of these windows. */
  steps: number;
  /** Runs of the decoder for them; of a shared run only their share. */
  runs: number;
}

/** The part of a job that a model needs. */
export interface RecognitionJob extends Omit<TranscriptionJob, 'path' | 'recording' | 'speakers' | 'maxAudioSeconds'> {
  /** Whether the speech is unfinished: the text is a guess, decoded once and after everything that is not a draft. */
  isDraft?: boolean;
  /** Whether nothing of a draft's speech has been shown yet, so that it goes before other drafts. */
  isUrgent?: boolean;
  /** Whether the speech is live: its text is decoded without the retries that take a multiple of the time. */
  isLive?: boolean;
  /** Text that the speech probably begins with: a model decodes the correct part of it faster. */
  expected?: string;
  /** ISO 639-1 code of the speech before: used if detection is unsure and this language is among the most probable. */
  languageBefore?: string;
}

/** A stretch of live speech. Its events are those of a recording, and `settled`; times count from its first sample. */
export interface UtteranceJob extends RecognitionJob, HeardFrames {
  /** Speech shortly before, if it has been transcribed: the model gets it as context. */
  before?: HeardFrames;
}

/** Frames whose voice activity is known. */
export interface HeardFrames {
  /** Whole frames of mono 16 kHz. */
  samples: Float32Array;
  /** Probability of speech in each frame, as `VoiceActivityEvent` gave it. */
  probabilities: Float32Array;
}

/** Voice activity at the end of a frame, to go on from. */
export interface VoiceActivityState {
  /** The last samples, and two states of the model. */
  context: Float32Array;
  hidden: Float32Array;
  cell: Float32Array;
  /** Frames of digital silence in a row. */
  silentFrames: number;
  /** Fading peak of the sound before, see `QuietPassages`. */
  peak: number;
}

/** The next frames of a live stream. */
export interface StreamFrames {
  /** Whole frames of mono 16 kHz, at least one. */
  frames: Float32Array;
  /** Absent at the start. */
  state?: VoiceActivityState | undefined;
}

/** Voice activity of these frames. */
export interface StreamActivity {
  /** For each frame, 0 to 1. */
  probabilities: Float32Array;
  state: VoiceActivityState;
}

/** The next frames of several live streams. Sends one `VoiceActivityEvent`. */
export interface VoiceActivityJob {
  streams: StreamFrames[];
}

export interface VoiceActivityEvent {
  type: 'voice_activity';
  /** One for each stream, in order. */
  streams: StreamActivity[];
}

/** What the engine of `hear` runs, and what it sends. */
export type HearJob = TranscriptionJob | UtteranceJob | VoiceActivityJob;
export type HearEvent = TranscriptionEvent | SettledEvent | VoiceActivityEvent;

/** The segments so far are those of complete windows: more audio does not change them. */
export interface SettledEvent {
  type: 'settled';
  /** Seconds. */
  end: number;
  /** As in the `end` event, so far. */
  language: string;
  missed: number;
}

/** Facts about a loaded speech model. */
export interface SpeechModelInfo {
  /** Name as in GET /v1/models, e.g. `moonshine-tiny` or `small`. */
  model: string;
  device: string;
  compute_type: string;
  /** ISO 639-1 codes of the languages it accepts. */
  languages: string[];
  /** Whether it can translate into English. True for English-only models: their transcript is English. */
  translates: boolean;
}

/** Samples from `start` up to, not including, `end`, counted from the start of the recording. */
export interface Span {
  start: number;
  end: number;
}

/** A stretch of a recording with speech, cut at pauses. */
export interface SpeechWindow extends Span {
  /** `end - start` samples, mono, 16 kHz. */
  samples: Float32Array;
  /** Speech within the window, without padding, in order. */
  speech: Span[];
  /** Probability of speech for each frame of 512 samples from `start` on. */
  probabilities: Float32Array;
}

export interface RecognizedWindow {
  /** Times count from the start of the recording. */
  segments: Segment[];
  /** ISO 639-1 code. */
  language: string;
  /** Probability of the language, 0 to 1, if it was detected only; absent for a model of one language. */
  probability?: number;
  /** For a model that batches. */
  batching?: Batching;
}

/** How to cut recordings into windows for a model, in seconds. */
export interface WindowLimits {
  /** Exceeded by at most one frame. */
  maxLength: number;
  /** With this much speech, a window ends at the next pause between sentences. */
  enoughSpeech: number;
  /** A pause this long always ends a window. */
  longPause: number;
}

/** The contract between the pipeline and a speech model. */
export interface SpeechRecognizer {
  readonly info: SpeechModelInfo;
  /** Useful number of windows of one job in flight. */
  readonly parallelWindows: number;
  readonly windowLimits: WindowLimits;
  /**
   * Recognizes one window. Windows of several jobs can be in flight; jobs take fair turns. The model may take over the
   * window's samples: do not use them afterwards.
   * @param context.signal drops the window as soon as possible; the promise then rejects
   */
  recognize(window: SpeechWindow, context: { job: RecognitionJob; signal: AbortSignal }): Promise<RecognizedWindow>;
}
