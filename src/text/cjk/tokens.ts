import type { Pronunciation } from '../language.ts';
import type { SpokenToken } from '../types.ts';

/** A word or punctuation mark of a sentence. */
export interface Word {
  written: string;
  /** In the format of the language; empty if silent. */
  spoken: string;
  /** The punctuation mark of Kokoro's alphabet that it is, or a space. */
  mark?: string;
}

const OPENING = /^[“(][;:,.!?—…"“”()]*/;
const CLOSING = /[;:,.!?—…"“”()]+$/;

/**
 * The tokens of a sentence, as `SentenceRules.tokens`. A mark is part of the token of the word next to it.
 * @param wordsOf words of the text between two pronunciations
 */
export function wordTokens(
  text: string,
  pronunciations: readonly Pronunciation[],
  wordsOf: (text: string) => readonly Word[],
): SpokenToken[] {
  const list = new TokenList();
  let start = 0;
  for (const pronunciation of pronunciations) {
    list.add(wordsOf(text.slice(start, pronunciation.index)));
    list.addPronunciation(pronunciation);
    start = pronunciation.index + 1;
  }
  list.add(wordsOf(text.slice(start)));
  return list.end();
}

class TokenList {
  readonly #tokens: SpokenToken[] = [];
  /** Brackets and quotation marks before the next word, as written and as spoken. */
  #writtenOpening = '';
  #spokenOpening = '';
  #isQuoting = false;

  add(words: readonly Word[]): void {
    for (const { written, spoken, mark } of words) {
      if (mark === undefined) this.#addWord(written, spoken);
      else this.#addMark(written, mark);
    }
  }

  addPronunciation({ written, ...reading }: Pronunciation): void {
    if (this.#spokenOpening !== '') this.#tokens.push({ written: this.#writtenOpening, spoken: this.#spokenOpening });
    this.#clearOpening();
    // Marks that follow are added to the last token.
    if (reading.tokens) this.#tokens.push(...reading.tokens.map((token) => ({ ...token })));
    else this.#tokens.push({ written, spoken: written, ipa: reading.ipa });
  }

  /** All tokens; an opening mark at the very end is shown with the last one. */
  end(): SpokenToken[] {
    const last = this.#tokens.at(-1);
    if (last) last.written += this.#writtenOpening;
    return this.#tokens;
  }

  #addWord(written: string, spoken: string): void {
    const last = this.#tokens.at(-1);
    // Show a silent word with the one before it.
    if (spoken === '' && this.#spokenOpening === '' && last && last.ipa === undefined) {
      last.written += written;
      return;
    }
    this.#tokens.push({ written: this.#writtenOpening + written, spoken: this.#spokenOpening + spoken });
    this.#clearOpening();
  }

  #addMark(written: string, sign: string): void {
    const mark = sign === '"' ? this.#quotationMark() : sign;
    const last = this.#tokens.at(-1);
    if (isClosing(mark) && this.#spokenOpening !== '') this.#addSilently(written);
    else if (isOpening(mark) || this.#spokenOpening !== '') {
      this.#writtenOpening += written;
      this.#spokenOpening += mark.trim();
    } else if (last && last.ipa === undefined) {
      last.written += written.trim();
      if (!last.spoken.endsWith(mark)) last.spoken += mark.trim();
    } else if (mark.trim() !== '') this.#tokens.push({ written, spoken: mark });
  }

  /** Shows marks with nothing between them with the previous token, so that they do not stick to the next word. */
  #addSilently(closing: string): void {
    const written = this.#writtenOpening + closing;
    const last = this.#tokens.at(-1);
    if (last && last.ipa === undefined) last.written += written;
    else this.#tokens.push({ written, spoken: '' });
    this.#clearOpening();
  }

  /** Straight quotation marks open and close in turn. */
  #quotationMark(): string {
    this.#isQuoting = !this.#isQuoting;
    return this.#isQuoting ? '“' : '”';
  }

  #clearOpening(): void {
    this.#writtenOpening = '';
    this.#spokenOpening = '';
  }
}

function isOpening(mark: string): boolean {
  return mark === '“' || mark === '(';
}

function isClosing(mark: string): boolean {
  return mark === '”' || mark === ')';
}

/**
 * The phonemes of tokens, as `LanguageText.phonemes`.
 * @param say phonemes of a token's `spoken` without its marks
 * @param joins whether no space separates two tokens
 */
export function tokenPhonemes(
  tokens: readonly SpokenToken[],
  say: (spoken: string) => string,
  joins: (before: string, after: string) => boolean = () => false,
): string[] {
  let before = '';
  return tokens.map(({ spoken, ipa }) => {
    const opening = OPENING.exec(spoken)?.[0] ?? '';
    const closing = CLOSING.exec(spoken.slice(opening.length))?.[0] ?? '';
    const core = ipa ?? say(spoken.slice(opening.length, spoken.length - closing.length));
    const phonemes = ipa ?? opening + core + closing;
    if (phonemes === '') return '';
    const isAttached =
      before === '' || /[“(]$/.test(before) || (core === '' && opening === '') || joins(before, phonemes);
    before = phonemes;
    return (isAttached ? '' : ' ') + phonemes;
  });
}
