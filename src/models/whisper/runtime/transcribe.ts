import type { Segment, Span, SpeechWindow, TranscriptionTask, Word } from '../../../contracts/transcription.ts';
import { HearsayError } from '../../../errors.ts';
import { awayFromPauses } from '../../../vad/pauses.ts';
import { SAMPLE_RATE } from '../../../vad/silero.ts';
import { seedOf } from '../../common/random.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { type Cut, cutAtTimestamps, FRAME_SECONDS } from './cuts.ts';
import type { DecoderState } from './decoder-state.ts';
import { type Decoded, Decoding, NO_SPEECH, type Tokenizer, UNSURE } from './decoding.ts';
import { detectLanguage } from './language.ts';
import type { MelSpectrogram } from './mel.ts';
import { type TimingContext, timeSegments } from './timing.ts';
import type { WordTime } from './word-times.ts';

/** What transcribing asks of a model. */
export interface TranscribingModel<Audio> {
  readonly configuration: Pick<
    WhisperConfiguration,
    'alignmentHeads' | 'audioPositions' | 'textPositions' | 'suppressTokens' | 'beginSuppressTokens' | 'multilingual'
  >;
  encode(mel: Float32Array): Promise<Audio>;
  decode(audio: Audio, options: { attention: boolean }): DecoderState;
}

/** What one window hands on to the next of the same recording. */
export interface Context {
  /** What was said, as tokens, for the model to go on from. */
  tokens: number[];
  /** The language that it was said in; absent where it is a prompt. */
  language?: string;
  /** Where the last segment ended, in seconds from the start of the recording. */
  lastSpeech: number;
}

export interface TranscribeOptions {
  task: TranscriptionTask;
  /** ISO 639-1 code, one that the model knows; absent: detect. */
  language?: string;
  /** What might have been said before the recording: names and spellings for the model to pick up. */
  prompt?: string;
  /** What the window before this one handed on; absent for the first. */
  context?: Context;
  /** 1: greedy decoding. */
  beamSize: number;
  /** Log-mel spectrogram of what is heard of the window at first, where it was made before. */
  mel?: Float32Array;
  /** Segments come without words, and with their times as the model stamped them. */
  textOnly?: boolean;
}

export interface TranscribedWindow {
  segments: Segment[];
  /** ISO 639-1 code of the speech. */
  language: string;
  context: Context;
}

/** Samples of one position of the encoder. */
const POSITION_SAMPLES = FRAME_SECONDS * SAMPLE_RATE;

/** What was sampled at a higher temperature is no good to go on from, as in the reference's `transcribe()`. */
const CONDITIONING_TEMPERATURE = 0.5;

/** Segments are off by this much, in samples, and so is the speech that voice activity finds. */
const SLACK = 0.3 * SAMPLE_RATE;
/** Speech after the last segment that is too short to be any, in samples: where text was left unfinished, and elsewhere. */
const REST_UNFINISHED = 0.1 * SAMPLE_RATE;
const REST = 0.3 * SAMPLE_RATE;
/**
 * Decoding goes on so many samples further on at least: the timestamp rules allow steps of 20 ms, and a window would take
 * for ever. Where nothing came out right it is unlikely to a bit later.
 */
const STEP = 0.5 * SAMPLE_RATE;
const STEP_AFTER_FAILURE = 2 * SAMPLE_RATE;

/**
 * Transcribes one window, which may be longer than the model hears at once: decoding goes on from the last timestamp, as
 * in openai/whisper's `transcribe()`. Unlike there, it goes on only where voice activity found speech, from the timestamp
 * even though there are word times (attention drifts), and what was made up over silence is dropped.
 * @throws HearsayError unsupported_language for a language that the checkpoint has no token for
 */
