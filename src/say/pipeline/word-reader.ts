import type { Boundary, Word } from '../../contracts/synthesis.ts';
import { English } from '../../text/english/g2p/phonemes.ts';
import { CutRank, type Reading } from './chunker.ts';
import type { Reader, ReadOptions, Sentence } from './reader.ts';
import { withHomographs, wordsOf } from './words.ts';

/** Reads English sentences as words that a synthesizer pronounces itself. */
export class WordReader implements Reader<Word> {
  readonly #english: English;

  constructor(english: English) {
    this.#english = english;
  }

  static async load(): Promise<WordReader> {
    return new WordReader(await English.load());
  }

  async read({ tokens }: Pick<Sentence, 'tokens'>, { lexicon }: Pick<ReadOptions, 'lexicon'>): Promise<WordReading> {
    return new WordReading(withHomographs(wordsOf(tokens, lexicon), this.#english));
  }
}

/** Words that a phrase begins with: before them a reader may pause. */
const openers = new Set(
  `and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would`.split(/\s+/),
);
/** Words that lean on the next one: no reader pauses after them. */
const proclitics = new Set(
  `a an the my your his her its our their this that these those some any no every each very too i you he she it we they
  mister mr mrs ms doctor dr saint st`.split(/\s+/),
);

/** A sentence as words. */
export class WordReading implements Reading<Word> {
  readonly units: readonly Word[];
  readonly captionsSpanChunks = false;

  constructor(units: readonly Word[]) {
    this.units = units;
  }

  sizeOf({ text, phones }: Word): number {
    if (phones) return phones.split(' ').length + 1;
    // A digit takes a word or two to say.
    return (/\d/.test(text) ? 6 * text.length : text.length) + 1;
  }

  isSpace(): boolean {
    return false;
  }

  isHeard(): boolean {
    return true;
  }

  cutRank(index: number): CutRank {
    const before = this.units[index - 1]!;
    const after = this.units[index]!;
    // One caption spans a token.
    if (before.token === after.token) return CutRank.none;
    // Colons and semicolons are as good as full stops.
    if (before.punctuation !== '') return before.punctuation === ',' ? CutRank.clause : CutRank.sentence;
    if (proclitics.has(before.text) || openers.has(before.text)) return CutRank.none;
    return openers.has(after.text) ? CutRank.phrase : CutRank.word;
  }

  boundaryAfter(chunk: readonly Word[], isLast: boolean): Boundary {
    const { punctuation } = chunk.at(-1)!;
    if (punctuation === '') return isLast ? 'sentence' : 'word';
    return '.!?'.includes(punctuation) ? 'sentence' : 'clause';
  }
}
