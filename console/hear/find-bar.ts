import type { Steps } from '../../src/hear/transcript/steps.ts';
import { byId } from '../shared/dom.ts';
import { runInSlices } from '../shared/slices.ts';
import type { Draft } from './draft.ts';
import { reveal } from './follower.ts';
import type { LineList } from './line-list.ts';
import type { LineRow } from './line-row.ts';
import type { Line } from './lines.ts';
import { retimed } from './retime.ts';
import { findAll, type Match, replaceIn } from './search.ts';

/** Finds and replaces in a transcript. Only the matches in view are highlighted: there may be thousands. */
export class FindBar {
  readonly #search = byId('search', HTMLInputElement);
  readonly #count = byId('search-count', HTMLElement);
  readonly #replacement = byId('replacement', HTMLInputElement);
  readonly #list: LineList;
  #draft: Draft | undefined;
  #matches: Match[] = [];
  #match = -1;

  constructor(list: LineList) {
    this.#list = list;
    this.#search.addEventListener('input', () => {
      this.refresh();
      this.#goTo(0);
    });
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#goTo(this.#match + (event.shiftKey ? -1 : 1));
    });
    this.#replacement.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#replace();
    });
    byId('replace', HTMLButtonElement).addEventListener('click', () => this.#replace());
    byId('replace-all', HTMLButtonElement).addEventListener('click', () => void this.#replaceAll());
  }

  set draft(draft: Draft | undefined) {
    this.#draft = draft;
    this.#search.disabled = draft === undefined;
    this.refresh();
  }

  /** Finds again, after the text has changed. */
  refresh(): void {
    const { value } = this.#search;
    this.#matches =
      value.trim() === ''
        ? []
        : findAll(
            (this.#draft?.lines ?? []).map(({ text }) => text),
            value,
          );
    this.#match = Math.min(this.#match, this.#matches.length - 1);
    for (const id of ['replace', 'replace-all']) byId(id, HTMLButtonElement).disabled = this.#matches.length === 0;
    this.#showCount();
    this.highlight();
  }

  /** Highlights the matches in view. */
  highlight(): void {
    if (!('highlights' in CSS)) return;
    for (const name of ['found', 'match']) CSS.highlights.delete(name);
    if (this.#matches.length === 0) return;
    const rows = new Map<LineRow, number>();
    for (const row of this.#list.shown) rows.set(row, this.#list.indexOf(row));
    const indexes = new Map([...rows].map(([row, index]) => [index, row]));
    const found = new Highlight();
    for (const match of this.#matches) {
      const row = indexes.get(match.text);
      if (row) found.add(row.range(match.from, match.to));
    }
    CSS.highlights.set('found', found);
    const current = this.#matches[this.#match];
    const row = current && this.#list.rows[current.text];
    if (row) CSS.highlights.set('match', new Highlight(row.range(current.from, current.to)));
  }

  #showCount(): void {
    const { length } = this.#matches;
    const isEmpty = this.#search.value.trim() === '';
    this.#count.textContent = isEmpty ? '' : length === 0 ? 'Not found' : `${this.#match + 1} of ${length}`;
  }

  #goTo(index: number): void {
    const { length } = this.#matches;
    this.#match = length === 0 ? -1 : (index + length) % length;
    const match = this.#matches[this.#match];
    const row = match && this.#list.rows[match.text];
    if (row) reveal(this.#list.box, row.range(match.from, match.to));
    this.#showCount();
    this.highlight();
  }

  #replace(): void {
    const match = this.#matches[this.#match] ?? this.#matches[0];
    const line = match && this.#draft?.lines[match.text];
    if (!line) return;
    const text = line.text.slice(0, match.from) + this.#replacement.value + line.text.slice(match.to);
    const at = Math.max(0, this.#match);
    this.#draft!.replace(match.text, 1, [retimed(line, text)]);
    this.refresh();
    // The replacement may match too: go on after it.
    const after = this.#matches.findIndex(
      ({ text: index, from }) =>
        index > match.text || (index === match.text && from >= match.from + this.#replacement.value.length),
    );
    this.#goTo(after >= 0 ? after : at);
  }

  async #replaceAll(): Promise<void> {
    const draft = this.#draft;
    if (!draft) return;
    const matches = this.#matches;
    const lines = new Map(matches.map(({ text }) => [text, draft.lines[text]!]));
    const replaced = await runInSlices(replaceSteps(lines, this.#search.value, this.#replacement.value));
    // Lines may have been edited meanwhile.
    if (this.#draft !== draft || [...lines].some(([at, line]) => draft.lines[at] !== line)) return;
    draft.replaceAll([...replaced].map(([at, line]) => ({ at, count: 1, inserted: [line] })));
    this.refresh();
    this.#count.textContent = `${matches.length} replaced`;
  }
}

/** The lines, by index, with all matches of a query replaced. */
function* replaceSteps(
  lines: ReadonlyMap<number, Line>,
  query: string,
  replacement: string,
): Steps<ReadonlyMap<number, Line>> {
  const replaced = new Map<number, Line>();
  for (const [at, line] of lines) {
    replaced.set(at, retimed(line, replaceIn(line.text, query, replacement)));
    yield;
  }
  return replaced;
}
