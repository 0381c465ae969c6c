import type { Segment, SpeechWindow } from '../../contracts/transcription.ts';
import { FRAME, SAMPLE_RATE } from '../../vad/frames.ts';
import { splitAtPause } from '../../vad/segmenter.ts';
import { BackgroundVoices } from '../common/background-voices.ts';
import { mean } from '../common/mean.ts';
import { compressionRatio } from '../common/repetition.ts';
import { decodeWithBeams } from './beam-search.ts';
import { keywordBias } from './keywords.ts';
import {
  type DecoderState,
  type DecodingResult,
  decodeGreedily,
  MIN_DRAFT_END_LOGPROB,
  type MoonshineModel,
} from './model.ts';
import { groundedWords, type TimedWord, timeWords, withoutRepetition } from './timing.ts';
import { wordLogprobs } from './token-logprobs.ts';
import { encode, type TokenWord, words as tokenWords } from './tokenizer.ts';

/** Twice the paper's bound for English speech, which leaves room for numbers spelled out. */
const MAX_TOKENS_PER_SECOND = 13;
/** Hallucinated words have a lower mean log probability, besides being ungrounded. */
const LOGPROB_THRESHOLD = -0.7;
/** More find hardly more keywords. */
const MIN_KEYWORD_BEAMS = 3;

export interface TranscribeOptions {
  /** Words and phrases that may occur. */
  keywords?: readonly string[];
  /** 1 is greedy decoding. */
  beamSize: number;
  /** Text that it probably begins with, see `decodeGreedily`. */
  expected?: string;
  /** Whether it is live speech. Default: false. */
  isLive?: boolean;
  /** Whether it is the beginning of unfinished speech. Default: false. */
  isDraft?: boolean;
  /** Awaited before each run of a graph. */
  beforeRun?: () => Promise<void>;
  /** Whether segments have the log probabilities of their tokens. Default: false. */
  logprobs?: boolean;
}

/** A sentence, and the decoding that it is from. */
interface Sentence {
  words: readonly TimedWord[];
  result: DecodingResult;
}

/** Transcribes one window. @returns no segments if the model hears no words */
export async function transcribeWindow(
  model: MoonshineModel,
  window: SpeechWindow,
  options: TranscribeOptions,
): Promise<Segment[]> {
  const all = await sentencesOf(model, window, options);
  // Words of live speech may have been shown already.
  const sentences = options.isLive ? all : inFront(all, window);
  return sentences.flatMap(({ words, result }) =>
    splitAtPauses(words).map((part) => ({
      ...segment(part, result, window),
      ...(options.logprobs && {
        logprobs: part.flatMap(({ first, end }) =>
          wordLogprobs(result.tokens.slice(first, end), result.logprobs.slice(first, end)),
        ),
      }),
    })),
  );
}

async function sentencesOf(
  model: MoonshineModel,
  window: SpeechWindow,
  options: TranscribeOptions,
): Promise<Sentence[]> {
  const seconds = window.samples.length / SAMPLE_RATE;
  const state = await model.encode(window.samples, options.beforeRun);
  const maxTokens = Math.ceil(seconds * MAX_TOKENS_PER_SECOND) + 8;
  const result = await decode(state, maxTokens, options);
  if (!result.complete) {
    // Halves break the loop, and keep the speech after it.
    const halves = splitAtPause(window);
    if (halves) {
      const [first, second] = halves;
      return [...(await sentencesOf(model, first, options)), ...(await sentencesOf(model, second, options))];
    }
    // Of a click at the end of a recording the model made up half a sentence.
    if (result.tokens.length >= maxTokens) return [];
  }
  const words = withoutHallucinatedEnd(tokenWords(result.tokens), result, window);
  return splitAfterStops(withoutRepetition(timeWords(words, result, window))).map((words) => ({ words, result }));
}

