import { StreamEncoder } from '../../audio/encode.ts';
import type {
  CaptionWord,
  Chunk,
  SpeechSynthesizer,
  SpokenChunk,
  SynthesisEvent,
  SynthesisJob,
  Synthesizer,
  SynthesizerInfo,
  TokenTime,
} from '../../contracts/synthesis.ts';
import type { Engine } from '../../engine/host.ts';
import { HearsayError } from '../../errors.ts';
import { maxTotalPauseSeconds, pausesTooLong } from '../../text/control-tokens.ts';
import type { Languages } from '../../text/languages.ts';
import { defaultNormalization } from '../../text/normalization.ts';
import type { SpokenToken } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import { Chunker, type Reader, type ReadOptions, type Sentence } from './chunker.ts';
import type { LexiconFile } from './lexicon-file.ts';
import { PhonemeReader } from './phoneme-reader.ts';
import { phonemeLines, phonemeSegments } from './phoneme-segments.ts';
import { softLimit, Timeline } from './timeline.ts';
import { skippedIn, unspeakable } from './unspeakable.ts';
import { WordReader } from './word-reader.ts';

type SpeechJob = Extract<SynthesisJob, { kind: 'speech' }>;
type PhonemizeJob = Extract<SynthesisJob, { kind: 'phonemize' }>;

/** Seconds of the frames up to the first encoded bytes, and of later ones. */
const FIRST_FRAME = 0.02;
const LATER_FRAME = 0.2;

interface SpokenAudio {
  /** Mono, at the synthesizer's sample rate, -1 to 1. */
  samples: Float32Array;
  /** Sound that goes over the start of the next chunk. */
  tail?: Float32Array | undefined;
  /** Whether it is silence that was asked for, which no speed changes. */
  isPause?: true;
  /** Times from the start of `samples`; negative if a word began in an earlier chunk. */
  words: CaptionWord[];
}

/** A queued chunk or a pause. Called once, in order. */
type PendingAudio = () => Promise<SpokenAudio>;

type SpeakOptions = Pick<SpeechJob, 'voice' | 'speed'> & ReadOptions & { owner: object; signal: AbortSignal };

/**
 * From text to encoded audio: cuts the text into segments, reads each into what the synthesizer takes, cuts that into
 * chunks, has them spoken, adjusts the volume and encodes.
 * @typeParam Unit what the synthesizer takes: words or phonemes
 */
