import { element } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import { isUnsure, type Line } from './lines.ts';

/**
 * A line on the page. Its words become elements only when it comes into view: tens of thousands of elements would make
 * each layout slow.
 */
export class LineRow {
  readonly element: HTMLElement;
  readonly paragraph: HTMLElement;
  readonly #stamp: HTMLButtonElement;
  #line: Line;
  #spans: HTMLElement[] | undefined;
  #isEditable = false;
  #translation: HTMLElement | undefined;
  #heading: string | undefined;
  #speaker: HTMLButtonElement | undefined;

  constructor(line: Line) {
    this.#line = line;
    this.#stamp = element('button', { type: 'button', className: 'stamp' });
    this.paragraph = element('p', { dir: 'auto' }, line.text);
    this.element = element('div', { className: 'segment' }, this.#stamp, this.paragraph);
    this.#showStart();
  }

  get line(): Line {
    return this.#line;
  }

  set line(line: Line) {
    const { text, start } = this.#line;
    this.#line = line;
    this.#spans = undefined;
    if (line.start !== start) this.#showStart();
    if (line.text !== text || this.paragraph.childElementCount > 0) this.paragraph.replaceChildren(line.text);
  }

  /** Elements of the words that have times, in order; makes them if need be. None while the text is edited. */
  get words(): readonly HTMLElement[] {
    if (this.#isEditable) return [];
    if (this.#spans) return this.#spans;
    const spans: HTMLElement[] = [];
    const children = this.#line.parts.map((part) => {
      if (!part.word) return part.text;
      const span = element('span', { className: 'word' }, part.text);
      span.dataset.start = String(part.word.start);
      if (isUnsure(part)) {
        span.classList.add('unsure');
        span.title = `Uncertain: ${Math.round(part.word.probability * 100)} %`;
      }
      spans.push(span);
      return span;
    });
    if (spans.length > 0) this.paragraph.replaceChildren(...children);
    this.#spans = spans;
    return spans;
  }

  /** The name above it, where another speaker begins; undefined for none. */
  set heading(heading: string | undefined) {
    if (heading === this.#heading) return;
    this.#heading = heading;
    this.#showSpeaker();
  }

  focusSpeaker(): void {
    this.#speaker?.focus({ preventScroll: true });
  }

  /** The text next to it; undefined for none. */
  set translation(text: string | undefined) {
    if (text === this.#translation?.textContent) return;
    this.#translation?.remove();
    this.#translation =
      text === undefined ? undefined : element('p', { className: 'translation', lang: 'en', dir: 'auto' }, text);
    if (this.#translation) this.element.append(this.#translation);
  }

  get isEditable(): boolean {
    return this.#isEditable;
  }

  /** Lets the text be edited; its words are plain text meanwhile. */
  set isEditable(isEditable: boolean) {
    const { paragraph } = this;
    // Asking the element would cost a layout.
    if (isEditable === this.#isEditable) return;
    this.#isEditable = isEditable;
    this.#showSpeaker();
    if (this.#spans) paragraph.replaceChildren(this.#line.text);
    this.#spans = undefined;
    if (!isEditable) {
      for (const name of ['contenteditable', 'role', 'aria-label']) paragraph.removeAttribute(name);
      return;
    }
    paragraph.setAttribute('contenteditable', 'plaintext-only');
    // Older Firefox knows no plain text here; only text is read back.
    if (paragraph.contentEditable !== 'plaintext-only') paragraph.setAttribute('contenteditable', 'true');
    paragraph.setAttribute('role', 'textbox');
    paragraph.setAttribute('aria-label', `Text at ${clock(this.#line.start)}`);
  }

  /** The range of a word that has a time. */
  wordRange(index: number): Range | undefined {
    let [at, words] = [0, 0];
    for (const { text, word } of this.#line.parts) {
      if (word && words++ === index) return this.range(at, at + text.length);
      at += text.length;
    }
    return undefined;
  }

  /** A range of its text. */
  range(from: number, to: number): Range {
    const range = new Range();
    const walker = document.createTreeWalker(this.paragraph, NodeFilter.SHOW_TEXT);
    let before = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { length } = node as Text;
      if (from >= before && from < before + length) range.setStart(node, from - before);
      if (to > before && to <= before + length) {
        range.setEnd(node, to - before);
        break;
      }
      before += length;
    }
    return range;
  }

  /** The name, or while editing a button for the details of the line. */
  #showSpeaker(): void {
    const heading = this.#heading;
    if (heading === undefined && !this.#isEditable) {
      this.#speaker?.remove();
      this.#speaker = undefined;
      return;
    }
    this.#speaker ??= element('button', { type: 'button' });
    this.#speaker.className = heading === undefined ? 'speaker unnamed' : 'speaker';
    this.#speaker.textContent = heading ?? 'Details';
    const label = heading === undefined ? `Details at ${clock(this.#line.start)}` : `Speaker: ${heading}`;
    this.#speaker.setAttribute('aria-label', label);
    if (heading === undefined) this.element.append(this.#speaker);
    else this.element.prepend(this.#speaker);
  }

  #showStart(): void {
    const { start } = this.#line;
    this.#stamp.textContent = clock(start);
    this.#stamp.setAttribute('aria-label', `Play from ${clock(start)}`);
    this.#stamp.dataset.start = String(start);
  }
}
