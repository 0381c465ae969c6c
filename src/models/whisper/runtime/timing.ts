import { tokenStarts } from '../../common/alignment.ts';
import { alignmentMatrix } from './alignment-matrix.ts';
import { type Cut, FRAME_SECONDS } from './cuts.ts';
import type { Decoded, Tokenizer } from './decoding.ts';
import { languagesWithoutBlanks, type TokenWord } from './tokenizer.ts';
import {
  joinPunctuation,
  settleSegments,
  shortenAtSentenceEnds,
  type TimedSegment,
  type WordTime,
  wordLength,
} from './word-times.ts';

export interface TimingContext {
  tokenizer: Pick<Tokenizer, 'special' | 'words'>;
  /** ISO 639-1 code of the text: it decides what a word is. */
  language: string;
  /** How many alignment heads there are. */
  heads: number;
  /** Encoder frames that hold audio. */
  frames: number;
  /** Where the decoded audio starts, in seconds from the start of the recording. */
  offset: number;
  /** Where the segment before these ended, in seconds from the start of the recording. */
  lastSpeech: number;
}

/**
 * Word times from the alignment heads, as openai/whisper's `timing.py` has them. Unlike there, the attention is that of
 * the steps that chose the tokens, which spares a second run over the text, and words are found segment by segment, so
 * that none reaches into the next.
 */
export function timeSegments(cuts: readonly Cut[], decoded: Decoded, context: TimingContext): TimedSegment[] {
  const { tokenizer, language, offset, lastSpeech } = context;
  const { endOfText } = tokenizer.special;
  const text = cuts.map(({ first, end }) => range(first, end).filter((index) => decoded.tokens[index]! < endOfText));
  const times = tokenTimes(text.flat(), decoded, context);
  let token = 0;
  const words = text.map((indices) => {
    const tokens = indices.map((index) => decoded.tokens[index]!);
    const word = (from: number, to: number, text: string): WordTime => ({
      text,
      start: offset + times[token + from]!,
      end: offset + times[token + to]!,
      probability: mean(indices.slice(from, to).map((index) => Math.exp(decoded.logprobs[index]!))),
    });
    let from = 0;
    const words = wholeWords(tokenizer.words(tokens, language), language).map(({ text, tokens: { length } }) => {
      from += length;
      return word(from - length, from, text);
    });
    token += tokens.length;
    return words;
  });
  const all = words.flat();
  const length = wordLength(all);
  shortenAtSentenceEnds(all, length);
  const segments = cuts.map(({ from, to }, index) => ({
    start: offset + from,
    end: offset + to,
    words: joinPunctuation(words[index]!),
  }));
  settleSegments(segments, length, lastSpeech);
  return segments;
}

/** The reference begins a word after every apostrophe and hyphen; for readers l'eau and twenty-one are words. */
function wholeWords(parts: readonly TokenWord[], language: string): readonly TokenWord[] {
  if (languagesWithoutBlanks.has(language)) return parts;
  const words: TokenWord[] = [];
  for (const part of parts) {
    const before = words.at(-1);
    const goesOn = !part.text.startsWith(' ') && /[\p{L}\p{N}]/u.test(part.text);
    if (before && goesOn) {
      words[words.length - 1] = { text: before.text + part.text, tokens: [...before.tokens, ...part.tokens] };
    } else {
      words.push(part);
    }
  }
  return words;
}

/** When each text token begins, in seconds, and when the last one ends. */
function tokenTimes(
  indices: readonly number[],
  { attention }: Decoded,
  { heads, frames }: Pick<TimingContext, 'heads' | 'frames'>,
): number[] {
  if (indices.length === 0) return [0];
  // What was chosen after the last text was chosen looking at its end; where decoding broke off, there is no such row.
  const after = attention[indices.at(-1)! + 1];
  const rows = [...indices.map((index) => attention[index]!), ...(after ? [after] : [])];
  const starts = tokenStarts(alignmentMatrix(rows, heads, frames));
  if (!after) starts.push(frames);
  return starts.map((frame) => frame * FRAME_SECONDS);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
