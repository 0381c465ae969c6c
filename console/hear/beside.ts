import { wordAt } from '../shared/word-at.ts';
import type { LineList } from './line-list.ts';
import type { LineRow } from './line-row.ts';
import type { Line } from './lines.ts';
import type { Transcript } from './transcript.ts';

/** Shows a translation next to the lines of a transcript. Only rows in view get their text: there may be thousands. */
export class Beside {
  readonly #list: LineList;
  #lines: readonly Line[] = [];
  #segments: Transcript['segments'] | undefined;
  #texts: ReadonlyMap<Line, string> = new Map();

  constructor(list: LineList) {
    this.#list = list;
  }

  /** Sets the lines; call it again after each change. */
  set lines(lines: readonly Line[]) {
    this.#lines = lines;
    this.#show();
  }

  /** The translation; undefined shows none. */
  set segments(segments: Transcript['segments'] | undefined) {
    this.#segments = segments;
    this.#show();
  }

  /** Gives a row the translation of its line. */
  prepare(row: LineRow): void {
    row.translation = this.#segments && (this.#texts.get(row.line) ?? '');
  }

  #show(): void {
    this.#texts = aligned(this.#lines, this.#segments ?? []);
    this.#list.box.classList.toggle('beside', this.#segments !== undefined);
    for (const row of this.#list.shown) this.prepare(row);
  }
}

/** The text to show next to each line. A segment belongs to the line spoken halfway through the segment. */
export function aligned(lines: readonly Line[], segments: Transcript['segments']): Map<Line, string> {
  const texts = new Map<Line, string>();
  for (const { start, end, text } of segments) {
    const line = lines[Math.max(0, wordAt(lines, (start + end) / 2))];
    if (!line) break;
    texts.set(line, `${texts.get(line) ?? ''} ${text.trim()}`.trim());
  }
  return texts;
}
