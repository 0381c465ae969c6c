import { byId, element } from '../shared/dom.ts';
import { nextTask } from '../shared/slices.ts';

/** Lines in one block of the page, which is laid out only when it comes into view. */
const LINES_PER_BLOCK = 50;
const BLOCKS_PER_TASK = 12;
/** Longer lines are shown in pieces: the whole text may be one. */
const MAX_LINE = 4000;

/** Shows a transcript in one of its formats, however long it is. */
export class PlainView {
  readonly #frame = byId('plain-frame', HTMLElement);
  readonly #text = byId('plain', HTMLElement);
  #shown = '';
  #version = 0;

  set isShown(isShown: boolean) {
    this.#frame.hidden = !isShown;
  }

  async show(text: string): Promise<void> {
    if (text === this.#shown) return;
    this.#shown = text;
    const version = ++this.#version;
    this.#text.replaceChildren();
    const lines = text.split('\n').flatMap(pieces);
    for (let from = 0; from < lines.length; ) {
      const blocks: HTMLElement[] = [];
      for (; blocks.length < BLOCKS_PER_TASK && from < lines.length; from += LINES_PER_BLOCK) {
        const content = lines.slice(from, from + LINES_PER_BLOCK).join('\n');
        blocks.push(element('span', { className: 'block' }, `${content}\n`));
      }
      this.#text.append(...blocks);
      await nextTask();
      if (version !== this.#version) return;
    }
  }
}

/** A line in pieces, cut at spaces if there are any. */
function pieces(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  return line.match(new RegExp(`.{1,${MAX_LINE}}(?:\\s|$)|.{1,${MAX_LINE}}`, 'gu')) ?? [];
}
