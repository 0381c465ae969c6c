import type { Boundary, Phoneme } from '../../contracts/synthesis.ts';
import type { Languages } from '../../text/languages.ts';
import { ALPHABET, isMark } from '../../text/phoneme-alphabet.ts';
import { CutRank, type Reader, type Reading, type ReadOptions, type Sentence } from './chunker.ts';

/** Maximum length of a word that begins a phrase. */
const MAX_OPENER = 20;

const SENTENCE_ENDS = new Set('.!?…');
const CLAUSE_ENDS = new Set(';:—,');
const CLOSING = new Set('”)"');

/** Converts sentences into phonemes of Kokoro's alphabet. */
export class PhonemeReader implements Reader<Phoneme> {
  readonly #languages: Pick<Languages, 'load'>;
  readonly #alphabet: ReadonlySet<string>;

  /** @param alphabet the phonemes that the model knows; others are left out */
  constructor(languages: Pick<Languages, 'load'>, alphabet: ReadonlySet<string> = new Set(ALPHABET)) {
    this.#languages = languages;
    this.#alphabet = alphabet;
  }

  async read(
    { tokens, phonemes }: Pick<Sentence, 'tokens' | 'phonemes'>,
    { language, lexicon }: ReadOptions,
  ): Promise<PhonemeReading> {
    const rules = await this.#languages.load(language);
    const spoken = phonemes ?? (await rules.phonemes(tokens, lexicon));
    const units = spoken.flatMap((text, token) =>
      [...text].filter((symbol) => this.#alphabet.has(symbol)).map((symbol) => ({ symbol, token })),
    );
    return new PhonemeReading(units, (sound, token) => rules.beginsPhrase(tokens[token]!, sound));
  }
}

/** Whether a reader may pause before a word with these phonemes, which are spoken for that token. */
type BeginsPhrase = (sound: string, token: number) => boolean;

/** A sentence as phonemes. It can be cut at spaces only. */
export class PhonemeReading implements Reading<Phoneme> {
  readonly units: readonly Phoneme[];
  readonly #beginsPhrase: BeginsPhrase;

  constructor(units: readonly Phoneme[], beginsPhrase: BeginsPhrase) {
    this.units = units;
    this.#beginsPhrase = beginsPhrase;
  }

  /** The whole sentence in Kokoro's alphabet. */
  get text(): string {
    return textOf(this.units);
  }

  sizeOf(): number {
    return 1;
  }

  isSpace({ symbol }: Phoneme): boolean {
    return symbol === ' ';
  }

  isHeard({ symbol }: Phoneme): boolean {
    return !isMark(symbol);
  }

  cutRank(index: number): CutRank {
    const { units } = this;
    if (units[index]?.symbol !== ' ') return CutRank.none;
    let last = index - 1;
    while (last > 0 && CLOSING.has(units[last]!.symbol)) last--;
    if (endsSentence(units, last)) return CutRank.sentence;
    const { symbol, token } = units[last]!;
    if (CLAUSE_ENDS.has(symbol)) return CutRank.clause;
    let next = index;
    while (units[next]?.symbol === ' ') next++;
    const opens = this.#beginsPhrase(this.#wordAfter(next), units[next]?.token ?? token);
    return opens && !this.#beginsPhrase(this.#wordBefore(index), token) ? CutRank.phrase : CutRank.word;
  }

  boundaryAfter(chunk: readonly Phoneme[], isLast: boolean): Boundary {
    const last = chunk.findLastIndex(({ symbol }) => !CLOSING.has(symbol));
    if (isLast || endsSentence(chunk, last)) return 'sentence';
    return CLAUSE_ENDS.has(chunk[last]?.symbol ?? '') ? 'clause' : 'word';
  }

  #wordAfter(begin: number): string {
    const { units } = this;
    let end = begin;
    while (end < units.length && end - begin < MAX_OPENER && !isMark(units[end]!.symbol)) end++;
    return textOf(units.slice(begin, end));
  }

  #wordBefore(end: number): string {
    const { units } = this;
    let begin = end;
    while (begin > 0 && end - begin < MAX_OPENER && !isMark(units[begin - 1]!.symbol)) begin--;
    return textOf(units.slice(begin, end));
  }
}

/** Does not match the `r.` of Hindi, which is a sound, as in पहाड़: a sentence seldom ends within a segment. */
function endsSentence(phonemes: readonly Phoneme[], index: number): boolean {
  const symbol = phonemes[index]?.symbol ?? '';
  return SENTENCE_ENDS.has(symbol) && !(symbol === '.' && phonemes[index - 1]?.symbol === 'r');
}

function textOf(phonemes: readonly Phoneme[]): string {
  return phonemes.map(({ symbol }) => symbol).join('');
}
