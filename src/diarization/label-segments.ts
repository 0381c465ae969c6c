import type { SpeakerTurn } from '../contracts/speakers.ts';
import type { Segment } from '../contracts/transcription.ts';
import { speakerOf, type TimedTurn } from './speaker-at.ts';
import { settleBoundaries, type Unit } from './word-boundaries.ts';

export interface LabelOptions {
  /** Of the samples that turns count. */
  sampleRate: number;
  /** Names of the known speakers. */
  known?: readonly string[];
}

/**
 * Assigns speakers to segments. A segment is split between two words where the speaker changes; the texts of all
 * segments, joined, stay the same. All parts keep the values of the model, but only the first one keeps the tokens.
 * Yields after short steps: hours of speech take long.
 *
 * @param turns in any order; without any, one speaker says everything
 * @returns segments with `speaker`: a name, or `A`, `B`, … in the order in which they first speak
 */
export function* labelSegments(
  segments: readonly Segment[],
  turns: readonly SpeakerTurn[],
  { sampleRate, known = [] }: LabelOptions,
): Generator<undefined, Segment[], undefined> {
  const timed = turns
    .map(({ start, end, speaker }): TimedTurn => ({ start: start / sampleRate, end: end / sampleRate, speaker }))
    .sort((a, b) => a.start - b.start);
  const units = yield* unitsOf(segments, timed);
  yield* settleBoundaries(units, timed);
  const labels = new Labels(known);
  const labelled: Segment[] = [];
  let next = 0;
  for (const segment of segments) {
    const count = Math.max(1, wordsOf(segment).length);
    for (const { speaker, ...part } of cut(segment, units.slice(next, next + count))) {
      labelled.push({ ...part, speaker: labels.of(speaker) });
    }
    next += count;
    yield;
  }
  return labelled;
}

/** Words that are found in the text, in order; none if one is not. */
function wordsOf({ text, words }: Segment): { start: number; end: number; word: Segment['words'][number] }[] {
  const placed: ReturnType<typeof wordsOf> = [];
  let from = 0;
  for (const word of words) {
    const written = word.word.trim();
    if (written === '') continue;
    const start = text.indexOf(written, from);
    if (start < 0) return [];
    from = start + written.length;
    placed.push({ start, end: from, word });
  }
  return placed;
}

/** The words of all segments; a segment without words is one. */
function* unitsOf(segments: readonly Segment[], turns: readonly TimedTurn[]): Generator<undefined, Unit[], undefined> {
  const speaker = speakerOf(turns);
  const units: Unit[] = [];
  for (const segment of segments) {
    const words = wordsOf(segment).map(({ word }) => word);
    const spans = words.length > 0 ? words : [{ word: segment.text.trim(), start: segment.start, end: segment.end }];
    for (const { word, start, end } of spans) units.push({ text: word, start, end, speaker: speaker(start, end) });
    yield;
  }
  return units;
}

/** The parts of a segment, each with one speaker. */
function cut(segment: Segment, units: readonly Unit[]): (Omit<Segment, 'speaker'> & { speaker: number })[] {
  const [first] = units as [Unit];
  const changes = units.flatMap(({ speaker }, index) =>
    index > 0 && speaker !== units[index - 1]!.speaker ? index : [],
  );
  if (changes.length === 0) return [{ ...segment, speaker: first.speaker }];
  const words = wordsOf(segment);
  const bounds = [0, ...changes, words.length];
  return bounds.slice(1).map((end, index) => {
    const begin = bounds[index]!;
    const isLast = end === words.length;
    const from = index === 0 ? 0 : cutBetween(segment.text, words[begin - 1]!.end, words[begin]!.start);
    const to = isLast ? segment.text.length : cutBetween(segment.text, words[end - 1]!.end, words[end]!.start);
    const { logprobs, ...rest } = segment;
    return {
      ...rest,
      text: segment.text.slice(from, to),
      start: index === 0 ? segment.start : words[begin]!.word.start,
      end: isLast ? segment.end : words[end - 1]!.word.end,
      words: words.slice(begin, end).map(({ word }) => word),
      tokens: index === 0 ? segment.tokens : [],
      ...(logprobs && { logprobs: index === 0 ? logprobs : [] }),
      speaker: units[begin]!.speaker,
    };
  });
}

/** Where to cut a text between two words: before the space, so that punctuation stays with the word that it touches. */
function cutBetween(text: string, end: number, start: number): number {
  const space = text.slice(end, start).search(/\s/);
  return space < 0 ? start : end + space;
}

/** Names of speakers, those of known ones and letters. */
class Labels {
  readonly #known: readonly string[];
  readonly #letters = new Map<number, string>();
  #next = 0;

  constructor(known: readonly string[]) {
    this.#known = known;
  }

  of(speaker: number): string {
    if (speaker < 0) return this.#known[-1 - speaker]!;
    const letters = this.#letters.get(speaker) ?? this.#free();
    this.#letters.set(speaker, letters);
    return letters;
  }

  /** The next letters, skipping those that are the name of a known speaker. */
  #free(): string {
    const letters = lettersOf(this.#next++);
    return this.#known.includes(letters) ? this.#free() : letters;
  }
}

/** `A` to `Z`, `AA`, `AB` … */
function lettersOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : lettersOf(Math.floor(index / 26) - 1) + letter;
}
