import type { TokenLogprob } from '../../contracts/transcription.ts';
import type { GuessedWord } from './guessed-words.ts';

/** The letters of a word, for comparison. */
function spokenWord({ text }: GuessedWord): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/**
 * Seconds of speech over which a guess at a word must stay the same, by minimum probability. With 0, one guess is
 * enough. A word that follows shows that it is complete.
 */
type StableSeconds = readonly (readonly [probability: number, seconds: number])[];
const STABLE: StableSeconds = [
  [0.9, 0.12],
  [0.6, 0.3],
  [0, 0.6],
];
const FOLLOWED_STABLE: StableSeconds = [
  [0.9, 0],
  [0.6, 0.3],
  [0, 0.6],
];
// Models are unsure of a first word even if they are right.
const FIRST_STABLE: StableSeconds = [
  [0.9, 0.06],
  [0.6, 0.12],
  [0, 0.25],
];
const FIRST_FOLLOWED_STABLE: StableSeconds = [
  [0.4, 0],
  [0, 0.06],
];
/** Seconds at the end of the audio, where a word may be cut off. */
const UNSURE_END = 0.1;
const FIRST_FOLLOWED_UNSURE_END = 0.05;
/** Edit distance of a word to one that begins with it: the speech may have been cut off within the word. */
const BEGINNING_COST = 0.5;
/** Seconds by which guesses differ about the end of a word. */
const TIME_TOLERANCE = 0.1;

/**
 * Text of unfinished speech, from successive guesses at more and more of it. Words on which consecutive guesses agree
 * are committed, and never taken back (local agreement: Liu, Spanakis, Niehues 2020, "Low-latency sequence-to-sequence
 * speech recognition and translation by partial hypothesis selection"); less probable words must stay the same for
 * longer, and probable ones that are followed by another word need one guess. The first word is committed sooner, to
 * show that speech was detected.
 */
export class Agreement {
  #committed: GuessedWord[] = [];
  #isFirst = true;
  /** Words of the last guess after the committed ones, with the end of the speech in which they were first guessed. */
  #guess: { word: string; since: number }[] = [];
  /** Words of all speech in the last guesses, the committed ones included. */
  #heard: GuessedWord[] = [];
  /** Tokens of the text returned since they were last taken. */
  #tokens: TokenLogprob[] = [];

  /** Ends of the committed words, in seconds from the start of the speech. */
  get committedEnds(): number[] {
    return this.#committed.map(({ end }) => end);
  }

