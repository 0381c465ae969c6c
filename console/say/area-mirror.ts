import { element } from '../shared/dom.ts';
import type { Match } from '../shared/search.ts';

/** Longer texts are not laid out a second time. */
const MAX_MIRRORED = 300_000;

/** Marks matches in a text area with a transparent copy of its text on top: a text area cannot mark ranges itself. */
export class AreaMirror {
  readonly #box = element('div', { className: 'mirror', dir: 'auto' });
  readonly #text = document.createTextNode('');
  readonly #resize = new ResizeObserver(() => this.#fit());
  readonly #onScroll = () => this.#scroll();
  #area: HTMLTextAreaElement | undefined;

  constructor() {
    this.#box.append(this.#text);
    this.#box.setAttribute('aria-hidden', 'true');
  }

  /** Puts the copy over a text area, or away. */
  show(area: HTMLTextAreaElement | undefined): void {
    const target = area && area.value.length <= MAX_MIRRORED ? area : undefined;
    if (target !== this.#area) {
      this.#resize.disconnect();
      this.#area?.removeEventListener('scroll', this.#onScroll);
      this.#box.remove();
      this.#area = target;
      if (!target) return;
      target.after(this.#box);
      this.#resize.observe(target);
      target.addEventListener('scroll', this.#onScroll);
    }
    if (!target) return;
    // The last line break of an element is not a line.
    const text = `${target.value}\u200b`;
    if (this.#text.data !== text) this.#text.data = text;
    this.#fit();
  }

  /** A range of the text; undefined if the area is not shown. */
  range({ from, to }: Match): Range | undefined {
    if (!this.#area || to > this.#text.length) return undefined;
    const range = new Range();
    range.setStart(this.#text, from);
    range.setEnd(this.#text, to);
    return range;
  }

  /** Scrolls the text area to a match. */
  reveal(match: Match): void {
    const range = this.range(match);
    if (!range || !this.#area) return;
    const top = range.getBoundingClientRect().top - this.#box.getBoundingClientRect().top;
    if (top < 0 || top > this.#area.clientHeight - 30) this.#area.scrollTop += top - this.#area.clientHeight / 3;
    this.#scroll();
  }

  #fit(): void {
    const area = this.#area;
    if (!area) return;
    const { offsetLeft, offsetTop, clientLeft, clientTop, clientWidth, clientHeight } = area;
    const { font, lineHeight, letterSpacing, padding, textAlign } = getComputedStyle(area);
    Object.assign(this.#box.style, {
      ...{ font, lineHeight, letterSpacing, padding, textAlign },
      left: `${offsetLeft + clientLeft}px`,
      top: `${offsetTop + clientTop}px`,
      width: `${clientWidth}px`,
      height: `${clientHeight}px`,
    });
    this.#scroll();
  }

  #scroll(): void {
    if (this.#area) this.#box.scrollTop = this.#area.scrollTop;
  }
}

/** Replaces a range of a text area so that undo works. Keeps the focus. */
export function replaceInArea(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
  const focused = document.activeElement;
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, to);
  const isDone = document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  if (!isDone) {
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (focused instanceof HTMLElement && focused !== area) focused.focus({ preventScroll: true });
}
