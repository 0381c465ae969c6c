import type { KnownSpeaker, SpeakerModel, SpeakerTurn, VoiceSample } from '../../contracts/speakers.ts';
import type { SpeechWindow, TranscriptionJob } from '../../contracts/transcription.ts';
import { findTurnsApart } from '../../diarization/turn-finder.ts';
import { HearsayError } from '../../errors.ts';
import { abortable } from '../../scheduling/abortable.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { speechWindows } from '../../vad/segmenter.ts';
import type { VoiceActivityModel } from '../../vad/silero.ts';
import type { Decode } from './decoders.ts';
import type { SpeakerModels } from './speaker-models.ts';

/** Seconds of a known speaker's recording. */
const MIN_REFERENCE = 2;
const MAX_REFERENCE = 10;
/** Tolerance in seconds, since codecs add and drop samples. */
const SLACK = 0.25;
/** A reference is one window. */
const WHOLE = { maxLength: MAX_REFERENCE + 1, enoughSpeech: MAX_REFERENCE + 1, longPause: MAX_REFERENCE + 1 };

interface VoicesOptions {
  decode: Decode;
  voiceActivity: VoiceActivityModel;
  models: Pick<SpeakerModels, 'get'>;
}

/** The voices of one job: known ones, and those in its windows. A second of speech takes a kilobyte. */
export class Voices {
  readonly #model: SpeakerModel;
  readonly #job: TranscriptionJob;
  readonly #signal: AbortSignal;
  #known: Float32Array[] = [];
  readonly #samples: VoiceSample[] = [];

  private constructor(model: SpeakerModel, job: TranscriptionJob, signal: AbortSignal) {
    this.#model = model;
    this.#job = job;
    this.#signal = signal;
  }

  /**
   * Loads the model and embeds the known speakers.
   * @throws HearsayError `model_unavailable`; `invalid_audio` for a reference that is too short, too long, or no speech; the
   *   reason of `signal`
   */
  static async of(job: TranscriptionJob, options: VoicesOptions, signal: AbortSignal): Promise<Voices> {
    const { model: files, known = [] } = job.speakers ?? {};
    if (!files) throw new Error('The job names no model that tells speakers apart.');
    const voices = new Voices(await abortable(options.models.get(files), signal), job, signal);
    for (const [index, speaker] of known.entries()) {
      voices.#known.push(await voices.#reference(speaker, index, options));
    }
    return voices;
  }

  /** Embeds the voices of a window. Copies what it needs before it returns. */
  async hear({ start, samples, speech }: Pick<SpeechWindow, 'start' | 'samples' | 'speech'>): Promise<void> {
    this.#samples.push(...(await this.#embed({ start, samples: samples.slice(), speech })));
  }

  /** Who spoke when, in all windows. */
  turns(): Promise<SpeakerTurn[]> {
    const { count } = this.#job.speakers ?? {};
    const options = { known: this.#known, ...(count !== undefined && { count }) };
    return findTurnsApart({ samples: this.#samples, options }, this.#signal);
  }

  #embed(window: Pick<SpeechWindow, 'start' | 'samples' | 'speech'>): Promise<VoiceSample[]> {
    const { isBackground = false } = this.#job;
    return this.#model.embed(window, { owner: this.#job, signal: this.#signal, isBackground });
  }

  /** The mean voice of a known speaker's recording. */
  async #reference(
    { recording }: KnownSpeaker,
    index: number,
    { decode, voiceActivity }: VoicesOptions,
  ): Promise<Float32Array> {
    const invalid = (fault: string, cause?: unknown) => {
      const message = `known_speaker_references[${index}] ${fault}`;
      return new HearsayError('invalid_audio', message, { param: 'known_speaker_references[]', cause });
    };
    const samples: VoiceSample[] = [];
    let length = 0;
    const decoding = { maxSeconds: MAX_REFERENCE + SLACK, part: recording, signal: this.#signal };
    const path = this.#job.path;
    async function* audio() {
      for await (const chunk of decode(path, decoding)) {
        length += chunk.length;
        yield chunk;
      }
    }
    try {
      for await (const window of speechWindows(audio(), voiceActivity, WHOLE)) {
        samples.push(...(await this.#embed(window)));
      }
    } catch (error) {
      if (!(error instanceof HearsayError)) throw error;
      if (error.code === 'audio_too_long') throw invalid(LENGTH, error);
      throw error.code === 'invalid_audio' ? invalid(`cannot be used: ${error.message}`, error) : error;
    }
    if (length < (MIN_REFERENCE - SLACK) * SAMPLE_RATE) throw invalid(LENGTH);
    const voice = meanVoice(samples);
    if (!voice) throw invalid('has no speech.');
    return voice;
  }
}

const LENGTH = `must have ${MIN_REFERENCE} to ${MAX_REFERENCE} s of audio.`;

/** The mean of voices by their lengths, of unit length; undefined if there is none. */
export function meanVoice(samples: readonly VoiceSample[]): Float32Array | undefined {
  const [first] = samples;
  if (!first) return undefined;
  const sum = new Float32Array(first.embedding.length);
  for (const { start, end, embedding } of samples) {
    for (const [index, value] of embedding.entries()) sum[index]! += value * (end - start);
  }
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : undefined;
}
