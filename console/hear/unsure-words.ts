import { byId } from '../shared/dom.ts';
import { notify } from '../shared/notice.ts';
import type { LineList } from './line-list.ts';
import { isUnsure, type Line, type TextPart } from './lines.ts';

/** Leads from one uncertain word to the next. */
export class UnsureWords {
  readonly #audio = byId('audio', HTMLAudioElement);
  readonly #button = byId('unsure', HTMLButtonElement);
  readonly #list: LineList;
  #lines: readonly Line[] = [];
  /** The word shown last, by its line and its index among the line's words with times. */
  #place = { line: -1, index: -1 };

  /** @param onGo called before the next one is looked for */
  constructor(list: LineList, onGo: () => void) {
    this.#list = list;
    this.#button.addEventListener('click', () => {
      onGo();
      this.#goToNext();
    });
  }

  /** Takes the lines, and again after each change. */
  set lines(lines: readonly Line[]) {
    this.#lines = lines;
    const count = lines.reduce((sum, { parts }) => sum + parts.filter(isUnsure).length, 0);
    this.#button.hidden = count === 0;
    this.#button.textContent = `Next unsure word (${count.toLocaleString('en')})`;
  }

  /** Begins at the first word again. */
  reset(): void {
    this.#place = { line: -1, index: -1 };
  }

  /** Underlines those in view if the text is edited: it has no elements for them. */
  highlight(isEditing: boolean): void {
    const unsure = new Highlight();
    for (const row of isEditing ? this.#list.shown : []) {
      for (const [index, part] of timedParts(row.line).entries()) {
        const range = isUnsure(part) ? row.wordRange(index) : undefined;
        if (range) unsure.add(range);
      }
    }
    CSS.highlights.set('unsure', unsure);
  }

  /** Shows the next one after the one shown last, and moves the playback there. */
  #goToNext(): void {
    const { length } = this.#lines;
    for (let step = 0; step <= length; step++) {
      const line = (Math.max(0, this.#place.line) + step) % length;
      const timed = timedParts(this.#lines[line]!);
      const after = step === 0 ? this.#place.index : -1;
      const index = timed.findIndex((part, place) => place > after && isUnsure(part));
      if (index < 0) continue;
      this.#place = { line, index };
      this.#show(timed[index]!.word!.start);
      return;
    }
  }

  #show(start: number): void {
    const row = this.#list.rows[this.#place.line];
    const word = row?.wordRange(this.#place.index);
    if (!row || !word) {
      notify('The transcript is still being shown.', { isTransient: true });
      return;
    }
    row.element.scrollIntoView({ block: 'nearest' });
    this.#list.reveal(word);
    if (row.isEditable) row.paragraph.focus({ preventScroll: true });
    getSelection()?.setBaseAndExtent(word.startContainer, word.startOffset, word.endContainer, word.endOffset);
    this.#audio.currentTime = start;
  }
}

const timedParts = ({ parts }: Line): TextPart[] => parts.filter(({ word }) => word);
