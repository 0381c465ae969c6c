import { controlTokenAt, matchAt, maxPauseSeconds } from './control-tokens.ts';
import { sentenceEnd, sentenceWindow } from './english/normalize/sentences.ts';
import { type Pronunciation, pronunciationMark, sentenceTokens } from './english/normalize/tokens.ts';
import type { SentenceRules } from './language.ts';
import { holdsSound } from './phoneme-alphabet.ts';
import type { NormalizationOptions, SpokenToken, TextSegment } from './types.ts';

const english: SentenceRules = { sentenceEnd, tokens: sentenceTokens };

/** Characters taken from the input at a time. */
const portion = 2000;
const leadingBlanks = /[\s\uFEFF\u200B]+/y;

/**
 * Cuts the input into sentences and pauses, lazily: the first piece of a long text costs no more than its own length.
 * Sentences that say nothing are left out; a pause ends a sentence, a longer one than `maxPauseSeconds` is cut down, and
 * one of no length adds none.
 * @param rules how the language cuts and reads its sentences
 */
export function* textSegments(
  input: string,
  options: NormalizationOptions,
  rules: SentenceRules = english,
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
    const { text, pronunciations } = reader.take(rules.sentenceEnd(reader.text, reader.column, reader.complete));
    const tokens = rules.tokens(text, pronunciations, options);
    if (tokens.some(saysSomething)) yield { type: 'sentence', tokens };
  }
}

function saysSomething({ spoken, ipa }: SpokenToken): boolean {
  return ipa !== undefined || /[\p{L}\p{N}]/u.test(spoken);
}

/** The input without its control tokens and tags, as far as it was read. */
class InputReader {
  /** What was read and not yet taken; it begins with no blank. */
  text = '';
  /** Characters of the line that stand before the text. */
  column = 0;
  readonly #input: string;
  #at = 0;
  #pause: number | undefined;
  /** Of the text. */
  #pronunciations: Pronunciation[] = [];

  constructor(input: string) {
    this.#input = input;
  }

  /** Whether nothing follows the text: the input ends, or a pause stands there. */
  get complete(): boolean {
    return this.#pause !== undefined || this.#at >= this.#input.length;
  }

  takePause(): number | undefined {
    const seconds = this.#pause;
    this.#pause = undefined;
    return seconds;
  }

  /** Reads on until a sentence is at hand, or as far as there is text. */
  fill(): void {
    this.#skipBlanks();
    while (this.text.length < sentenceWindow && !this.complete) {
      const empty = this.text === '';
      this.#read();
      // Looking into a text that was just added to costs its whole length.
      if (empty) this.#skipBlanks();
    }
  }

  /** Removes the beginning of the text, and hands it out. */
  take(end: number): { text: string; pronunciations: Pronunciation[] } {
    const text = this.text.slice(0, end);
    const pronunciations = this.#pronunciations.filter(({ at }) => at < end);
    this.#drop(end);
    return { text, pronunciations };
  }

  #read(): void {
    const token = controlTokenAt(this.#input, this.#at);
    if (token) {
      this.#at = token.end;
      if (token.type === 'pause') this.#pause = token.seconds;
      else if (token.type === 'tag') this.text += token.separates ? ' ' : '';
      else if (!holdsSound(token.ipa)) this.text += token.written;
      else {
        this.#pronunciations.push({ at: this.text.length, written: token.written, ipa: token.ipa });
        this.text += pronunciationMark;
      }
      return;
    }
    // The first character is no control token; the next one may begin with any of these.
    const next = this.#input.slice(this.#at + 1, this.#at + portion).search(/[[<]/);
    const end = next < 0 ? this.#at + portion : this.#at + 1 + next;
    this.text += this.#input.slice(this.#at, end);
    this.#at = end;
  }

  #skipBlanks(): void {
    const length = matchAt(leadingBlanks, this.text, 0)?.[0].length ?? 0;
    if (length > 0) this.#drop(length);
  }

  #drop(end: number): void {
    const dropped = this.text.slice(0, end);
    const lineBreak = Math.max(dropped.lastIndexOf('\n'), dropped.lastIndexOf('\r'));
    this.column = lineBreak < 0 ? this.column + end : end - lineBreak - 1;
    this.text = this.text.slice(end);
    this.#pronunciations = this.#pronunciations
      .filter(({ at }) => at >= end)
      .map((each) => ({ ...each, at: each.at - end }));
  }
}
