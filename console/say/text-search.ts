import { byId } from '../shared/dom.ts';
import { type Match, replaceIn } from '../shared/search.ts';
import { SearchBar, type SearchedTexts } from '../shared/search-bar.ts';
import { AreaMirror, replaceInArea } from './area-mirror.ts';

/** A text that is searched. */
export interface SearchedText {
  text: string;
  /** Shows its text area, if it has one. */
  open: () => HTMLTextAreaElement | undefined;
  /** Its text area, if it is on the page. */
  area: HTMLTextAreaElement | undefined;
  /** Sets a text that is in no text area. */
  set: (text: string) => void;
}

/** Finds and replaces in what is spoken: the text, all lines of a dialogue, all chapters of a book. */
export class TextSearch implements SearchedTexts {
  readonly #bar: SearchBar;
  readonly #mirror = new AreaMirror();
  readonly #source: () => SearchedText[];
  readonly #box = byId('search-bar', HTMLElement);
  readonly #toggle = byId('search-open', HTMLButtonElement);

  constructor(source: () => SearchedText[]) {
    this.#source = source;
    this.#bar = new SearchBar(this);
    this.#toggle.addEventListener('click', () => this.#show(this.#box.hidden === true));
    this.#box.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.#show(false);
      this.#toggle.focus();
    });
  }

  /** Call it when a text has changed. */
  refresh(): void {
    if (!this.#box.hidden) this.#bar.refresh();
  }

  get texts(): readonly string[] {
    return this.#source().map(({ text }) => text);
  }

  highlight(matches: readonly Match[], current: Match | undefined): void {
    if (!('highlights' in CSS)) return;
    for (const name of ['found', 'match']) CSS.highlights.delete(name);
    const sources = this.#source();
    const index = current?.text ?? matches.find(({ text }) => sources[text]?.area)?.text;
    this.#mirror.show(index === undefined ? undefined : sources[index]?.area);
    const ranges = matches
      .filter((match) => match.text === index && match !== current)
      .flatMap((match) => this.#mirror.range(match) ?? []);
    CSS.highlights.set('found', new Highlight(...ranges));
    const range = current && this.#mirror.range(current);
    if (range) CSS.highlights.set('match', new Highlight(range));
  }

  reveal(match: Match): void {
    const area = this.#source()[match.text]?.open();
    this.#mirror.show(area);
    area?.scrollIntoView({ block: 'nearest' });
    this.#mirror.reveal(match);
  }

  replace({ text: index, from, to }: Match, replacement: string): void {
    const source = this.#source()[index];
    if (!source) return;
    if (source.area) replaceInArea(source.area, from, to, replacement);
    else source.set(source.text.slice(0, from) + replacement + source.text.slice(to));
  }

  async replaceAll(matches: readonly Match[], query: string, replacement: string): Promise<boolean> {
    const sources = this.#source();
    for (const index of new Set(matches.map(({ text }) => text))) {
      const source = sources[index]!;
      const text = replaceIn(source.text, query, replacement);
      if (source.area) replaceInArea(source.area, 0, source.text.length, text);
      else source.set(text);
    }
    return true;
  }

  #show(isOpen: boolean): void {
    this.#box.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
    this.#bar.isEnabled = isOpen;
    if (isOpen) byId('search', HTMLInputElement).select();
  }
}
