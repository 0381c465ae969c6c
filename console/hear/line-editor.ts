import type { Draft } from './draft.ts';
import type { LineList } from './line-list.ts';
import type { LineRow } from './line-row.ts';
import { joined, retimed, split } from './retime.ts';

/** Typing becomes one change after this pause. */
const COMMIT_DELAY_MS = 800;

/**
 * Edits the lines of a draft in place. Enter splits a line; Backspace at its start and Delete at its end join two; words
 * keep their times.
 */
export class LineEditor {
  readonly #list: LineList;
  readonly #onToggle: () => void;
  #draft: Draft | undefined;
  #isOn = false;
  #edited: LineRow | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onToggle plays or pauses */
  constructor(list: LineList, onToggle: () => void) {
    this.#list = list;
    this.#onToggle = onToggle;
    list.box.addEventListener('input', ({ target }) => this.#onInput(list.rowOf(target)));
    list.box.addEventListener('focusout', () => this.commit());
    list.box.addEventListener('keydown', (event) => this.#onKey(event));
    list.box.addEventListener('beforeinput', (event) => {
      // The browser knows nothing of the changes to other lines.
      if (!event.inputType.startsWith('history')) return;
      event.preventDefault();
      if (event.inputType === 'historyUndo') this.undo();
      else this.redo();
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(isOn: boolean) {
    this.commit();
    this.#isOn = isOn;
    for (const row of this.#list.rows) row.isEditable = false;
    for (const row of this.#list.shown) this.prepare(row);
  }

  set draft(draft: Draft | undefined) {
    this.commit();
    this.#draft = draft;
  }

  /** Makes a row that came into view editable, or its words clickable. */
  prepare(row: LineRow): void {
    if (row === this.#edited) return;
    row.isEditable = this.#isOn;
    void row.words;
  }

  /** Commits the typed text as a change. */
  commit(): void {
    clearTimeout(this.#timer);
    const row = this.#edited;
    this.#edited = undefined;
    if (!row || !this.#draft) return;
    const index = this.#list.indexOf(row);
    if (index < 0) return;
    const line = retimed(this.#draft.lines[index]!, textOf(row));
    if (line !== this.#draft.lines[index]) {
      const place = caret(row);
      this.#draft.replace(index, 1, [line]);
      if (place !== undefined) this.#placeCaret(index, Math.min(place, line.text.length));
    }
  }

  undo(): void {
    this.commit();
    this.#goTo(this.#draft?.undo());
  }

  redo(): void {
    this.commit();
    this.#goTo(this.#draft?.redo());
  }

  #onInput(row: LineRow | undefined): void {
    if (!row) return;
    if (this.#edited !== row) this.commit();
    this.#edited = row;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.commit(), COMMIT_DELAY_MS);
  }

  #onKey(event: KeyboardEvent): void {
    const row = this.#list.rowOf(event.target);
    if (!this.#isOn || !row || event.target !== row.paragraph || event.isComposing) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (hasModifier && key === 'enter') this.#onToggle();
    else if (hasModifier && key === 'z') event.shiftKey ? this.redo() : this.undo();
    else if (hasModifier && key === 'y') this.redo();
    else if (key === 'enter') this.#split(row);
    else if (key === 'escape') row.paragraph.blur();
    else if (key === 'backspace' && getSelection()?.isCollapsed && caret(row) === 0) this.#join(row, -1);
    else if (key === 'delete' && getSelection()?.isCollapsed && caret(row) === textOf(row).length) this.#join(row, 1);
    else return;
    event.preventDefault();
  }

  #split(row: LineRow): void {
    const typed = textOf(row);
    const place = caret(row) ?? 0;
    // What was typed is committed without double and outer spaces.
    const offset = typed.slice(0, place).trimStart().replace(/\s+/g, ' ').length;
    this.commit();
    const index = this.#list.indexOf(row);
    const line = this.#draft?.lines[index];
    if (!line || offset <= 0 || offset >= line.text.length) return;
    this.#draft!.replace(index, 1, split(line, offset));
    this.#placeCaret(index + 1, 0);
  }

  #join(row: LineRow, step: 1 | -1): void {
    this.commit();
    const at = this.#list.indexOf(row);
    const index = step === 1 ? at : at - 1;
    const [first, second] = [this.#draft?.lines[index], this.#draft?.lines[index + 1]];
    if (!first || !second) return;
    const line = joined(first, second);
    this.#draft!.replace(index, 2, [line]);
    this.#placeCaret(index, line.text.length - second.text.length);
  }

  #goTo(index: number | undefined): void {
    const row = index === undefined ? undefined : this.#list.rows[index];
    if (!row) return;
    row.element.scrollIntoView({ block: 'nearest' });
    if (this.#isOn) this.#placeCaret(index!, row.line.text.length);
  }

  #placeCaret(index: number, offset: number): void {
    const row = this.#list.rows[index];
    if (!row) return;
    row.isEditable = this.#isOn;
    row.paragraph.focus({ preventScroll: true });
    const selection = getSelection();
    if (row.line.text === '') selection?.collapse(row.paragraph, 0);
    else {
      const range = row.range(Math.max(0, offset - 1), Math.max(1, offset));
      if (offset === 0) selection?.collapse(range.startContainer, range.startOffset);
      else selection?.collapse(range.endContainer, range.endOffset);
    }
  }
}

const textOf = ({ paragraph }: LineRow) => paragraph.textContent ?? '';

/** Offset of the caret in a row; undefined if it is elsewhere, or if the row has lost the focus. */
function caret({ paragraph }: LineRow): number | undefined {
  if (document.activeElement !== paragraph) return undefined;
  const selection = getSelection();
  const { focusNode, focusOffset } = selection ?? { focusNode: null, focusOffset: 0 };
  if (!focusNode || !paragraph.contains(focusNode)) return undefined;
  const range = new Range();
  range.setStart(paragraph, 0);
  range.setEnd(focusNode, focusOffset);
  return range.toString().length;
}
