import { mean } from '../../common/mean.ts';
import { tokenStarts } from '../../common/word-timing.ts';
import { POSITION_SECONDS } from '../configuration.ts';
import { alignmentMatrix } from './alignment-matrix.ts';
import type { DecodingResult, Tokenizer } from './decoding.ts';
import { languagesWithoutSpaces, type TokenWord } from './tokenizer.ts';

/** A segment as decoded: a range of the transcript's tokens, its timestamps included. */
export interface TokenSegment {
  /** Index of its first token. */
  first: number;
  /** Index after its last token. */
  end: number;
  /** Seconds from the start of the decoded audio. */
  from: number;
  to: number;
}

/** A word or a punctuation mark, with its time so far. */
export interface WordTime {
  /** As decoded, with its leading space. */
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Mean probability of its tokens. */
  probability: number;
}

/** A segment and its words, in seconds from the start of the recording. */
export interface TimedSegment {
  start: number;
  end: number;
  words: WordTime[];
}

export interface TimingContext {
  tokenizer: Pick<Tokenizer, 'special' | 'words'>;
  /** ISO 639-1 code of the text; it decides how words are split. */
  language: string;
  /** Times of the tokens by attention. */
  times: TokenTimes;
  /** Start of the decoded audio, in seconds from the start of the recording. */
  offset: number;
  /** End of the previous segment, in seconds from the start of the recording. */
  lastSpeech: number;
}

/** Start and end of text tokens by their index, in seconds from the start of the decoded audio. */
export type TokenTimes = ReadonlyMap<number, { start: number; end: number }>;

/**
 * Aligns the text tokens of segments with the audio.
 * @param heads number of alignment heads
 * @param frames encoder positions that hold audio
 */
export function alignTokens(
  segments: readonly TokenSegment[],
  result: DecodingResult,
  { tokenizer, heads, frames }: Pick<TimingContext, 'tokenizer'> & { heads: number; frames: number },
): TokenTimes {
  const indices = segments.flatMap((segment) => textTokens(segment, result, tokenizer));
  const starts = tokenStartTimes(indices, result, { heads, frames });
  return new Map(indices.map((index, at) => [index, { start: starts[at]!, end: starts[at + 1]! }]));
}

/**
 * Word times from the alignment heads, as openai/whisper's `timing.py` computes them. Unlike there, the attention comes
 * from the steps that chose the tokens, which saves a second run over the text, and words never cross segments.
 */
export function timeSegments(
  segments: readonly TokenSegment[],
  result: DecodingResult,
  context: TimingContext,
): TimedSegment[] {
  const { tokenizer, language, times, offset, lastSpeech } = context;
  const wordsBySegment = segments.map((segment) => {
    const indices = textTokens(segment, result, tokenizer);
    const tokens = indices.map((index) => result.tokens[index]!);
    let from = 0;
    return joinWordParts(tokenizer.words(tokens, language), language).map(({ text, tokens: { length } }): WordTime => {
      const ofWord = indices.slice(from, from + length);
      from += length;
      return {
        text,
        start: offset + times.get(ofWord[0]!)!.start,
        end: offset + times.get(ofWord.at(-1)!)!.end,
        probability: mean(ofWord.map((index) => Math.exp(result.logprobs[index]!))),
      };
    });
  });
  const allWords = wordsBySegment.flat();
  const length = wordLength(allWords);
  shortenAtSentenceEnds(allWords, length);
  const timed = segments.map(({ from, to }, index) => ({
    start: offset + from,
    end: offset + to,
    words: joinPunctuation(wordsBySegment[index]!),
  }));
  settleSegments(timed, length, lastSpeech);
  return timed;
}

/** Where attention finds a text, in seconds from the start of the decoded audio. */
export interface AttendedText {
  /** End of its first token; the very first token gets all the time before it. */
  firstEnd: number;
  /** Start of its middle token. */
  middle: number;
  /** Start of its last token, usually a full stop. */
  lastStart: number;
  /** End of its last token, cut to a maximum length because the very last token gets all the time after it. */
  end: number;
  /** End of its last token that is not punctuation, cut in the same way. */
  wordsEnd: number;
}

/** Maximum length of the last token, in seconds. */
const MAX_LAST_TOKEN = 1;

/** @returns one entry for each segment, which has at least one text token */
export function attendedTexts(
  segments: readonly TokenSegment[],
  result: DecodingResult,
  times: TokenTimes,
  tokenizer: Pick<Tokenizer, 'special' | 'decode'>,
): AttendedText[] {
  return segments.map((segment) => {
    const indices = textTokens(segment, result, tokenizer);
    const timeOf = (index: number) => times.get(index)!;
    const last = timeOf(indices.at(-1)!);
    const isPunctuation = (index: number) => /^[\s\p{P}]*$/u.test(tokenizer.decode([result.tokens[index]!]));
    const lastWord = timeOf(indices.findLast((index) => !isPunctuation(index)) ?? indices.at(-1)!);
    const endOf = ({ start, end }: { start: number; end: number }) => Math.min(end, start + MAX_LAST_TOKEN);
    return {
      firstEnd: timeOf(indices[0]!).end,
      middle: timeOf(indices[indices.length >> 1]!).start,
      lastStart: last.start,
      end: endOf(last),
      wordsEnd: endOf(lastWord),
    };
  });
}

/** Indices of a segment's tokens that are text. */
function textTokens(
  { first, end }: TokenSegment,
  { tokens }: DecodingResult,
  { special }: Pick<Tokenizer, 'special'>,
): number[] {
  return range(first, end).filter((index) => tokens[index]! < special.endOfText);
}

