import { StreamEncoder } from '../../audio/encode.ts';
import { softLimit } from '../../audio/volume.ts';
import type {
  CaptionWord,
  PendingChunk,
  SpeechSynthesizer,
  SynthesisEvent,
  SynthesisJob,
  SynthesizerInfo,
} from '../../contracts/synthesis.ts';
import type { Engine } from '../../engine/host.ts';
import type { Languages } from '../../text/languages.ts';
import type { TextSegment } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import type { LexiconFile } from './lexicon-file.ts';
import { phonemeLines, phonemeSegments } from './phoneme-segments.ts';
import { prefetch } from './prefetch.ts';

type SpeechJob = Extract<SynthesisJob, { kind: 'speech' }>;
type PhonemizeJob = Extract<SynthesisJob, { kind: 'phonemize' }>;

/** Seconds of the frames that the first sound leaves in, and of those that follow. */
const FIRST_FRAME = 0.02;
const LATER_FRAME = 0.2;
/** What is sent of a text that has nothing to say, so that the file is one that plays. */
const NOTHING_SECONDS = 0.1;

/** From text to encoded audio: pieces of text, whichever model speaks them, volume, encoders. */
export class SynthesisEngine implements Engine<SynthesisJob, SynthesisEvent, SynthesizerInfo> {
  readonly info: SynthesizerInfo;
  readonly #synthesizer: SpeechSynthesizer;
  readonly #languages: Pick<Languages, 'load'>;
  readonly #sharedLexicon: Pick<LexiconFile, 'current'>;

  /** @param sharedLexicon pronunciations for all jobs */
  constructor(
    synthesizer: SpeechSynthesizer,
    languages: Pick<Languages, 'load'>,
    sharedLexicon: Pick<LexiconFile, 'current'>,
  ) {
    this.info = synthesizer.info;
    this.#synthesizer = synthesizer;
    this.#languages = languages;
    this.#sharedLexicon = sharedLexicon;
  }

  async *run(job: SynthesisJob, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
    if (job.kind === 'phonemize') {
      yield* this.#phonemize(job);
      return;
    }
    const encoders = new JobEncoders(job, this.info.sampleRate);
    const { parallelChunks } = this.#synthesizer;
    try {
      let spoken = 0;
      for await (const { samples, words } of prefetch(this.#speak(job, signal), parallelChunks)) {
        const offset = spoken / this.info.sampleRate;
        spoken += samples.length;
        yield* encoders.write(softLimit(samples, job.volume));
        yield { type: 'chunk', words: job.captions ? shifted(words, offset) : [] };
      }
      if (spoken === 0) yield* encoders.write(this.#silence(NOTHING_SECONDS));
      yield* encoders.finish();
    } finally {
      encoders.close();
    }
  }

  async *#phonemize(job: PhonemizeJob): AsyncGenerator<SynthesisEvent> {
    const lexicon = await this.#lexicon(job);
    const read = await this.#languages.load(job.language);
    let separator = '';
    for await (const line of phonemeLines(read, job.text, lexicon)) {
      yield { type: 'phonemes', phonemes: separator + line };
      separator = '\n';
    }
  }

  /** Pronunciations for this job: its own go before those for all. */
  async #lexicon({ lexicon }: SpeechJob | PhonemizeJob): Promise<UserLexicon | undefined> {
    const shared = await this.#sharedLexicon.current();
    if (lexicon === undefined) return shared;
    const own = UserLexicon.from(lexicon);
    return shared ? shared.with(own) : own;
  }

  async *#speak(job: SpeechJob, signal: AbortSignal): AsyncGenerator<PendingChunk> {
    const lexicon = await this.#lexicon(job);
    const { input, voice, language, speed } = job;
    const segments =
      'phonemes' in input
        ? phonemeSegments(input.phonemes)
        : (await this.#languages.load(language)).segments(input.text, input.normalization, lexicon);
    let first = true;
    for (const segment of segments) {
      if (segment.type === 'pause') {
        yield* this.#pause(segment);
        continue;
      }
      const utterance = { tokens: segment.tokens, phonemes: segment.phonemes, lexicon, voice, language, speed };
      for await (const part of this.#synthesizer.speak(utterance, { owner: job, first, signal })) {
        first = false;
        yield part;
      }
    }
  }

  /** A second at a time, so that a minute of silence takes no more memory than a sentence. */
  *#pause({ seconds }: Extract<TextSegment, { type: 'pause' }>): Generator<PendingChunk> {
    for (let left = seconds; left > 0; left--) {
      const samples = this.#silence(Math.min(left, 1));
      yield { audio: async () => ({ samples, words: [] }) };
    }
  }

  #silence(seconds: number): Float32Array {
    return new Float32Array(Math.round(seconds * this.info.sampleRate));
  }
}

const shifted = (words: readonly CaptionWord[], offset: number): CaptionWord[] =>
  words.map(({ word, start_time, end_time }) => ({
    word,
    start_time: start_time + offset,
    end_time: end_time + offset,
  }));

/** The encoder of the answer, and that of a download in another format. */
class JobEncoders {
  readonly #outputs: { type: 'audio' | 'download'; encoder: StreamEncoder }[] = [];
  readonly #sampleRate: number;
  #begun = false;

  constructor({ format, downloadFormat }: SpeechJob, sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#outputs.push({ type: 'audio', encoder: StreamEncoder.open(format, { sampleRate }) });
    if (downloadFormat !== undefined) {
      this.#outputs.push({ type: 'download', encoder: StreamEncoder.open(downloadFormat, { sampleRate }) });
    }
  }

  /** Bytes leave frame by frame: the first frames are short, because somebody waits for them. */
  *write(samples: Float32Array): Generator<SynthesisEvent> {
    for (let offset = 0; offset < samples.length; ) {
      const frame = Math.round((this.#begun ? LATER_FRAME : FIRST_FRAME) * this.#sampleRate);
      const part = samples.subarray(offset, offset + frame);
      offset += part.length;
      for (const { type, encoder } of this.#outputs) {
        for (const bytes of encoder.write(part)) {
          if (type === 'audio') this.#begun = true;
          yield { type, bytes };
        }
      }
    }
  }

  *finish(): Generator<SynthesisEvent> {
    for (const { type, encoder } of this.#outputs) for (const bytes of encoder.finish()) yield { type, bytes };
  }

  close(): void {
    for (const { encoder } of this.#outputs) encoder.close();
  }
}
