import type { Segment, SpeechWindow } from '../../contracts/transcription.ts';
import { splitAtPause } from '../../vad/segmenter.ts';
import { FRAME, SAMPLE_RATE } from '../../vad/silero.ts';
import { compressionRatio } from '../common/repetition.ts';
import { type Decoded, decodeGreedily } from './decoding.ts';
import type { MoonshineModel } from './model.ts';
import { groundedWords, type TimedWord, timeWords } from './timing.ts';
import { type TokenWord, words as tokenWords } from './tokenizer.ts';

/** English speech stays below this, says the model's paper; twice that leaves room for numbers spelled out. */
const TOKENS_PER_SECOND = 13;
/** Words made up after the end of speech are unsure as well as ungrounded. */
const UNSURE = -0.7;

/** Transcribes one window; an empty array where the model hears no words. */
export async function transcribeWindow(model: MoonshineModel, window: SpeechWindow): Promise<Segment[]> {
  const seconds = window.samples.length / SAMPLE_RATE;
  const decoded = await decodeGreedily(await model.encode(window.samples), Math.ceil(seconds * TOKENS_PER_SECOND) + 8);
  if (!decoded.complete) {
    // Shorter pieces break the loop, and what was said after it is not lost.
    const halves = splitAtPause(window);
    if (halves) return [...(await transcribeWindow(model, halves[0])), ...(await transcribeWindow(model, halves[1]))];
  }
  const words = withoutRunOn(tokenWords(decoded.tokens), decoded, window);
  return sentences(timeWords(words, decoded, window)).map((sentence) => segment(sentence, decoded, window));
}

/** Cuts off what the model went on to say after the speech had ended. */
function withoutRunOn(words: TokenWord[], decoded: Decoded, window: SpeechWindow): TokenWord[] {
  const kept = groundedWords(words, decoded, window).lastIndexOf(true) + 1;
  if (kept === words.length) return words;
  const tail = decoded.logprobs.slice(words[kept]!.first);
  return kept === 0 || mean(tail) < UNSURE ? words.slice(0, kept) : words;
}

/** A pause this long, in seconds, ends a segment even within a sentence. */
const SEGMENT_PAUSE = 1;
const SENTENCE_END = /[.?!…]["'”’)\]]*$/;
const ABBREVIATION =
  /^["'“‘([]*(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Gov|Sen|Rep|Mt)\.$/;

function sentences(words: readonly TimedWord[]): TimedWord[][] {
  const groups: TimedWord[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    const starts =
      !before ||
      word.from - before.to >= SEGMENT_PAUSE ||
      (SENTENCE_END.test(before.text) && !ABBREVIATION.test(before.text));
    if (starts) groups.push([word]);
    else groups.at(-1)!.push(word);
  });
  return groups;
}

function segment(sentence: readonly TimedWord[], decoded: Decoded, window: SpeechWindow): Segment {
  const first = sentence[0]!;
  const last = sentence.at(-1)!;
  const text = ` ${sentence.map((word) => word.text).join(' ')}`;
  return {
    seek: Math.floor((window.start / SAMPLE_RATE) * 100),
    start: first.from,
    end: last.to,
    text,
    tokens: decoded.tokens.slice(first.first, last.end),
    temperature: 0,
    avg_logprob: mean(decoded.logprobs.slice(first.first, last.end)),
    compression_ratio: compressionRatio(text),
    no_speech_prob: 1 - speechProbability(first.from, last.to, window),
    words: sentence.map((word) => ({
      word: word.text,
      start: word.from,
      end: word.to,
      probability: mean(decoded.logprobs.slice(word.first, word.end).map(Math.exp)),
    })),
  };
}

function speechProbability(from: number, to: number, window: SpeechWindow): number {
  const frame = (seconds: number) => Math.floor((seconds * SAMPLE_RATE - window.start) / FRAME);
  return mean(window.probabilities.subarray(Math.max(0, frame(from)), frame(to) + 1));
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return values.length > 0 ? sum / values.length : 0;
}
