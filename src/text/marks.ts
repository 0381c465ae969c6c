import type { Pronunciation } from './english/normalize/tokens.ts';
import type { SpokenToken } from './types.ts';

/** Punctuation as Kokoro knows it; a blank parts words without a pause. */
export const MARKS: Readonly<Record<string, string>> = {
  '。': '.',
  '．': '.',
  '.': '.',
  '｡': '.',
  '、': ',',
  '，': ',',
  ',': ',',
  '､': ',',
  '！': '!',
  '!': '!',
  '？': '?',
  '?': '?',
  '：': ':',
  ':': ':',
  '；': ';',
  ';': ';',
  '…': '…',
  '‥': '…',
  '⋯': '…',
  '—': '—',
  '―': '—',
  '–': '—',
  '─': '—',
  '〜': '—',
  '～': '—',
  '「': '“',
  '『': '“',
  '《': '“',
  '〈': '“',
  '【': '“',
  '［': '(',
  '〔': '(',
  '“': '“',
  '«': '“',
  '」': '”',
  '』': '”',
  '》': '”',
  '〉': '”',
  '】': '”',
  '］': ')',
  '〕': ')',
  '”': '”',
  '»': '”',
  '"': '"',
  '（': '(',
  '(': '(',
  '）': ')',
  ')': ')',
  '・': ' ',
  '･': ' ',
  '·': ' ',
  '\u3000': ' ',
};

/** Whether a mark belongs to the word that follows it. */
function isOpening(mark: string): boolean {
  return mark === '“' || mark === '(';
}

const OPENING = /^[“(]+/;
const MARKS_AT_END = /[;:,.!?—…"“”()]+$/;

/** Collects the tokens of a sentence whose words and marks come one by one. */
class MarkedTokens {
  readonly #tokens: SpokenToken[] = [];
  /** What opens the next word: a bracket, as it is written and as it is said. */
  #written = '';
  #opening = '';
  #quoted = false;

  /** @param spoken empty: nothing is said, and the word is shown with the one before it */
  word(written: string, spoken: string): void {
    const last = this.#tokens.at(-1);
    if (spoken === '' && this.#opening === '' && last && last.ipa === undefined) {
      last.written += written;
      return;
    }
    this.#tokens.push({ written: this.#written + written, spoken: this.#opening + spoken });
    this.#clear();
  }

  mark(written: string, sign: string): void {
    const mark = sign === '"' ? this.#quotationMark() : sign;
    const last = this.#tokens.at(-1);
    if (isOpening(mark) || this.#opening !== '') {
      this.#written += written;
      this.#opening += mark.trim();
    } else if (last && last.ipa === undefined) {
      last.written += written.trim();
      if (!last.spoken.endsWith(mark)) last.spoken += mark.trim();
    } else if (mark.trim() !== '') this.#tokens.push({ written, spoken: mark });
  }

  pronounce(written: string, ipa: string): void {
    if (this.#opening !== '') this.#tokens.push({ written: this.#written, spoken: this.#opening });
    this.#clear();
    this.#tokens.push({ written, spoken: written, ipa });
  }

  /** All tokens; what was opened and never filled is shown with the last one. */
  end(): SpokenToken[] {
    const last = this.#tokens.at(-1);
    if (last) last.written += this.#written;
    return this.#tokens;
  }

  /** Straight quotation marks open and close in turn. */
  #quotationMark(): string {
    this.#quoted = !this.#quoted;
    return this.#quoted ? '“' : '”';
  }

  #clear(): void {
    this.#written = '';
    this.#opening = '';
  }
}

/**
 * The tokens of a sentence.
 * @param pronunciations what the pronunciation marks in the text stand for
 * @param wordsOf words and marks of the text between them
 */
export function markedTokens(
  text: string,
  pronunciations: readonly Pronunciation[],
  wordsOf: (stretch: string) => readonly { written: string; spoken: string; mark?: string }[],
): SpokenToken[] {
  const list = new MarkedTokens();
  const add = (stretch: string) => {
    for (const { written, spoken, mark } of wordsOf(stretch)) {
      if (mark === undefined) list.word(written, spoken);
      else list.mark(written, mark);
    }
  };
  let from = 0;
  for (const { at, written, ipa } of pronunciations) {
    add(text.slice(from, at));
    list.pronounce(written, ipa);
    from = at + 1;
  }
  add(text.slice(from));
  return list.end();
}

/**
 * The phonemes of tokens with the blank before each.
 * @param say phonemes of what a token says between its marks
 * @param joins whether no blank parts two words without a mark between them
 */
export function tokenPhonemes(
  tokens: readonly SpokenToken[],
  say: (spoken: string) => string,
  joins: (before: string, after: string) => boolean = () => false,
): string[] {
  let before = '';
  return tokens.map(({ spoken, ipa }) => {
    const opening = OPENING.exec(spoken)?.[0] ?? '';
    const closing = MARKS_AT_END.exec(spoken.slice(opening.length))?.[0] ?? '';
    const core = ipa ?? say(spoken.slice(opening.length, spoken.length - closing.length));
    const phonemes = ipa ?? opening + core + closing;
    if (phonemes === '') return '';
    const attached =
      before === '' || /[“(]$/.test(before) || (core === '' && opening === '') || joins(before, phonemes);
    before = phonemes;
    return (attached ? '' : ' ') + phonemes;
  });
}