/** Drops sentences of background voices. Whole sentences, since the time of a single word may lie in a pause. */
function inFront(sentences: readonly Sentence[], window: SpeechWindow): Sentence[] {
  const segments = sentences.map(({ words, result }) => segment(words, result, window));
  const kept = new Set(new BackgroundVoices(window).leaveOut(segments, []).segments);
  return sentences.filter((_, index) => kept.has(segments[index]!));
}

/** Decodes, and once more for keywords, whose text counts only if it holds more of them. */
async function decode(
  state: DecoderState,
  maxTokens: number,
  { keywords = [], beamSize, expected = '', isDraft = false }: TranscribeOptions,
): Promise<DecodingResult> {
  const plain =
    beamSize > 1
      ? await decodeWithBeams(state, { maxTokens, beamSize })
      : await decodeGreedily(state, maxTokens, encode(expected), isDraft ? MIN_DRAFT_END_LOGPROB : undefined);
  if (keywords.length === 0 || plain.tokens.length === 0) return plain;
  state.truncate(0);
  const bias = keywordBias(keywords);
  const size = Math.max(beamSize, MIN_KEYWORD_BEAMS);
  const found = await decodeWithBeams(state, { maxTokens, beamSize: size, keywords: bias });
  return found.complete && bias.bonusOf(found.tokens) > bias.bonusOf(plain.tokens) ? found : plain;
}

/** Cuts off words that the model hallucinated after the end of speech. */
function withoutHallucinatedEnd(words: TokenWord[], result: DecodingResult, window: SpeechWindow): TokenWord[] {
  const kept = groundedWords(words, result, window).lastIndexOf(true) + 1;
  if (kept === words.length) return words;
  const tail = result.logprobs.slice(words[kept]!.first);
  return kept === 0 || mean(tail) < LOGPROB_THRESHOLD ? words.slice(0, kept) : words;
}

/** A pause this long, in seconds, ends a segment within a sentence. */
const MIN_SEGMENT_PAUSE = 1;
const SENTENCE_END = /[.?!…]["'”’)\]]*$/;
const ABBREVIATION =
  /^["'“‘([]*(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Gov|Sen|Rep|Mt)\.$/;

const splitAfterStops = (words: readonly TimedWord[]) =>
  splitWhere(words, (previous) => SENTENCE_END.test(previous.text) && !ABBREVIATION.test(previous.text));

const splitAtPauses = (words: readonly TimedWord[]) =>
  splitWhere(words, (previous, word) => word.from - previous.to >= MIN_SEGMENT_PAUSE);

/** Groups of words, each of which starts where `starts` is true of the word before and its first one. */
function splitWhere(
  words: readonly TimedWord[],
  starts: (previous: TimedWord, word: TimedWord) => boolean,
): TimedWord[][] {
  const groups: TimedWord[][] = [];
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    if (!previous || starts(previous, word)) groups.push([word]);
    else groups.at(-1)!.push(word);
  }
  return groups;
}

function segment(sentence: readonly TimedWord[], result: DecodingResult, window: SpeechWindow): Segment {
  const first = sentence[0]!;
  const last = sentence.at(-1)!;
  const text = ` ${sentence.map((word) => word.text).join(' ')}`;
  return {
    seek: Math.floor((window.start / SAMPLE_RATE) * 100),
    start: first.from,
    end: last.to,
    text,
    tokens: result.tokens.slice(first.first, last.end),
    temperature: 0,
    avg_logprob: mean(result.logprobs.slice(first.first, last.end)),
    compression_ratio: compressionRatio(text),
    no_speech_prob: 1 - speechProbability(first.from, last.to, window),
    words: sentence.map((word) => ({
      word: word.text,
      start: word.from,
      end: word.to,
      probability: mean(result.logprobs.slice(word.first, word.end).map(Math.exp)),
    })),
  };
}

function speechProbability(from: number, to: number, window: SpeechWindow): number {
  const frame = (seconds: number) => Math.floor((seconds * SAMPLE_RATE - window.start) / FRAME);
  return mean(window.probabilities.subarray(Math.max(0, frame(from)), frame(to) + 1));
}
