import { byId } from '../shared/dom.ts';
import { reveal } from '../shared/reveal.ts';
import { nextTask } from '../shared/slices.ts';
import { LineRow } from './line-row.ts';
import type { Line } from './lines.ts';

/** Rows added in one task. */
const ROWS_PER_TASK = 100;
/** Delay before a row is prepared, so that rows that only scroll past are not. */
const SETTLE_MS = 80;

/** The lines of a transcript on the page. Long ones are added over several tasks. */
export class LineList {
  readonly box = byId('transcript', HTMLElement);
  readonly #player = byId('player', HTMLElement);
  readonly #rowOf = new WeakMap<Element, LineRow>();
  readonly #shown = new Set<LineRow>();
  readonly #observer: IntersectionObserver;
  readonly #onShown: (row: LineRow) => void;
  #rows: LineRow[] = [];
  /** Added lines that have no row yet. */
  #pending: Line[] = [];
  #isAdding = false;
  #isAtEnd = true;
  #settling: ReturnType<typeof setTimeout> | undefined;

  /** @param onShown called when a row has come into view, or near it, and when its line has changed there */
  constructor(onShown: (row: LineRow) => void) {
    this.#onShown = onShown;
    this.#observer = new IntersectionObserver((entries) => this.#onIntersection(entries), {
      root: this.box,
      rootMargin: '100px',
    });
    // Known from here on without a layout.
    this.box.addEventListener(
      'scroll',
      () => {
        this.#isAtEnd = this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < 40;
      },
      { passive: true },
    );
  }

  get rows(): readonly LineRow[] {
    return this.#rows;
  }

  /** Rows in view, or near it. */
  get shown(): Iterable<LineRow> {
    return this.#shown;
  }

  rowOf(target: EventTarget | null): LineRow | undefined {
    const found = target instanceof Element ? target.closest('.segment') : null;
    return found ? this.#rowOf.get(found) : undefined;
  }

  indexOf(row: LineRow): number {
    return this.#rows.indexOf(row);
  }

  /** Scrolls to a part of a line unless it is in view. */
  reveal(part: Element | Range): void {
    // On a phone, the player lies over the end of the box.
    const isFixed = getComputedStyle(this.#player).position === 'fixed' && !this.#player.hidden;
    reveal(this.box, part, isFixed ? this.#player.getBoundingClientRect().top : undefined);
  }

  clear(): void {
    this.#observer.disconnect();
    this.#shown.clear();
    this.#rows = [];
    this.#pending = [];
    this.#isAtEnd = true;
    this.box.replaceChildren();
  }

  /** Appends lines; scrolls with them if the end is in view. */
  append(lines: readonly Line[]): void {
    this.#pending.push(...lines);
    if (!this.#isAdding) void this.#addPending(true);
  }

  /** Shows the lines of a growing text: rows are kept and extended. */
  grow(lines: readonly Line[]): void {
    for (const row of this.#rows.splice(lines.length)) this.#forget(row);
    for (const [index, row] of this.#rows.entries()) if (!isShownAs(row.line, lines[index])) row.line = lines[index]!;
    this.#pending = lines.slice(this.#rows.length);
    if (this.#pending.length > 0 && !this.#isAdding) void this.#addPending(true);
    else if (this.#isAtEnd) this.box.scrollTop = this.box.scrollHeight;
  }

  /** Shows the lines; rows that already have their text stay. */
  async set(lines: readonly Line[]): Promise<void> {
    this.#pending = [];
    let same = 0;
    while (same < this.#rows.length && isShownAs(this.#rows[same]!.line, lines[same])) {
      this.#rows[same]!.line = lines[same]!;
      same++;
    }
    for (const row of this.#rows.splice(same)) this.#forget(row);
    this.#showNames(0, same);
    for (const row of this.#shown) this.#onShown(row);
    this.#pending = lines.slice(same);
    await this.#addPending(false);
  }

  splice(at: number, removed: number, lines: readonly Line[]): void {
    const kept = Math.min(removed, lines.length);
    for (let i = 0; i < kept; i++) {
      const row = this.#rows[at + i]!;
      row.line = lines[i]!;
      if (this.#shown.has(row)) this.#onShown(row);
    }
    for (const row of this.#rows.splice(at + kept, removed - kept)) this.#forget(row);
    const added = lines.slice(kept).map((line) => this.#newRow(line));
    const next = this.#rows[at + kept]?.element ?? null;
    for (const row of added) this.box.insertBefore(row.element, next);
    this.#rows.splice(at + kept, 0, ...added);
    this.#showNames(at, at + lines.length + 1);
    // The observer only tells after the next frame.
    for (const row of added) this.#onShown(row);
  }

  /** Shows the names of speakers above the rows where they begin. */
  #showNames(from: number, to: number): void {
    for (const [index, row] of this.#rows.slice(from, to).entries()) {
      const { speaker } = row.line;
      const isSame = this.#rows[from + index - 1]?.line.speaker === speaker;
      row.heading = isSame ? undefined : (speaker ?? 'No name');
    }
  }

  #forget(row: LineRow): void {
    this.#observer.unobserve(row.element);
    this.#shown.delete(row);
    row.element.remove();
  }

  #newRow(line: Line): LineRow {
    const row = new LineRow(line);
    this.#rowOf.set(row.element, row);
    this.#observer.observe(row.element);
    return row;
  }

  async #addPending(follow: boolean): Promise<void> {
    if (this.#isAdding) return;
    this.#isAdding = true;
    // Lines that arrive together are added together.
    if (follow) await new Promise((resolve) => setTimeout(resolve, 30));
    while (this.#pending.length > 0) {
      const rows = this.#pending.splice(0, ROWS_PER_TASK).map((line) => this.#newRow(line));
      const from = this.#rows.length;
      this.#rows.push(...rows);
      this.#showNames(from, this.#rows.length);
      const fragment = document.createDocumentFragment();
      fragment.append(...rows.map((row) => row.element));
      this.box.append(fragment);
      if (follow && this.#isAtEnd) this.box.scrollTop = this.box.scrollHeight;
      await nextTask();
    }
    this.#isAdding = false;
  }

  #onIntersection(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const row = this.#rowOf.get(target);
      if (!row) continue;
      if (isIntersecting) this.#shown.add(row);
      else this.#shown.delete(row);
    }
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      for (const row of this.#shown) this.#onShown(row);
    }, SETTLE_MS);
  }
}

/** Whether a line can take the row of another one. */
function isShownAs(shown: Line, line: Line | undefined): boolean {
  return line !== undefined && line.text === shown.text && line.start === shown.start;
}
