import type { Boundary, Chunk, ChunkLimits } from '../../contracts/synthesis.ts';
import type { LanguageLetter, TextSegment } from '../../text/types.ts';
import type { UserLexicon } from '../../text/user-lexicon.ts';

export type Sentence = Extract<TextSegment, { type: 'sentence' }>;

export interface ReadOptions {
  language: LanguageLetter;
  /** Pronunciations that take precedence over all others. */
  lexicon: UserLexicon | undefined;
}

/** Converts sentences into the units of a synthesizer. */
export interface Reader<Unit> {
  read(sentence: Pick<Sentence, 'tokens' | 'phonemes'>, options: ReadOptions): Promise<Reading<Unit>>;
}

/** How good a cut is at a position of a sentence, from impossible to best. */
export const CutRank = { none: 0, word: 1, phrase: 2, clause: 3, sentence: 4 } as const;
export type CutRank = (typeof CutRank)[keyof typeof CutRank];

/** A sentence in a synthesizer's units, with the ranks of its possible cuts. */
export interface Reading<Unit> {
  readonly units: readonly Unit[];
  /** Letters or phonemes. */
  sizeOf(unit: Unit): number;
  /** How well the sentence can be cut before the unit at an index. */
  cutRank(index: number): CutRank;
  /**
   * How a chunk ends.
   * @param isLast whether it ends the sentence
   */
  boundaryAfter(chunk: readonly Unit[], isLast: boolean): Boundary;
  /** Whether the unit is dropped at both ends of a chunk. */
  isSpace(unit: Unit): boolean;
  /** Whether the unit is audible; a chunk without such a unit is dropped. */
  isHeard(unit: Unit): boolean;
}

/** A sentence that exceeds the limit by less than this factor stays whole. */
const SLACK = 1.5;
/** Minimum fraction of the limit before a cut; larger within a phrase, which can be cut between any two words. */
const LEAST = 1 / 3;
const PART_LEAST = 2 / 3;

/** Cuts the sentences of one job into chunks: a short one first, because a listener waits for it, then longer ones. */
export class Chunker {
  readonly #limits: ChunkLimits;
  /** Size of the next sentence's first chunk. */
  #next: number;

  constructor(limits: ChunkLimits) {
    this.#limits = limits;
    this.#next = limits.first;
  }

  /**
   * Cuts the next sentence: not at all if it is short enough, else at punctuation, before a phrase, between words, or
   * anywhere. Drops only spaces and silent chunks.
   */
  cut<Unit>(reading: Reading<Unit>): Chunk<Unit>[] {
    const { units } = reading;
    const { phrase, growth, usual } = this.#limits;
    const chunks: Chunk<Unit>[] = [];
    let limit = Math.min(usual, this.#next);
    for (let begin = skipSpaces(reading, 0); begin < units.length; ) {
      const end = this.#cutWithin(reading, begin, phrase ?? limit, units.length);
      const next = skipSpaces(reading, end);
      const trimmed = withoutSpaces(reading, begin, end);
      if (reading.units.slice(begin, trimmed).some((unit) => reading.isHeard(unit))) {
        const boundary = reading.boundaryAfter(units.slice(begin, trimmed), next === units.length);
        const parts = phrase === undefined ? [begin, trimmed] : this.#partsOf(reading, begin, trimmed, limit);
        chunks.push(...chunksOf(reading, parts, boundary));
        this.#next *= growth ** (parts.length - 1);
        limit *= growth ** (parts.length - 2);
      }
      limit = Math.min(usual, limit * growth);
      begin = next;
    }
    return chunks;
  }

  /** Where the chunks of a phrase begin, and its end. Each is audible. */
  #partsOf<Unit>(reading: Reading<Unit>, begin: number, end: number, first: number): number[] {
    const { whole = 0, growth, usual } = this.#limits;
    if (endWithin(reading, begin, whole) >= end) return [begin, end];
    const parts = [begin];
    let limit = first;
    for (let from = begin; from < end; ) {
      from = skipSpaces(reading, this.#cutWithin(reading, from, limit, end, PART_LEAST));
      const isHeard = reading.units.slice(parts.at(-1)!, from).some((unit) => reading.isHeard(unit));
      const restIsHeard = reading.units.slice(from, end).some((unit) => reading.isHeard(unit));
      if (!isHeard || !restIsHeard) continue;
      parts.push(from);
      limit = Math.min(usual, limit * growth);
    }
    return [...parts, end];
  }

  /** Where to cut the units from `begin` to `end`, so that about `wanted` of them come before. */
  #cutWithin<Unit>(reading: Reading<Unit>, begin: number, wanted: number, end: number, least = LEAST): number {
    const { max, settleFor } = this.#limits;
    const limit = Math.min(wanted, max);
    const furthest = endWithin(reading, begin, Math.min(max, limit * SLACK));
    if (furthest >= end) return end;
    const usual = endWithin(reading, begin, limit);
    let best = usual;
    let bestRank: CutRank = CutRank.none;
    for (let at = begin + Math.max(1, Math.floor((usual - begin) * least)); at <= furthest; at++) {
      const rank = reading.cutRank(at);
      // Take the latest of the best ones; beyond the limit only if there is no good one.
      const isBetter =
        at <= usual ? rank > CutRank.none && rank >= bestRank : rank > bestRank && bestRank < CutRank[settleFor];
      if (!isBetter) continue;
      best = at;
      bestRank = rank;
    }
    return best;
  }
}

/** The chunks of one phrase. @param parts where each begins, and the end */
function chunksOf<Unit>(
  { units, isSpace }: Reading<Unit>,
  parts: readonly number[],
  boundary: Boundary,
): Chunk<Unit>[] {
  const [start, end] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 2) return [{ units: units.slice(start, end), boundary }];
  const phrase = units.slice(start, end);
  return parts.slice(1).map((next, index) => {
    const begin = parts[index]!;
    const own = units.slice(begin, next);
    while (isSpace(own.at(-1)!)) own.pop();
    return { units: own, boundary, phrase: { units: phrase, begin: begin - start, end: next - start } };
  });
}

function withoutSpaces<Unit>(reading: Reading<Unit>, begin: number, end: number): number {
  let index = end;
  while (index > begin && reading.isSpace(reading.units[index - 1]!)) index--;
  return index;
}

function skipSpaces<Unit>(reading: Reading<Unit>, from: number): number {
  let index = from;
  while (index < reading.units.length && reading.isSpace(reading.units[index]!)) index++;
  return index;
}

/** Index after the last unit within a size; at least one unit. */
function endWithin<Unit>(reading: Reading<Unit>, begin: number, size: number): number {
  let used = 0;
  for (let index = begin; index < reading.units.length; index++) {
    used += reading.sizeOf(reading.units[index]!);
    if (used > size) return Math.max(begin + 1, index);
  }
  return reading.units.length;
}
