import type { Joint } from '../../../contracts/synthesis.ts';

/** A character of a sentence in Kokoro's alphabet. */
export interface Phoneme {
  symbol: string;
  /** The utterance's token that it is said for. */
  token: number;
}

/** Phonemes that are spoken in one go. */
export interface Run {
  phonemes: Phoneme[];
  joint: Joint;
}

export interface RunLimits {
  /** Phonemes of the first run, if it can be had; the ones after it may grow from there. */
  first: number;
  /** Phonemes of any run that is not cut at a bad place for it. */
  usual: number;
  /** More than these the model does not take. */
  most: number;
}

/** Whether a reader may pause before a word of these phonemes, which is said for that token. */
export type BeginsPhrase = (sound: string, token: number) => boolean;

/** Growth of the runs from one to the next. */
export const GROWTH = 2.5;
/** What is longer than the limit by this factor is left whole. */
const LITTLE_LONGER = 1.5;

/** Longer words begin no phrase. */
const LONGEST_OPENER = 20;

const SENTENCE_ENDS = new Set('.!?…');
const CLAUSE_ENDS = new Set(';:—,');
const CLOSING = new Set('”)"');
const OPENING = new Set('“(');
/** How well a sentence can be cut, from the best place to the worst. */
const SENTENCE = 5;
const CLAUSE = 4;
const PHRASE = 3;
const WORD = 2;

/** Characters that are no part of a word. */
export function isMark(symbol: string): boolean {
  return (
    symbol === ' ' || SENTENCE_ENDS.has(symbol) || CLAUSE_ENDS.has(symbol) || CLOSING.has(symbol) || OPENING.has(symbol)
  );
}

/**
 * Cuts a sentence into runs: none where it is short enough, else at punctuation, before a phrase, between words, or where it
 * must be. Nothing but blanks is left out.
 */
export function cutRuns(phonemes: readonly Phoneme[], limits: RunLimits, beginsPhrase: BeginsPhrase): Run[] {
  const runs: Run[] = [];
  let limit = limits.first;
  let begin = skipBlanks(phonemes, 0);
  while (begin < phonemes.length) {
    const end = runEnd(phonemes, begin, Math.min(limit, limits.most), limits.most, beginsPhrase);
    const next = skipBlanks(phonemes, end);
    const run = phonemes.slice(begin, end);
    while (run.at(-1)?.symbol === ' ') run.pop();
    runs.push({ phonemes: run, joint: jointAfter(run, next === phonemes.length) });
    limit = Math.min(limits.usual, limit * GROWTH);
    begin = next;
  }
  return runs;
}

function skipBlanks(phonemes: readonly Phoneme[], from: number): number {
  let at = from;
  while (phonemes[at]?.symbol === ' ') at++;
  return at;
}

/** Index after the last phoneme of the run that begins at one. */
function runEnd(
  phonemes: readonly Phoneme[],
  begin: number,
  limit: number,
  most: number,
  beginsPhrase: BeginsPhrase,
): number {
  const furthest = begin + Math.min(most, Math.floor(limit * LITTLE_LONGER));
  if (furthest >= phonemes.length) return phonemes.length;
  const within = begin + Math.floor(limit);
  let best = within;
  let bestRank = 0;
  for (let end = begin + Math.max(1, Math.floor(limit / 3)); end <= furthest; end++) {
    const rank = cutRank(phonemes, end, beginsPhrase);
    // The latest of the best ones; beyond the limit only for want of a good one.
    if (end <= within ? rank > 0 && rank >= bestRank : rank > bestRank && bestRank < CLAUSE) {
      best = end;
      bestRank = rank;
    }
  }
  return best;
}

/** How well a sentence can be cut before a blank: 0 is not at all. */
function cutRank(phonemes: readonly Phoneme[], at: number, beginsPhrase: BeginsPhrase): number {
  if (phonemes[at]?.symbol !== ' ') return 0;
  let last = at - 1;
  while (last > 0 && CLOSING.has(phonemes[last]!.symbol)) last--;
  const { symbol, token } = phonemes[last]!;
  if (SENTENCE_ENDS.has(symbol) && !isRetroflex(phonemes[last - 1], symbol)) return SENTENCE;
  if (CLAUSE_ENDS.has(symbol)) return CLAUSE;
  const next = skipBlanks(phonemes, at);
  const opens = beginsPhrase(wordAfter(phonemes, next), phonemes[next]?.token ?? token);
  return opens && !beginsPhrase(wordBefore(phonemes, at), token) ? PHRASE : WORD;
}

function wordAfter(phonemes: readonly Phoneme[], begin: number): string {
  let end = begin;
  while (end < phonemes.length && end - begin < LONGEST_OPENER && !isMark(phonemes[end]!.symbol)) end++;
  return textOf(phonemes.slice(begin, end));
}

function wordBefore(phonemes: readonly Phoneme[], at: number): string {
  let begin = at;
  while (begin > 0 && at - begin < LONGEST_OPENER && !isMark(phonemes[begin - 1]!.symbol)) begin--;
  return textOf(phonemes.slice(begin, at));
}

function textOf(phonemes: readonly Phoneme[]): string {
  return phonemes.map(({ symbol }) => symbol).join('');
}

/** `r.` is a sound of Hindi, as in पहाड़; a sentence seldom ends within an utterance. */
function isRetroflex(before: Phoneme | undefined, symbol: string): boolean {
  return before?.symbol === 'r' && symbol === '.';
}

function jointAfter(run: readonly Phoneme[], last: boolean): Joint {
  const at = run.findLastIndex(({ symbol }) => !CLOSING.has(symbol));
  const symbol = run[at]?.symbol ?? '';
  if (last || (SENTENCE_ENDS.has(symbol) && !isRetroflex(run[at - 1], symbol))) return 'sentence';
  return CLAUSE_ENDS.has(symbol) ? 'clause' : 'within a clause';
}