/**
 * Keeps words such as l'eau, twenty-one and 42% whole; the reference splits them at ASCII punctuation. Closing punctuation is
 * joined later, so that the word keeps its own time.
 */
function joinWordParts(parts: readonly TokenWord[], language: string): readonly TokenWord[] {
  if (languagesWithoutSpaces.has(language)) return parts;
  const words: TokenWord[] = [];
  for (const part of parts) {
    const previous = words.at(-1);
    const continuesWord = !part.text.startsWith(' ') && !closesWord(part.text);
    if (previous && continuesWord) {
      words[words.length - 1] = { text: previous.text + part.text, tokens: [...previous.tokens, ...part.tokens] };
    } else {
      words.push(part);
    }
  }
  return words;
}

/** Start of each text token, and end of the last one, in seconds. */
function tokenStartTimes(
  indices: readonly number[],
  { attention }: DecodingResult,
  { heads, frames }: { heads: number; frames: number },
): number[] {
  if (indices.length === 0) return [0];
  // The token after the last text attended to the end of the text. A truncated transcript has no such row.
  const after = attention[indices.at(-1)! + 1];
  const rows = [...indices.map((index) => attention[index]!), ...(after ? [after] : [])];
  const starts = tokenStarts(alignmentMatrix(rows, heads, frames));
  if (!after) starts.push(frames);
  return starts.map((frame) => frame * POSITION_SECONDS);
}

/** Usual and maximum length of a word, in seconds. */
export interface WordLength {
  usual: number;
  max: number;
}

/** From the median length of the words, as in the reference; zeros if there are none. */
export function wordLength(words: readonly WordTime[]): WordLength {
  const lengths = words
    .map(({ start, end }) => end - start)
    .filter((length) => length !== 0)
    .sort((a, b) => a - b);
  if (lengths.length === 0) return { usual: 0, max: 0 };
  const half = lengths.length / 2;
  const usual = Math.min(0.7, (lengths[Math.ceil(half) - 1]! + lengths[Math.floor(half)]!) / 2);
  return { usual, max: 2 * usual };
}

const SENTENCE_END = '.。!！?？';

/** Attention lingers at sentence ends: limits punctuation there, and the word after it, to the length of a word. */
export function shortenAtSentenceEnds(words: readonly WordTime[], { max }: WordLength): void {
  if (max === 0) return;
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    if (!previous || word.end - word.start <= max) continue;
    if (SENTENCE_END.includes(word.text)) word.end = word.start + max;
    else if (SENTENCE_END.includes(previous.text)) word.start = word.end - max;
  }
}

const OPENING = '"\'“¿([{-';
const CLOSING = '"\'.。,，!！?？:：”)]}、';
/** French writes a space before these. */
const SPACED_CLOSING = '!?:;»';

function closesWord(text: string): boolean {
  return CLOSING.includes(text) || (text.trim() !== '' && SPACED_CLOSING.includes(text.trim()));
}

/** Joins punctuation to its word, as the reference's `merge_punctuations` does. The word keeps its own time. */
export function joinPunctuation(words: readonly WordTime[]): WordTime[] {
  const forward: WordTime[] = [];
  let opening: WordTime[] = [];
  for (const word of words) {
    if (word.text.startsWith(' ') && OPENING.includes(word.text.trim())) {
      opening.push(word);
      continue;
    }
    forward.push({ ...word, text: [...opening, word].map(({ text }) => text).join('') });
    opening = [];
  }
  // Opening marks with no word after them become a word themselves.
  const last = opening.at(-1);
  if (last) forward.push({ ...last, text: opening.map(({ text }) => text).join('') });

  const joined: WordTime[] = [];
  for (const word of forward) {
    const previous = joined.at(-1);
    if (previous && !previous.text.endsWith(' ') && closesWord(word.text)) previous.text += word.text;
    else joined.push({ ...word });
  }
  return joined;
}

/**
 * Reconciles timestamps and attention, as the reference's `add_word_timestamps` does: shortens the first words after a
 * pause if they are long, and words at either end of a segment that exceed its timestamp by half a second.
 * @param lastSpeech end of the segment before the first of these
 */
export function settleSegments(
  segments: readonly TimedSegment[],
  { usual, max }: WordLength,
  lastSpeech: number,
): void {
  let previousEnd = lastSpeech;
  for (const segment of segments) {
    const [first, second] = segment.words;
    const last = segment.words.at(-1);
    if (!first || !last) continue;
    if (first.end - previousEnd > 4 * usual) shortenFirst(first, second, max);
    if (segment.start < first.end && segment.start - 0.5 > first.start) {
      first.start = Math.max(0, Math.min(first.end - usual, segment.start));
    } else {
      segment.start = first.start;
    }
    if (segment.end > last.start && segment.end + 0.5 < last.end) {
      last.end = Math.max(last.start + usual, segment.end);
    } else {
      segment.end = last.end;
    }
    previousEnd = segment.end;
  }
}

/** Shortens the first two words after a pause, in place, if the first is longer than `max` or both are too long together. */
function shortenFirst(first: WordTime, second: WordTime | undefined, max: number): void {
  const isLong = first.end - first.start > max || (second !== undefined && second.end - first.start > 2 * max);
  if (!isLong) return;
  if (second && second.end - second.start > max) {
    const border = Math.max(second.end / 2, second.end - max);
    first.end = border;
    second.start = border;
  }
  first.start = Math.max(0, first.end - max);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
