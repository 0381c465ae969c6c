import type { TextPart } from '../types.ts';
import type { Position } from './xml.ts';

interface Located {
  value: string;
  position: Position;
}

/** How a stretch of a document is spoken. Undefined settings are those of the request. */
export interface Way {
  voice?: Located | undefined;
  /** A language tag; `isExact`: its accent also applies to a voice of the same language. */
  language?: (Located & { isExact: boolean }) | undefined;
  /** Factors of the speed and the volume of the request, and where they were set last. */
  rate: number;
  volume: number;
  position?: Position;
}

/** A stretch of a document that is spoken in one way. */
export interface SsmlPassage {
  parts: TextPart[];
  way: Way;
}

/** Collects the parts of a document into passages: a change of settings begins a new one. */
export class PassageList {
  readonly #passages: SsmlPassage[] = [];
  /** Text that is not a part yet. */
  #text: string[] = [];
  /** Marks before the next part. */
  #marks: { name: string; way: Way }[] = [];

  /** Whitespace belongs to the text before it, also before a mark: the mark belongs to the next word. */
  addText(text: string, way: Way): void {
    const [space] = /^[ \t\r\n]*/.exec(text)!;
    if (space !== '' && this.#passages.length > 0) this.#text.push(space);
    if (space === text) return;
    this.#passage(way);
    this.#text.push(text.slice(space.length));
  }

  /** A pause belongs to the passage before it: silence sounds the same in all. */
  add(part: TextPart, way: Way): void {
    const last = this.#passages.at(-1);
    const isEnd = part.type === 'pause' && part.seconds === 0;
    if (isEnd && this.#text.length === 0 && this.#marks.length === 0 && endsSentence(last)) {
      const before = last?.parts.at(-1);
      if (part.endsParagraph && before?.type === 'pause') last!.parts.splice(-1, 1, { ...before, endsParagraph: true });
      return;
    }
    const { parts } = part.type === 'pause' && last ? this.#withMarks(last) : this.#passage(way);
    this.#endText();
    parts.push(part);
  }

  addMark(name: string, way: Way): void {
    this.#marks.push({ name, way });
  }

  /** All passages. */
  end(): SsmlPassage[] {
    const way = this.#marks[0]?.way;
    if (way) this.#withMarks(this.#passages.at(-1) ?? this.#passage(way));
    this.#endText();
    return this.#passages;
  }

  /** The passage for the next part. */
  #passage(way: Way): SsmlPassage {
    const last = this.#passages.at(-1);
    if (last && isSame(last.way, way)) return this.#withMarks(last);
    this.#endText();
    const passage = { parts: [], way };
    this.#passages.push(passage);
    return this.#withMarks(passage);
  }

  #withMarks(passage: SsmlPassage): SsmlPassage {
    if (this.#marks.length === 0) return passage;
    this.#endText();
    for (const { name } of this.#marks) passage.parts.push({ type: 'mark', name });
    this.#marks = [];
    return passage;
  }

  #endText(): void {
    if (this.#text.length === 0) return;
    const text = this.#text.join('').replace(/[ \t\r\n]+/g, ' ');
    this.#text = [];
    this.#passages.at(-1)!.parts.push({ type: 'text', text });
  }
}

/** Whether nothing follows the end of a sentence. */
function endsSentence(passage: SsmlPassage | undefined): boolean {
  return passage === undefined || passage.parts.at(-1)?.type === 'pause';
}

function isSame(one: Way, other: Way): boolean {
  return (
    one.voice?.value === other.voice?.value &&
    one.language?.value === other.language?.value &&
    one.language?.isExact === other.language?.isExact &&
    one.rate === other.rate &&
    one.volume === other.volume
  );
}
