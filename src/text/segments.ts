import { controlTokenAt, maxPauseSeconds } from './control-tokens.ts';
import { type Pronunciation, pronunciationMark, type SentenceRules } from './language.ts';
import { matchAt } from './patterns.ts';
import { holdsSound } from './phoneme-alphabet.ts';
import { sentenceWindow } from './sentence-end.ts';
import type { NormalizationOptions, SpokenToken, TextSegment } from './types.ts';

/** Characters read from the input at a time. */
const blockSize = 2000;
const leadingWhitespace = /[\s\uFEFF\u200B]+/y;

/**
 * Cuts the input into sentences and pauses, lazily: the first segment of a long text costs no more than its own length.
 * Skips silent sentences. A pause ends a sentence; pauses are cut to `maxPauseSeconds`, and empty ones dropped.
 */
export function* textSegments(
  input: string,
  options: NormalizationOptions,
  rules: SentenceRules,
): Generator<TextSegment> {
  const reader = new InputReader(input);
  for (;;) {
    reader.fill();
    if (reader.text === '') {
      const seconds = reader.takePause();
      if (seconds === undefined) return;
      if (seconds > 0) yield { type: 'pause', seconds: Math.min(seconds, maxPauseSeconds) };
      continue;
    }
    const { text, pronunciations } = reader.take(rules.sentenceEnd(reader.text, reader.lineOffset, reader.complete));
    const tokens = rules.tokens(text, pronunciations, options);
    if (tokens.some(isSpoken)) yield { type: 'sentence', tokens };
  }
}

function isSpoken({ spoken, ipa }: SpokenToken): boolean {
  return ipa !== undefined || /[\p{L}\p{N}]/u.test(spoken);
}

/** Reads the input without its control tokens and tags. */
class InputReader {
  /** Characters read but not taken; begins without whitespace. */
  text = '';
  /** Characters of the current line before `text`. */
  lineOffset = 0;
  readonly #input: string;
  #index = 0;
  #pause: number | undefined;
  /** Pronunciations in `text`. */
  #pronunciations: Pronunciation[] = [];

  constructor(input: string) {
    this.#input = input;
  }

  /** Whether `text` ends here: at a pause or the end of the input. */
  get complete(): boolean {
    return this.#pause !== undefined || this.#index >= this.#input.length;
  }

  takePause(): number | undefined {
    const seconds = this.#pause;
    this.#pause = undefined;
    return seconds;
  }

  /** Reads until `text` holds a whole sentence, or is complete. */
  fill(): void {
    this.#skipWhitespace();
    while (this.text.length < sentenceWindow && !this.complete) {
      const wasEmpty = this.text === '';
      this.#read();
      // Matching a string just appended to costs its whole length, so only match if needed.
      if (wasEmpty) this.#skipWhitespace();
    }
  }

  /** Removes and returns the first `end` characters of `text`. */
  take(end: number): { text: string; pronunciations: Pronunciation[] } {
    const text = this.text.slice(0, end);
    const pronunciations = this.#pronunciations.filter(({ index }) => index < end);
    this.#drop(end);
    return { text, pronunciations };
  }

  #read(): void {
    const controlToken = controlTokenAt(this.#input, this.#index);
    if (controlToken) {
      this.#index = controlToken.end;
      if (controlToken.type === 'pause') this.#pause = controlToken.seconds;
      else if (controlToken.type === 'tag') this.text += controlToken.separates ? ' ' : '';
      else if (!holdsSound(controlToken.ipa)) this.text += controlToken.written;
      else {
        const { written, ipa } = controlToken;
        this.#pronunciations.push({ index: this.text.length, written, ipa });
        this.text += pronunciationMark;
      }
      return;
    }
    // No control token begins here; the next may begin at one of these characters.
    const next = this.#input.slice(this.#index + 1, this.#index + blockSize).search(/[[<]/);
    const end = next < 0 ? this.#index + blockSize : this.#index + 1 + next;
    this.text += this.#input.slice(this.#index, end);
    this.#index = end;
  }

  #skipWhitespace(): void {
    const length = matchAt(leadingWhitespace, this.text, 0)?.[0].length ?? 0;
    if (length > 0) this.#drop(length);
  }

  #drop(end: number): void {
    const dropped = this.text.slice(0, end);
    const lineBreak = Math.max(dropped.lastIndexOf('\n'), dropped.lastIndexOf('\r'));
    this.lineOffset = lineBreak < 0 ? this.lineOffset + end : end - lineBreak - 1;
    this.text = this.text.slice(end);
    this.#pronunciations = this.#pronunciations
      .filter(({ index }) => index >= end)
      .map((each) => ({ ...each, index: each.index - end }));
  }
}
