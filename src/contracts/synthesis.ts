/** What the synthesis service, its engine process and its models say to each other. */

import type { AudioFormat } from '../audio/formats.ts';
import type { LanguageLetter, NormalizationOptions, SpokenToken } from '../text/types.ts';
import type { UserLexicon } from '../text/user-lexicon.ts';

/** One voice of a blend; the weights of a blend add up to 1, single ones may be negative. */
export interface VoiceWeight {
  name: string;
  weight: number;
}

export interface CaptionWord {
  /** As written in the input. */
  word: string;
  /** Seconds from the start of the audio. */
  start_time: number;
  end_time: number;
}

export type SynthesisJob =
  | {
      kind: 'speech';
      /** Text with control tokens, or phonemes in Kokoro's alphabet. */
      input: { text: string; normalization: NormalizationOptions } | { phonemes: string };
      voice: VoiceWeight[];
      language: LanguageLetter;
      /** 0.25 to 4; changes tempo and not pitch. */
      speed: number;
      /** Above 0; loud parts are limited softly. */
      volume: number;
      format: AudioFormat;
      /** A second encoding of the same audio, for the download. */
      downloadFormat?: AudioFormat;
      /** Whether word times are wanted. */
      captions: boolean;
      /** Words and their phonemes, as `UserLexicon` takes them. */
      lexicon?: Record<string, string>;
    }
  | { kind: 'phonemize'; text: string; language: LanguageLetter; lexicon?: Record<string, string> };

export type SynthesisEvent =
  /** The next encoded bytes; they leave as soon as they exist. */
  | { type: 'audio'; bytes: Uint8Array }
  /** The next bytes of the second encoding. */
  | { type: 'download'; bytes: Uint8Array }
  /** A piece (a clause, a sentence, a pause) is through the encoder: its words, with times from the start of the audio. */
  | { type: 'chunk'; words: CaptionWord[] }
  | { type: 'phonemes'; phonemes: string };

export interface SynthesizerInfo {
  /** `flite` or `kokoro`. */
  model: string;
  /** Identifier of the backend, as in /system. */
  backend: string;
  device: string;
  compute_type: string;
  /** Samples a second of what `speak` returns. */
  sampleRate: number;
  /** Languages that it speaks. */
  languages: LanguageLetter[];
}

export interface Utterance {
  tokens: SpokenToken[];
  /** As of a piece: then they are what is said, and the tokens are for who cannot read them. */
  phonemes?: string[] | undefined;
  /** Pronunciations that go before all others. */
  lexicon?: UserLexicon | undefined;
  voice: VoiceWeight[];
  language: LanguageLetter;
  speed: number;
}

export interface SpokenAudio {
  /** Mono, at the synthesizer's sample rate, -1 to 1. */
  samples: Float32Array;
  /**
   * Times from the start of `samples`, negative where a word began in the part before; one for each token that says
   * something, in order.
   */
  words: CaptionWord[];
}

/** A part of a sentence that is being spoken. */
export interface PendingChunk {
  /** What becomes of it: to be asked for once, part after part. */
  audio(): Promise<SpokenAudio>;
}

/** What lies between what a voice model speaks in one go and what it speaks next. */
export type Joint = 'within a clause' | 'clause' | 'sentence';

/** When a token of an utterance is spoken, in seconds from the start of what is spoken in one go. */
export interface TokenTime {
  /** Its index in the utterance. */
  token: number;
  start: number;
  end: number;
}

/** The contract between the engine and a voice model. */
export interface SpeechSynthesizer {
  readonly info: SynthesizerInfo;
  /** Parts of one job that it speaks at the same time. */
  readonly parallelChunks: number;
  /**
   * Speaks one sentence, in one part or several, each begun when it is asked for. Jobs inside at once take fair turns.
   * @param context.owner whom turns are shared among: the job
   * @param context.first whether nothing of the job was spoken yet: then the first part should come soon
   */
  speak(
    utterance: Utterance,
    context: { owner: object; first: boolean; signal: AbortSignal },
  ): AsyncIterable<PendingChunk>;
}
