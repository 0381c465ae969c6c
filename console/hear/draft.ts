import { type Line, linesOf, transcriptOf } from './lines.ts';
import type { Transcript } from './transcript.ts';

/** Replaces `removed` lines at an index by others. */
export interface Splice {
  at: number;
  removed: readonly Line[];
  inserted: readonly Line[];
}

/** Splices that are undone together, in the order in which they were made. */
type Change = readonly Splice[];

/** A transcript that is being edited, with undo. */
export class Draft {
  readonly #original: Transcript;
  readonly #lines: Line[];
  readonly #onChange: (splice: Splice) => void;
  #undo: Change[] = [];
  #redo: Change[] = [];

  /** @param onChange called after each splice, also of undo and redo */
  constructor(original: Transcript, onChange: (splice: Splice) => void) {
    this.#original = original;
    this.#lines = linesOf(original);
    this.#onChange = onChange;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** The transcript as it is now. */
  get transcript(): Transcript {
    return transcriptOf(this.#original, this.#lines);
  }

  /** Replaces lines by others. */
  replace(at: number, count: number, inserted: readonly Line[]): void {
    this.replaceAll([{ at, count, inserted }]);
  }

  /** Makes several replacements as one change; each index is that after the replacements before it. */
  replaceAll(replacements: readonly { at: number; count: number; inserted: readonly Line[] }[]): void {
    const change = replacements.map(({ at, count, inserted }) =>
      this.#apply({ at, removed: this.#lines.slice(at, at + count), inserted }),
    );
    if (change.length === 0) return;
    this.#undo.push(change);
    this.#redo = [];
  }

  /** Undoes the last change; returns the index of a line that it affected, or undefined if there is nothing to undo. */
  undo(): number | undefined {
    const change = this.#undo.pop();
    if (!change) return undefined;
    for (const { at, removed, inserted } of change.toReversed())
      this.#apply({ at, removed: inserted, inserted: removed });
    this.#redo.push(change);
    return change[0]!.at;
  }

  /** Redoes the change that was undone last; returns like `undo`. */
  redo(): number | undefined {
    const change = this.#redo.pop();
    if (!change) return undefined;
    for (const splice of change) this.#apply(splice);
    this.#undo.push(change);
    return change[0]!.at;
  }

  #apply(splice: Splice): Splice {
    this.#lines.splice(splice.at, splice.removed.length, ...splice.inserted);
    this.#onChange(splice);
    return splice;
  }
}