export class SpeechPipeline<Unit extends { token: number }>
  implements Engine<SynthesisJob, SynthesisEvent, SynthesizerInfo>
{
  readonly info: SynthesizerInfo;
  readonly #synthesizer: Synthesizer<Unit>;
  readonly #reader: Reader<Unit>;
  readonly #phonemes: PhonemeReader;
  readonly #languages: Pick<Languages, 'load'>;
  readonly #sharedLexicon: Pick<LexiconFile, 'current'>;

  /** @param sharedLexicon pronunciations for all jobs */
  constructor(
    synthesizer: Synthesizer<Unit>,
    reader: Reader<Unit>,
    languages: Pick<Languages, 'load'>,
    sharedLexicon: Pick<LexiconFile, 'current'>,
  ) {
    this.info = synthesizer.info;
    this.#synthesizer = synthesizer;
    this.#reader = reader;
    this.#phonemes = new PhonemeReader(languages);
    this.#languages = languages;
    this.#sharedLexicon = sharedLexicon;
  }

  async *run(job: SynthesisJob, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
    const characters = skippedIn(job, await this.#lexicon(job));
    if (characters > 0) yield { type: 'skipped', characters };
    if (job.kind === 'phonemize') {
      yield* this.#phonemize(job);
      return;
    }
    const encoders = new JobEncoders(job, this.info.sampleRate);
    const { parallelChunks, speeds } = this.#synthesizer;
    const speed = speeds ? Math.max(speeds.min, Math.min(speeds.max, job.speed)) : job.speed;
    const timeline = new Timeline(this.info.sampleRate, job.speed / speed);
    try {
      let isSilent = true;
      for await (const audio of prefetch(this.#speak({ ...job, speed }, signal), parallelChunks)) {
        if (audio.samples.length > 0) isSilent = false;
        const { samples, words } = audio.isPause
          ? { samples: timeline.pause(audio.samples), words: [] }
          : timeline.add(audio.samples, audio.words, audio.tail);
        yield* encoders.write(softLimit(samples, job.volume));
        yield { type: 'chunk', words: job.captions ? words : [] };
      }
      if (isSilent) throw unspeakable(job, this.info);
      yield* encoders.write(softLimit(timeline.flush(), job.volume));
      yield* encoders.finish();
      yield { type: 'end', seconds: encoders.seconds };
    } finally {
      encoders.close();
    }
  }

  async *#phonemize(job: PhonemizeJob): AsyncGenerator<SynthesisEvent> {
    const lexicon = await this.#lexicon(job);
    const { language, text } = job;
    const segments = (await this.#languages.load(language)).segments(text, defaultNormalization, lexicon);
    let separator = '';
    for await (const line of phonemeLines(segments, (each) => this.#phonemes.read(each, { language, lexicon }))) {
      yield { type: 'phonemes', phonemes: separator + line };
      separator = '\n';
    }
    if (separator === '') throw unspeakable(job, this.info);
  }

  /** Pronunciations for this job: its own precede those for all. */
  async #lexicon({ lexicon }: SpeechJob | PhonemizeJob): Promise<UserLexicon | undefined> {
    const shared = await this.#sharedLexicon.current();
    if (lexicon === undefined) return shared;
    const own = UserLexicon.from(lexicon);
    return shared ? shared.with(own) : own;
  }

  async *#speak(job: SpeechJob, signal: AbortSignal): AsyncGenerator<PendingAudio> {
    const lexicon = await this.#lexicon(job);
    const { input, voice, language, speed } = job;
    const segments =
      'phonemes' in input
        ? phonemeSegments(input.phonemes)
        : (await this.#languages.load(language)).segments(input.text, input.normalization, lexicon);
    const chunker = new Chunker(this.#synthesizer.limits, speed);
    // Pauses wait for the first words: without any, the text may be an error.
    let pauses: number[] | undefined = [];
    let pauseSeconds = 0;
    for (const segment of segments) {
      if (segment.type === 'pause') {
        pauseSeconds += segment.seconds;
        // Known at once, except for those that appear as Markdown is taken away.
        if (pauseSeconds > maxTotalPauseSeconds)
          throw new HearsayError('invalid_request', pausesTooLong, { param: 'input' });
        if (pauses) pauses.push(segment.seconds);
        else yield* this.#pause(segment.seconds);
        continue;
      }
      const options = { voice, speed, language, lexicon, owner: job, signal };
      for await (const audio of this.#sentence(segment, chunker, options)) {
        for (const seconds of pauses ?? []) yield* this.#pause(seconds);
        pauses = undefined;
        yield audio;
      }
    }
    if (pauses && skippedIn(job, lexicon) > 0) throw unspeakable(job, this.info);
    for (const seconds of pauses ?? []) yield* this.#pause(seconds);
  }

  async *#sentence(
    sentence: Pick<Sentence, 'tokens' | 'phonemes'>,
    chunker: Chunker,
    { language, lexicon, ...options }: SpeakOptions,
  ): AsyncGenerator<PendingAudio> {
    const reading = await this.#reader.read(sentence, { language, lexicon });
    const firstToken = (chunk?: Chunk<Unit>) =>
      reading.captionsSpanChunks ? chunk?.units.find((unit) => reading.isHeard(unit))?.token : undefined;
    const captions = new Captions(sentence.tokens, this.info.sampleRate);
    const chunks = chunker.cut(reading);
    for (const [index, chunk] of chunks.entries()) {
      options.signal.throwIfAborted();
      const { spoken } = await this.#synthesizer.speak(chunk, options);
      // The job may end before it is awaited.
      spoken.catch(() => {});
      yield async () => {
        const { samples, tail, times } = await spoken;
        return { samples, tail, words: captions.of({ samples, times }, firstToken(chunks[index + 1])) };
      };
    }
  }

  /** Speaks once with each worker, so that the first job finds language and graphs in memory. */
  async warmUp(): Promise<void> {
    const { warmUpText, parallelChunks } = this.#synthesizer;
    const tokens = [{ written: '', spoken: warmUpText }];
    const speak = async () => {
      const { units } = await this.#reader.read({ tokens }, { language: 'a', lexicon: undefined });
      const options = { voice: [{ name: 'af_heart', weight: 1 }], speed: 1, owner: {} };
      const { signal } = new AbortController();
      const chunk: Chunk<Unit> = { units: [...units], boundary: 'sentence' };
      await (await this.#synthesizer.speak(chunk, { ...options, signal })).spoken;
    };
    await Promise.all(Array.from({ length: parallelChunks }, speak));
  }

  /** A second at a time: a minute of silence takes no more memory than a sentence. */
  *#pause(seconds: number): Generator<PendingAudio> {
    for (let left = seconds; left > 0; left--) {
      const samples = this.#silence(Math.min(left, 1));
      yield async () => ({ samples, words: [], isPause: true });
    }
  }

  #silence(seconds: number): Float32Array {
    return new Float32Array(Math.round(seconds * this.info.sampleRate));
  }
}

/** The pipeline of a voice model, warmed up. @throws HearsayError `model_load_failed` */
export async function startPipeline(
  synthesizer: SpeechSynthesizer,
  languages: Pick<Languages, 'load'>,
  sharedLexicon: Pick<LexiconFile, 'current'>,
): Promise<Engine<SynthesisJob, SynthesisEvent, SynthesizerInfo>> {
  const pipeline =
    synthesizer.input === 'words'
      ? new SpeechPipeline(synthesizer, await WordReader.load(), languages, sharedLexicon)
      : new SpeechPipeline(synthesizer, new PhonemeReader(languages, synthesizer.alphabet), languages, sharedLexicon);
  await pipeline.warmUp();
  return pipeline;
}

/** The encoder of the response, and that of a download in another format. */
class JobEncoders {
  readonly #outputs: { type: 'audio' | 'download'; encoder: StreamEncoder }[] = [];
  readonly #sampleRate: number;
  #hasSent = false;
  #samples = 0;

  constructor({ format, downloadFormat }: SpeechJob, sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#outputs.push({ type: 'audio', encoder: StreamEncoder.open(format, { sampleRate }) });
    if (downloadFormat !== undefined) {
      this.#outputs.push({ type: 'download', encoder: StreamEncoder.open(downloadFormat, { sampleRate }) });
    }
  }

  /** Seconds of audio so far. */
  get seconds(): number {
    return this.#samples / this.#sampleRate;
  }

  /** Frame by frame; the first frames are short, for a listener waits for them. */
  *write(samples: Float32Array): Generator<SynthesisEvent> {
    this.#samples += samples.length;
    for (let offset = 0; offset < samples.length; ) {
      const frame = Math.round((this.#hasSent ? LATER_FRAME : FIRST_FRAME) * this.#sampleRate);
      const next = samples.subarray(offset, offset + frame);
      offset += next.length;
      for (const { type, encoder } of this.#outputs) {
        for (const bytes of encoder.write(next)) {
          if (type === 'audio') this.#hasSent = true;
          yield { type, bytes };
        }
      }
    }
  }

  *finish(): Generator<SynthesisEvent> {
    for (const { type, encoder } of this.#outputs) {
      for (const bytes of encoder.finish()) yield { type, bytes };
      const header = encoder.finalHeader();
      if (header) yield { type: 'header', of: type, bytes: header };
    }
  }

  close(): void {
    for (const { encoder } of this.#outputs) encoder.close();
  }
}

/** The captions of one sentence, as its chunks are spoken in order. */
export class Captions {
  readonly #tokens: readonly SpokenToken[];
  readonly #sampleRate: number;
  /** Seconds of the chunks so far. */
  #spoken = 0;
  /** The last token, which may continue in the next chunk. */
  #last: TokenTime | undefined;
  /** The last token with a caption. */
  #captioned = -1;

  constructor(tokens: readonly SpokenToken[], sampleRate: number) {
    this.#tokens = tokens;
    this.#sampleRate = sampleRate;
  }

  /**
   * The words of a chunk, with times from its start.
   * @param next the token that the next chunk begins with, if a token that spans both is to be captioned with the chunk it
   * ends in; otherwise it is captioned with the chunk it begins in
   */
  of({ samples, times }: SpokenChunk, next: number | undefined): CaptionWord[] {
    const words: CaptionWord[] = [];
    const close = () => {
      if (!this.#last) return;
      const { token, start, end } = this.#last;
      this.#last = undefined;
      this.#captioned = token;
      const [start_time, end_time] = [start - this.#spoken, end - this.#spoken];
      words.push({ word: this.#tokens[token]!.written, start_time, end_time });
    };
    for (const { token, start, end } of times) {
      if (token <= this.#captioned) continue;
      if (this.#last?.token !== token) close();
      this.#last = { token, start: this.#last?.start ?? this.#spoken + start, end: this.#spoken + end };
    }
    if (this.#last?.token !== next) close();
    this.#spoken += samples.length / this.#sampleRate;
    return words;
  }
}

/**
 * Awaits what a source starts, in order, and lets it start the next ones meanwhile.
 * @param source yields functions that are called once, in order
 * @param count items that are started at the same time
 */
export async function* prefetch<T>(source: AsyncIterable<() => Promise<T>>, count: number): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const start = () => {
    const step = iterator.next();
    // Awaited below, but perhaps not before it has failed.
    step.catch(() => {});
    return step;
  };
  try {
    const started = Array.from({ length: count }, start);
    for (;;) {
      const { done, value: result } = await started.shift()!;
      if (done) return;
      const item = await result();
      started.push(start());
      yield item;
    }
  } finally {
    // A busy generator ends after its step; do not wait for that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