export async function transcribeWindow<Audio>(
  model: TranscribingModel<Audio>,
  tokenizer: Tokenizer,
  mel: Pick<MelSpectrogram, 'compute'>,
  window: SpeechWindow,
  options: TranscribeOptions,
): Promise<TranscribedWindow> {
  const { audioPositions, multilingual, alignmentHeads } = model.configuration;
  const decoding = new Decoding(model.configuration, tokenizer, options.beamSize);
  let language = multilingual ? options.language : 'en';
  let context = options.context ?? fromPrompt(options.prompt, tokenizer);
  const segments: Segment[] = [];

  let position = window.start;
  let rest = 0;
  while (speechAfter(position, window) > rest) {
    const samples = heardAtOnce(window.samples.subarray(position - window.start), audioPositions);
    const frames = Math.floor(samples.length / POSITION_SAMPLES);
    if (frames === 0) break;
    const made = position === window.start ? options.mel : undefined;
    const audio = await model.encode(made ?? mel.compute(samples, 2 * audioPositions));
    language ??= (await detectLanguage(model.decode(audio, { attention: false }), tokenizer.special)).language;
    // Given text in another language, the model would go on in that.
    if (context.language !== undefined && context.language !== language) context = { ...context, tokens: [] };

    const decoded = await decoding.decode({
      start: () => model.decode(audio, { attention: !options.textOnly }),
      previous: context.tokens,
      sequence: startSequence(tokenizer, multilingual ? language : undefined, options.task),
      // Of the audio alone, so that the same audio gives the same text.
      seed: seedOf(new Uint32Array(samples.buffer, samples.byteOffset, samples.length)),
    });
    const seconds = samples.length / SAMPLE_RATE;
    const silent = isSilent(decoded);
    const cuts = silent
      ? { segments: [], done: seconds, unfinished: false }
      : cutAtTimestamps(decoded.tokens, tokenizer.special, seconds);
    const step = Math.max(Math.round(cuts.done * SAMPLE_RATE), decoded.failed ? STEP_AFTER_FAILURE : STEP);
    const next = position + Math.min(step, samples.length);
    const said = toSegments(cuts.segments, decoded, {
      tokenizer,
      // A translation is in English, whatever was spoken.
      language: options.task === 'translate' ? 'en' : language,
      heads: alignmentHeads.length,
      frames,
      offset: position / SAMPLE_RATE,
      lastSpeech: context.lastSpeech,
      window,
      position,
      next,
      textOnly: options.textOnly,
    });
    segments.push(...said);
    // As in the reference, silence neither adds to the context nor clears it.
    if (!silent) {
      const useful = !decoded.failed && decoded.temperature <= CONDITIONING_TEMPERATURE;
      const tokens = useful ? [...context.tokens, ...said.flatMap((segment) => segment.tokens)] : [];
      context = {
        tokens: tokens.slice(-decoding.longestPrevious),
        language,
        lastSpeech: said.at(-1)?.end ?? context.lastSpeech,
      };
    }
    position = next;
    rest = cuts.unfinished ? REST_UNFINISHED : REST;
  }
  return { segments, language: language ?? context.language ?? 'en', context };
}

/** As much of some audio, from its start, as the model hears at once. */
export function heardAtOnce(samples: Float32Array, audioPositions: number): Float32Array {
  return samples.subarray(0, audioPositions * POSITION_SAMPLES);
}

function fromPrompt(prompt: string | undefined, tokenizer: Tokenizer): Context {
  const text = prompt?.trim();
  return { tokens: text ? tokenizer.encode(` ${text}`) : [], lastSpeech: 0 };
}

function startSequence({ special }: Tokenizer, language: string | undefined, task: TranscriptionTask): number[] {
  if (language === undefined) return [special.startOfTranscript];
  const token = special.languages.get(language);
  if (token === undefined) throw new HearsayError('unsupported_language', `Unsupported language: ${language}.`);
  return [special.startOfTranscript, token, special[task]];
}

/** How many samples of speech there are from a position on. */
function speechAfter(position: number, { speech }: SpeechWindow): number {
  return speech.reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, position)), 0);
}

/** Sure text is text even where the model thinks that nobody speaks. */
function isSilent({ noSpeechProbability, averageLogprob }: Decoded): boolean {
  return noSpeechProbability > NO_SPEECH && averageLogprob <= UNSURE;
}

interface SegmentContext extends TimingContext {
  tokenizer: Tokenizer;
  window: SpeechWindow;
  /** Where the decoded audio starts, and where decoding goes on: samples from the start of the recording. */
  position: number;
  next: number;
  textOnly: boolean | undefined;
}

