import type {
  CaptionWord,
  Chunk,
  MarkTime,
  PhonemizeJob,
  SpeechJob,
  SpeechSynthesizer,
  SynthesisEvent,
  SynthesisJob,
  Synthesizer,
  SynthesizerInfo,
  VoiceWeight,
} from '../../contracts/synthesis.ts';
import type { Engine } from '../../engine/host.ts';
import { HearsayError } from '../../errors.ts';
import { maxTotalPauseSeconds, pausesTooLong } from '../../text/control-tokens.ts';
import type { Languages } from '../../text/languages.ts';
import { defaultNormalization } from '../../text/normalization.ts';
import { PARAGRAPH_SECONDS } from '../../text/paragraphs.ts';
import type { LanguageLetter, NormalizationOptions, TextInput, TextSegment } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import { Chunker, type Reader, type ReadOptions, type Sentence } from './chunker.ts';
import { JobEncoders } from './job-encoders.ts';
import type { LexiconFile } from './lexicon-file.ts';
import { PhonemeReader } from './phoneme-reader.ts';
import { phonemeLines, phonemeSegments } from './phoneme-segments.ts';
import { prefetch } from './prefetch.ts';
import { Captions, softLimit, Timeline } from './timeline.ts';
import { paramOf, skippedIn, unspeakable } from './unspeakable.ts';
import { WordReader } from './word-reader.ts';

/** A passage with the options of its speech. */
interface JobPassage {
  index: number;
  input: { text: TextInput; normalization: NormalizationOptions } | { phonemes: string };
  voice: VoiceWeight[];
  language: LanguageLetter;
  speed: number;
  volume: number;
  /** Seconds. */
  pauseAfter: number;
  /** Index of its chapter in a book. */
  chapter?: number;
}

interface SpokenAudio {
  /** Mono, at the synthesizer's sample rate, -1 to 1. */
  samples: Float32Array;
  /** Samples to add to the start of the next chunk. */
  tail?: Float32Array | undefined;
  /** Whether it is a requested pause, whose length does not depend on the speed. */
  isPause?: true;
  /** Times from the start of `samples`; negative if a word began in an earlier chunk. */
  words: CaptionWord[];
  /** Times from the start of `samples`. */
  marks: MarkTime[];
  passage: JobPassage;
}

/** A queued chunk, a pause or a mark. Called once, in order. */
type PendingAudio = () => Promise<SpokenAudio>;

/** A pause or a mark between sentences. */
type Between = Exclude<TextSegment, { type: 'sentence' }> & { passage: JobPassage };

type SpeakOptions = ReadOptions & { passage: JobPassage; owner: object; signal: AbortSignal };

