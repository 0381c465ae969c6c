/**
 * What `say`, its engine process and its models exchange.
 *
 * A *segment* is a sentence or a pause of the input text (`TextSegment`). A *chunk* is what a synthesizer speaks in one run
 * of the model: a sentence, or a stretch of one. A *phrase* is what it computes the prosody of at once: one chunk, or
 * several.
 */

import type { BookTags } from '../audio/book-tags.ts';
import type { AudioFormat } from '../audio/formats.ts';
import type { LanguageLetter, NormalizationOptions, TextInput } from '../text/types.ts';

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

/** A mark of the input and when it is reached. */
export interface MarkTime {
  name: string;
  /** Seconds from the start of the audio. */
  time: number;
}

/** A part of a speech job with one voice, language, speed and volume. */
export interface Passage {
  text: TextInput;
  voice: VoiceWeight[];
  language: LanguageLetter;
  /** 0.25 to 4; changes tempo and not pitch. */
  speed: number;
  /** 0 or more; peaks are limited softly. */
  volume: number;
  /** Seconds of silence after it. */
  pauseAfter?: number;
  /** Index of its chapter in a book. */
  chapter?: number;
}

/** Passages to speak one after the other. */
export interface PassageInput {
  passages: Passage[];
  normalization: NormalizationOptions;
  /** The field of the request that they came in, which errors name. */
  param: string;
}

/** Metadata of a book, for formats that support it. */
export interface Book extends BookTags {
  /** Titles of the chapters. */
  chapters: string[];
}

/** A job of the engine. */
export type SynthesisJob = SpeechJob | PhonemizeJob;

export interface SpeechJob {
  kind: 'speech';
  /** Text with control tokens, passages, or phonemes in Kokoro's alphabet. */
  input: { text: string; normalization: NormalizationOptions } | PassageInput | { phonemes: string };
  /** How to speak text or phonemes; passages have their own voice, language, speed and volume. */
  voice: VoiceWeight[];
  language: LanguageLetter;
  /** 0.25 to 4; changes tempo and not pitch. */
  speed: number;
  /** Above 0; peaks are limited softly. */
  volume: number;
  format: AudioFormat;
  /** A second encoding of the same audio, for the download. */
  downloadFormat?: AudioFormat;
  /** The book whose chapters the passages are. */
  book?: Book;
  /** Whether to report word times. */
  captions: boolean;
  /** Words and their phonemes, as `UserLexicon` takes them. */
  lexicon?: Record<string, string>;
}

export interface PhonemizeJob {
  kind: 'phonemize';
  text: string;
  language: LanguageLetter;
  /** As in `SpeechJob`. */
  lexicon?: Record<string, string>;
}

export type SynthesisEvent =
  /** Sent first if the language skips letters of the text: their number. */
  | { type: 'skipped'; characters: number }
  /** The next encoded bytes, sent as soon as they exist. */
  | { type: 'audio'; bytes: Uint8Array }
  /** The next bytes of the second encoding. */
  | { type: 'download'; bytes: Uint8Array }
  /** Sent after the last bytes: a replacement for the first bytes of an encoding, for a complete file. */
  | { type: 'header'; of: 'audio' | 'download'; bytes: Uint8Array }
  /** A chapter begins: its index, and the seconds of audio before it. */
  | { type: 'chapter'; index: number; start: number }
  /** A chunk or a second of a pause is encoded: its words and marks, with times from the start of the audio. */
  | {
      type: 'chunk';
      words: CaptionWord[];
      marks: MarkTime[];
      /** Index of the passage that they belong to. */
      passage: number;
      /** Index of the chapter, in a book. */
      chapter?: number | undefined;
    }
  /** Sent last: seconds of the whole audio. */
  | { type: 'end'; seconds: number }
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