  /** The probable text of the next guess. @param from where it begins, in seconds: at the end of a committed word */
  textFrom(from: number): string {
    return endingAfter(from, this.#heard)
      .map(({ text, after }) => text + after)
      .join('');
  }

  /** Tokens of the text that has been returned since the last call, if words have any. */
  takeTokens(): TokenLogprob[] {
    return this.#tokens.splice(0);
  }

  /**
   * Adds a guess at the speech so far.
   * @param heard length of the speech in seconds
   * @param from where the guess begins, in seconds: at the end of a committed word
   * @returns the text that it commits, to append
   */
  push(words: readonly GuessedWord[], heard: number, from = 0): string {
    const count = this.#countCommitted(words, from);
    const rest = words.slice(count);
    const before = this.#heard.length - endingAfter(from, this.#heard).length;
    this.#heard = [...this.#heard.slice(0, before), ...words];
    let isSame = true;
    const guess = rest.map((guessed, index) => {
      const [word, before] = [spokenWord(guessed), this.#guess[index]];
      isSame &&= before?.word === word;
      return { word, since: isSame ? before!.since : heard };
    });
    const sure = rest.findIndex(({ end, probability }, index) => {
      const isFirst = this.#isFirst && index === 0;
      const isFollowed = index + 1 < rest.length;
      const [alone, followed] = isFirst ? [FIRST_STABLE, FIRST_FOLLOWED_STABLE] : [STABLE, FOLLOWED_STABLE];
      const [, seconds] = (isFollowed ? followed : alone).find(([least]) => probability >= least)!;
      const unsure = isFirst && isFollowed ? FIRST_FOLLOWED_UNSURE_END : UNSURE_END;
      return heard - guess[index]!.since < seconds || end > heard - unsure;
    });
    const length = sure < 0 ? rest.length : sure;
    this.#guess = guess.slice(length);
    return length === 0 ? '' : this.#commit(words, count, count + length);
  }

  /**
   * Sets the final text of the speech up to a time, from which times count from now on.
   * @param until seconds
   * @returns the text that it adds, to append
   */
  settle(words: readonly GuessedWord[], until: number): string {
    const later = (all: readonly GuessedWord[]) =>
      endingAfter(until, all).map((word) => ({ ...word, end: word.end - until }));
    const committed = later(this.#committed);
    // What has been committed since then cannot move.
    const added = committed.length > 0 ? '' : this.finish(words);
    this.#committed = committed;
    this.#heard = later(this.#heard);
    this.#guess = [];
    return added;
  }

  /** Sets the final text. @returns what follows the committed text, to append */
  finish(words: readonly GuessedWord[]): string {
    const added = this.#commit(words, this.#countCommitted(words), words.length);
    const last = words.at(-1);
    this.#tokens.push(...(last?.tokensAfter ?? []));
    return added + (last?.after ?? '');
  }

  /** Commits words, the punctuation before them included and that after them left open. */
  #commit(words: readonly GuessedWord[], from: number, to: number): string {
    const added = words.slice(from, to);
    const rest = this.#completeLast(words[from - 1]);
    if (added.length > 0) this.#isFirst = false;
    this.#committed.push(...added);
    const between = added.map(({ text, tokens = [] }, index) => {
      const before = words[from + index - 1];
      this.#tokens.push(...(before?.tokensAfter ?? []), ...tokens);
      return (before?.after ?? '') + text;
    });
    return rest + between.join('');
  }

  /** The rest of a word whose beginning has been committed. @param word the word of a guess in its place */
  #completeLast(word: GuessedWord | undefined): string {
    const last = this.#committed.at(-1);
    if (!word || !last || !goesOn(last.text, word.text)) return '';
    const rest = word.text.slice(last.text.length);
    this.#tokens.push(...tokensAt(word, Buffer.byteLength(last.text)));
    this.#committed[this.#committed.length - 1] = word;
    return rest;
  }

  /**
   * How many words of another guess correspond to the committed ones: the closest by edit distance; of equals those
   * that end in the same word, then those that end at the same time.
   */
  #countCommitted(words: readonly GuessedWord[], from = 0): number {
    const committed = endingAfter(from, this.#committed);
    if (committed.length === 0) return 0;
    const others = words.map(spokenWord);
    /** Distance of the committed words to the first `n` others, for each `n`. */
    let distances = Array.from({ length: others.length + 1 }, (_, n) => n);
    for (const [row, word] of committed.map(spokenWord).entries()) {
      const next = [row + 1];
      for (let n = 1; n <= others.length; n++) {
        const other = others[n - 1]!;
        const cost = other === word ? 0 : goesOn(word, other) ? BEGINNING_COST : 1;
        const substituted = distances[n - 1]! + cost;
        next.push(Math.min(substituted, distances[n]! + 1, next[n - 1]! + 1));
      }
      distances = next;
    }
    const least = Math.min(...distances);
    const last = committed.at(-1)!;
    const counts = distances.flatMap((distance, n) => (distance === least ? [n] : []));
    const endsAlike = counts.filter((n) => others[n - 1] === spokenWord(last));
    const apart = (n: number) => Math.abs((words[n - 1]?.end ?? 0) - last.end);
    return (endsAlike.length > 0 ? endsAlike : counts).sort((a, b) => apart(a) - apart(b))[0]!;
  }
}

/** Whether a word begins with another one and is longer. */
function goesOn(beginning: string, word: string): boolean {
  return beginning !== '' && word.length > beginning.length && word.startsWith(beginning);
}

/** Tokens of a word that begin at this byte or later. */
function tokensAt({ tokens = [] }: GuessedWord, byte: number): TokenLogprob[] {
  let start = 0;
  return tokens.filter(({ bytes }) => {
    start += bytes.length;
    return start - bytes.length >= byte;
  });
}

/** Words from a moment on, in seconds, at which a word ends. */
function endingAfter(from: number, words: readonly GuessedWord[]): GuessedWord[] {
  return words.filter(({ end }) => from === 0 || end > from + TIME_TOLERANCE);
}