/**
 * From text to encoded audio: splits the text into segments, converts each into the units of the synthesizer, cuts
 * these into chunks, synthesizes them, adjusts the volume and encodes.
 * @typeParam Unit units of the synthesizer: words or phonemes
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
    const lexicon = await this.#lexicon(job);
    const characters = skippedIn(job, lexicon);
    if (characters > 0) yield { type: 'skipped', characters };
    if (job.kind === 'phonemize') {
      yield* this.#phonemize(job, lexicon);
      return;
    }
    const { parallelChunks } = this.#synthesizer;
    const passages = passagesOf(job);
    if (passages.length === 0) throw unspeakable(job, this.info);
    const encoders = new JobEncoders(job, this.info.sampleRate);
    const timeline = new Timeline(this.info.sampleRate);
    try {
      let isSilent = true;
      let chapter: number | undefined;
      let passage = passages[0]!;
      timeline.changeTempo(passage.speed);
      const speech = this.#speak(job, passages, { lexicon, mayBeSilent: characters === 0, signal });
      for await (const audio of prefetch(speech, parallelChunks)) {
        if (audio.samples.length > 0) isSilent = false;
        if (audio.passage !== passage) {
          const { volume } = passage;
          passage = audio.passage;
          yield* encoders.write(softLimit(timeline.changeTempo(passage.speed), volume));
        }
        // Not for a mark alone, since nothing may follow it.
        if (audio.samples.length > 0 && passage.chapter !== undefined && passage.chapter !== chapter) {
          chapter = passage.chapter;
          yield* encoders.startChapter(chapter);
        }
        const { samples, words, marks } = audio.isPause
          ? { samples: timeline.pause(audio.samples), words: [], marks: [] }
          : timeline.add(audio.samples, audio.words, audio.tail, audio.marks);
        yield* encoders.write(softLimit(samples, passage.volume));
        const spoken = { words: job.captions ? words : [], marks: job.captions ? marks : [] };
        yield { type: 'chunk', ...spoken, passage: passage.index, chapter: passage.chapter };
      }
      if (isSilent) throw unspeakable(job, this.info);
      yield* encoders.write(softLimit(timeline.flush(), passage.volume));
      yield* encoders.finish();
      yield { type: 'end', seconds: encoders.seconds };
    } finally {
      encoders.close();
    }
  }

  async *#phonemize(job: PhonemizeJob, lexicon: UserLexicon | undefined): AsyncGenerator<SynthesisEvent> {
    const { language, text } = job;
    const segments = (await this.#languages.load(language)).segments(text, defaultNormalization, lexicon);
    let separator = '';
    for await (const line of phonemeLines(segments, (each) => this.#phonemes.read(each, { language, lexicon }))) {
      yield { type: 'phonemes', phonemes: separator + line };
      separator = '\n';
    }
    if (separator === '') throw unspeakable(job, this.info);
  }

  /** Pronunciations for this job: its own take precedence over the shared ones. */
  async #lexicon({ lexicon }: SpeechJob | PhonemizeJob): Promise<UserLexicon | undefined> {
    const shared = await this.#sharedLexicon.current();
    if (lexicon === undefined) return shared;
    const own = UserLexicon.from(lexicon);
    return shared ? shared.with(own) : own;
  }

  /**
   * The audio of all passages. Holds pauses back until the first words: without words, the text may be an error.
   * @param mayBeSilent whether a job of nothing but pauses is silence, and no error
   */
  async *#speak(
    job: SpeechJob,
    passages: readonly JobPassage[],
    { mayBeSilent, ...options }: { lexicon: UserLexicon | undefined; mayBeSilent: boolean; signal: AbortSignal },
  ): AsyncGenerator<PendingAudio> {
    let held: Between[] | undefined = [];
    for await (const part of this.#parts(job, passages, options)) {
      if (typeof part === 'function') {
        for (const between of held ?? []) yield* this.#between(between);
        held = undefined;
        yield part;
      } else if (held) {
        held.push(part);
      } else {
        yield* this.#between(part);
      }
    }
    if (!held) return;
    if (!mayBeSilent || !held.some(({ type }) => type === 'pause')) throw unspeakable(job, this.info);
    for (const between of held) yield* this.#between(between);
  }

  /** The chunks of all sentences, and the pauses and marks between them. */
  async *#parts(
    job: SpeechJob,
    passages: readonly JobPassage[],
    { lexicon, signal }: { lexicon: UserLexicon | undefined; signal: AbortSignal },
  ): AsyncGenerator<PendingAudio | Between> {
    const chunker = new Chunker(this.#synthesizer.limits);
    let hasWords = false;
    let pauseSeconds = 0;
    for (const passage of passages) {
      signal.throwIfAborted();
      const { language } = passage;
      for await (const segment of this.#segments(passage, lexicon)) {
        if (segment.type !== 'sentence') {
          pauseSeconds += segment.type === 'pause' ? segment.seconds : 0;
          // Known in advance, except for those that appear when Markdown is removed.
          if (pauseSeconds > maxTotalPauseSeconds)
            throw new HearsayError('invalid_request', pausesTooLong, { param: paramOf(job) });
          yield { ...segment, passage };
          continue;
        }
        let isHeard = false;
        for await (const audio of this.#sentence(segment, chunker, {
          passage,
          language,
          lexicon,
          owner: job,
          signal,
        })) {
          if (segment.startsParagraph && !isHeard && hasWords) {
            yield { type: 'pause', seconds: PARAGRAPH_SECONDS / passage.speed, passage };
          }
          isHeard = true;
          hasWords = true;
          yield audio;
        }
        if (isHeard) continue;
        for (const { name } of segment.marks ?? []) yield { type: 'mark', name, passage };
      }
    }
  }

  /** The segments of a passage, and the pause after it. */
  async *#segments(
    { input, language, pauseAfter }: JobPassage,
    lexicon: UserLexicon | undefined,
  ): AsyncGenerator<TextSegment> {
    if ('phonemes' in input) yield* phonemeSegments(input.phonemes);
    else yield* (await this.#languages.load(language)).segments(input.text, input.normalization, lexicon);
    if (pauseAfter > 0) yield { type: 'pause', seconds: pauseAfter };
  }

  async *#sentence(
    sentence: Sentence,
    chunker: Chunker,
    { language, lexicon, passage, ...options }: SpeakOptions,
  ): AsyncGenerator<PendingAudio> {
    const reading = await this.#reader.read(sentence, { language, lexicon });
    const firstToken = (chunk?: Chunk<Unit>) => chunk?.units.find((unit) => reading.isHeard(unit))?.token;
    const captions = new Captions(sentence.tokens, this.info.sampleRate, sentence.marks);
    const chunks = chunker.cut(reading);
    const { voice } = passage;
    for (const [index, chunk] of chunks.entries()) {
      options.signal.throwIfAborted();
      const { spoken } = await this.#synthesizer.speak(chunk, { voice, ...options });
      // The job may end before it is awaited.
      spoken.catch(() => {});
      yield async () => {
        const { samples, tail, times } = await spoken;
        const marks = captions.marksOf({ samples, times }, index === chunks.length - 1);
        return { samples, tail, words: captions.of({ samples, times }, firstToken(chunks[index + 1])), marks, passage };
      };
    }
  }

  /** Warms up: speaks once with each worker, so that language and graphs are in memory for the first job. */
  async warmUp(): Promise<void> {
    const { warmUpText, parallelChunks } = this.#synthesizer;
    const tokens = [{ written: '', spoken: warmUpText }];
    const speak = async () => {
      const { units } = await this.#reader.read({ tokens }, { language: 'a', lexicon: undefined });
      const options = { voice: [{ name: 'af_heart', weight: 1 }], owner: {} };
      const { signal } = new AbortController();
      const chunk: Chunk<Unit> = { units: [...units], boundary: 'sentence' };
      await (await this.#synthesizer.speak(chunk, { ...options, signal })).spoken;
    };
    await Promise.all(Array.from({ length: parallelChunks }, speak));
  }

  *#between({ passage, ...between }: Between): Generator<PendingAudio> {
    if (between.type === 'mark') {
      const marks = [{ name: between.name, time: 0 }];
      yield async () => ({ samples: new Float32Array(0), words: [], marks, passage });
      return;
    }
    // One second at a time, so that a minute of silence takes no more memory than a sentence.
    for (let left = between.seconds; left > 0; left--) {
      const samples = new Float32Array(Math.round(Math.min(left, 1) * this.info.sampleRate));
      yield async () => ({ samples, words: [], marks: [], isPause: true, passage });
    }
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

/** The passages of a job; a text without passages is a single one. */
function passagesOf(job: SpeechJob): JobPassage[] {
  const { input } = job;
  const passages =
    'passages' in input
      ? input.passages.map(({ text, ...passage }) => ({
          ...passage,
          input: { text, normalization: input.normalization },
        }))
      : [{ ...job, input }];
  return passages.map((passage, index) => {
    const pauseAfter = 'pauseAfter' in passage ? (passage.pauseAfter ?? 0) : 0;
    return { ...passage, index, pauseAfter };
  });
}
