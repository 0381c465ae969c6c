import type { Steps } from '../../src/hear/transcript/steps.ts';
import { type Match, replaceIn } from '../shared/search.ts';
import { SearchBar, type SearchedTexts } from '../shared/search-bar.ts';
import { runInSlices } from '../shared/slices.ts';
import type { Draft } from './draft.ts';
import type { LineList } from './line-list.ts';
import type { LineRow } from './line-row.ts';
import type { Line } from './lines.ts';
import { retimed } from './retime.ts';

/** Finds and replaces in a transcript. Only the matches in view are highlighted: there may be thousands. */
export class FindBar implements SearchedTexts {
  readonly #list: LineList;
  readonly #bar: SearchBar;
  #draft: Draft | undefined;

  constructor(list: LineList) {
    this.#list = list;
    this.#bar = new SearchBar(this);
  }

  set draft(draft: Draft | undefined) {
    this.#draft = draft;
    this.#bar.isEnabled = draft !== undefined;
  }

  /** Finds again, after the text has changed. */
  refresh(): void {
    this.#bar.refresh();
  }

  /** Highlights the matches in view. */
  highlightShown(): void {
    this.#bar.highlight();
  }

  get texts(): readonly string[] {
    return (this.#draft?.lines ?? []).map(({ text }) => text);
  }

  highlight(matches: readonly Match[], current: Match | undefined): void {
    if (!('highlights' in CSS)) return;
    for (const name of ['found', 'match']) CSS.highlights.delete(name);
    if (matches.length === 0) return;
    const rows = new Map<number, LineRow>([...this.#list.shown].map((row) => [this.#list.indexOf(row), row]));
    const found = new Highlight();
    for (const match of matches) {
      const row = rows.get(match.text);
      if (row) found.add(row.range(match.from, match.to));
    }
    CSS.highlights.set('found', found);
    const row = current && this.#list.rows[current.text];
    if (row) CSS.highlights.set('match', new Highlight(row.range(current.from, current.to)));
  }

  reveal(match: Match): void {
    const row = this.#list.rows[match.text];
    if (row) this.#list.reveal(row.range(match.from, match.to));
  }

  replace({ text: index, from, to }: Match, replacement: string): void {
    const line = this.#draft?.lines[index];
    if (!line) return;
    const text = line.text.slice(0, from) + replacement + line.text.slice(to);
    this.#draft!.replace(index, 1, [retimed(line, text)]);
  }

  async replaceAll(matches: readonly Match[], query: string, replacement: string): Promise<boolean> {
    const draft = this.#draft;
    if (!draft) return false;
    const lines = new Map(matches.map(({ text }) => [text, draft.lines[text]!]));
    const replaced = await runInSlices(replaceSteps(lines, query, replacement));
    // Lines may have been edited meanwhile.
    if (this.#draft !== draft || [...lines].some(([at, line]) => draft.lines[at] !== line)) return false;
    draft.replaceAll([...replaced].map(([at, line]) => ({ at, count: 1, inserted: [line] })));
    return true;
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
