import type { ByteRange } from '../audio/byte-range.ts';
import type { Span, SpeechWindow } from './transcription.ts';

/** The voice in a piece of speech. */
export interface VoiceSample extends Span {
  /** Unit length: the cosine of two voices is their dot product. */
  embedding: Float32Array;
}

/** The contract between the pipeline and a model that tells voices apart. */
export interface SpeakerModel {
  readonly info: { model: string };
  /**
   * Embeds the voices of a window's speech, piece by piece: pieces are short enough that most hold one speaker. Times count from
   * the start of the recording, in samples. Does not change the window.
   * @param context.owner the request; requests take fair turns
   * @param context.signal drops the window as soon as possible; the promise then rejects
   */
  embed(
    window: Pick<SpeechWindow, 'start' | 'samples' | 'speech'>,
    context: { owner: object; signal: AbortSignal; isBackground?: boolean },
  ): Promise<VoiceSample[]>;
}

/** Speech of one speaker, in samples from the start of the recording. */
export interface SpeakerTurn extends Span {
  /** Counted from 0 in the order in which they first speak; a known speaker is its index among the known ones, as -1 - index. */
  speaker: number;
}

/** A voice that is known by name. */
export interface KnownSpeaker {
  name: string;
  /** A recording of it, in the file of the job. */
  recording: ByteRange;
}

/** What the engine loads to tell speakers apart. */
export interface SpeakerModelFiles {
  /** Entry of the registry. */
  modelType: string;
  /** Directory or file of the checkpoint. */
  checkpoint: string;
}

/** How to tell the speakers of a recording apart. */
export interface DiarizationOptions {
  known?: readonly KnownSpeaker[];
  /** Number of speakers; if absent, it is detected. */
  count?: number;
  /** Set when the job runs, perhaps in another process than the one where it was queued. */
  model?: SpeakerModelFiles;
}