function toSegments(cuts: readonly Cut[], decoded: Decoded, context: SegmentContext): Segment[] {
  const { tokenizer, window, position, next, textOnly } = context;
  const textOf = ({ first, end }: Cut) => tokenizer.decode(decoded.tokens.slice(first, end));
  const spoken = wholeCharacters(cuts, textOf).filter(
    (cut) => textOf(cut).trim() !== '' && standsOnSpeech(cut, position, window),
  );
  const timed = textOnly ? [] : timeSegments(spoken, decoded, context);
  const segments: Segment[] = [];
  let earliest = position;
  for (const [index, cut] of spoken.entries()) {
    const stamped = { start: position + cut.from * SAMPLE_RATE, end: position + cut.to * SAMPLE_RATE };
    const following = spoken[index + 1];
    // Attention may take a segment far into the next one, which must have time of its own.
    const latest = following ? Math.min(next, position + following.to * SAMPLE_RATE) - POSITION_SAMPLES : next;
    const { start, end, words } = placed(timed[index]?.words ?? [], stamped, window, { earliest, latest });
    // As in the reference: what takes no time was not said.
    if (end <= start) continue;
    segments.push({
      seek: Math.floor((position / SAMPLE_RATE) * 100),
      start: start / SAMPLE_RATE,
      end: end / SAMPLE_RATE,
      text: textOf(cut),
      tokens: decoded.tokens.slice(cut.first, cut.end),
      temperature: decoded.temperature,
      avg_logprob: decoded.averageLogprob,
      compression_ratio: decoded.compressionRatio,
      no_speech_prob: decoded.noSpeechProbability,
      words,
    });
    earliest = end;
  }
  return segments;
}

/** Joins what a pair of timestamps cut in the middle of a character: neither side could be written by itself. */
function wholeCharacters(cuts: readonly Cut[], textOf: (cut: Cut) => string): Cut[] {
  const whole: Cut[] = [];
  for (const cut of cuts) {
    const before = whole.at(-1);
    const both = before && { ...before, end: cut.end, to: cut.to };
    if (both && textOf(before).endsWith('\uFFFD') && textOf(both) !== textOf(before) + textOf(cut)) {
      whole[whole.length - 1] = both;
    } else {
      whole.push(cut);
    }
  }
  return whole;
}

function standsOnSpeech({ from, to }: Cut, position: number, { speech }: SpeechWindow): boolean {
  const start = position + from * SAMPLE_RATE - SLACK;
  const end = position + to * SAMPLE_RATE + SLACK;
  return speech.some((span) => span.start < end && span.end > start);
}

/**
 * A segment's time and words, off the pauses and one after the other.
 * @param stamped its time by its timestamps, in samples from the start of the recording, as all but the words' own times
 */
function placed(
  timed: readonly WordTime[],
  stamped: Span,
  window: SpeechWindow,
  { earliest, latest }: { earliest: number; latest: number },
): Span & { words: Word[] } {
  const within = (at: number, from: number) => Math.min(Math.max(at, from), latest);
  let spokenUntil = earliest;
  const spans = timed.map((word) => {
    const span = awayFromPauses({ start: word.start * SAMPLE_RATE, end: word.end * SAMPLE_RATE }, window);
    const start = within(span.start, spokenUntil);
    spokenUntil = within(span.end, start);
    return { start, end: spokenUntil };
  });
  const words = spans.map(({ start, end }, index) => ({
    word: timed[index]!.text.trim(),
    start: start / SAMPLE_RATE,
    end: end / SAMPLE_RATE,
    probability: timed[index]!.probability,
  }));
  let start = spans[0]?.start ?? latest;
  let end = spans.at(-1)?.end ?? earliest;
  if (end <= start) {
    // Attention knew of one moment only: the timestamps are a better guess.
    start = Math.min(start, within(stamped.start, earliest));
    end = Math.max(end, within(stamped.end, earliest));
  }
  return { start, end, words: words.filter(({ word }) => word !== '') };
}
