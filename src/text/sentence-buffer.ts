import type { Pronunciation } from './language.ts';
import { matchAt } from './patterns.ts';

const leadingWhitespace = /[\s\uFEFF\u200B]+/y;

/** A mark before a character of the text. */
interface Mark {
  index: number;
  name: string;
}

interface Pause {
  seconds: number;
  endsParagraph: boolean;
}

/** The text of the next sentences, filled by a reader of some form of input. */
export abstract class SentenceBuffer {
  /** Characters read but not taken; begins without whitespace. */
  text = '';
  /** Characters of the current line before `text`. */
  lineOffset = 0;
  #pause: Pause | undefined;
  /** Pronunciations in `text`. */
  #pronunciations: Pronunciation[] = [];
  /** Marks in `text` and at its end. */
  #marks: Mark[] = [];

  /** Whether all of the input has been read. */
  protected abstract readonly ended: boolean;

  /** Reads some of the input. */
  protected abstract read(): void;

  protected addPause(seconds: number, endsParagraph = false): void {
    this.#pause = { seconds, endsParagraph };
  }

  protected addPronunciation(pronunciation: Pronunciation): void {
    this.#pronunciations.push(pronunciation);
  }

  protected addMark(name: string): void {
    this.#marks.push({ index: this.text.length, name });
  }

  /** Whether `text` ends here: at a pause or the end of the input. */
  get complete(): boolean {
    return this.#pause !== undefined || this.ended;
  }

  /** The pause after `text`; undefined at the end of the input. */
  takePause(): Pause | undefined {
    const pause = this.#pause;
    this.#pause = undefined;
    return pause;
  }

  /** Removes and returns the marks. */
  takeMarks(): Mark[] {
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }

  /** Reads until `text` has that many characters, or is complete. */
  fill(characters: number): void {
    this.#skipWhitespace();
    while (this.text.length < characters && !this.complete) {
      const wasEmpty = this.text === '';
      this.read();
      // Matching a string just appended to costs its whole length, so only match if needed.
      if (wasEmpty) this.#skipWhitespace();
    }
  }

  /** Removes and returns the first `end` characters of `text`, with the marks before them. */
  take(end: number): { text: string; pronunciations: Pronunciation[]; marks: Mark[] } {
    const text = this.text.slice(0, end);
    const pronunciations = this.#pronunciations.filter(({ index }) => index < end);
    const marks = this.#marks.filter(({ index }) => index < end);
    this.#marks = this.#marks.filter(({ index }) => index >= end);
    this.#drop(end);
    return { text, pronunciations, marks };
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
    this.#marks = this.#marks.map(({ index, name }) => ({ index: Math.max(0, index - end), name }));
  }
}