/** A word of a sentence, for an English synthesizer that pronounces words itself. */
export interface Word {
  /** Lower-case letters without accents, and apostrophes; or a number. */
  text: string;
  /** Phones of the CMU set, vowels with `1` or `0` for stress, separated by spaces; they replace `text`. */
  phones?: string;
  /** `,`, `.`, `?`, … or empty: makes a break in the phrasing. */
  punctuation: string;
  /** Index of its token in the sentence. */
  token: number;
}

/** A character of a sentence in Kokoro's alphabet. */
export interface Phoneme {
  symbol: string;
  /** Index of its token in the sentence. */
  token: number;
}

/** How a phrase ends, which sets the pause after it: between two words, at a clause mark, or with the sentence. */
export type Boundary = 'word' | 'clause' | 'sentence';

/** What a synthesizer speaks in one run of the model. */
export interface Chunk<Unit> {
  /** At least one of them is audible. */
  units: Unit[];
  boundary: Boundary;
  /** The phrase that it is a part of; if omitted, the chunk is spoken by itself. */
  phrase?: ChunkPhrase<Unit>;
}

/** A stretch of a sentence with one prosody, which several chunks speak in turn. They join without a pause. */
export interface ChunkPhrase<Unit> {
  units: Unit[];
  /** Index of the chunk's first unit. */
  begin: number;
  /** Index of the next chunk's first unit; spaces may precede it. */
  end: number;
}

/** How long chunks get, in letters or phonemes. */
export interface ChunkLimits {
  /** The first chunk of a job: a listener waits for it. */
  first: number;
  /** Factor from one chunk to the next, up to `usual`. */
  growth: number;
  /** Maximum of any chunk that can be cut at a good place: one turn of a job. */
  usual: number;
  /** Maximum input of the model; no chunk is longer. */
  max: number;
  /** Longest phrase of several chunks that is not cut at a better place. If omitted, each chunk is a phrase. */
  phrase?: number;
  /** A phrase up to this size is one chunk, the first of a job too. If omitted, `first` alone decides. */
  whole?: number;
  /** The worst cut within the limit that is preferred to a better one a little beyond it. */
  settleFor: 'phrase' | 'clause';
}

/** When a token of a sentence is spoken, in seconds from the start of the chunk. */
export interface TokenTime {
  /** Its index in the sentence. */
  token: number;
  start: number;
  end: number;
}

export interface SpokenChunk {
  /** Mono, at the synthesizer's sample rate, -1 to 1. */
  samples: Float32Array;
  /** Samples after `samples` that fade out while the next chunk of the phrase fades in; add them to its start. */
  tail?: Float32Array;
  /** One entry for each token that is audible in the chunk, in order. */
  times: TokenTime[];
}

/** A chunk that waits for its turn or is being spoken. */
export interface PendingChunk {
  spoken: Promise<SpokenChunk>;
}

/** How a chunk is spoken. */
export interface SpeakOptions {
  voice: VoiceWeight[];
  /** The job, by which turns are shared. */
  owner: object;
  signal: AbortSignal;
}

/** The contract between the pipeline and a voice model, which speaks at a speed of 1. */
export interface Synthesizer<Unit> {
  readonly info: SynthesizerInfo;
  /** How its chunks are cut. */
  readonly limits: ChunkLimits;
  /** Chunks of one job that it speaks at the same time. */
  readonly parallelChunks: number;
  /** A sentence that each worker speaks before the first job. */
  readonly warmUpText: string;
  /** Queues a chunk. Concurrent jobs take fair turns, chunk by chunk. */
  speak(chunk: Chunk<Unit>, options: SpeakOptions): Promise<PendingChunk>;
}

export interface WordSynthesizer extends Synthesizer<Word> {
  readonly input: 'words';
}

export interface PhonemeSynthesizer extends Synthesizer<Phoneme> {
  readonly input: 'phonemes';
  /** The phonemes that it knows; others are left out. */
  readonly alphabet: ReadonlySet<string>;
}

/** A voice model; `input` says which units the pipeline converts text into. */
export type SpeechSynthesizer = WordSynthesizer | PhonemeSynthesizer;
