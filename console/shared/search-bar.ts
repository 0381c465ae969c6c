import { byId, passFocus } from './dom.ts';
import { findAll, type Match } from './search.ts';

/** Texts that a search bar finds and replaces in. */
export interface SearchedTexts {
  /** None if there is nothing to search. */
  readonly texts: readonly string[];
  /** Marks the matches and the current one, as far as they are in view. */
  highlight(matches: readonly Match[], current: Match | undefined): void;
  reveal(match: Match): void;
  /** Replaces one match. */
  replace(match: Match, replacement: string): void;
  /** Replaces all matches. Resolves to false if the texts have changed meanwhile, and are left as they are. */
  replaceAll(matches: readonly Match[], query: string, replacement: string): Promise<boolean>;
}

/** The fields and buttons that find and replace. */
export class SearchBar {
  readonly #search = byId('search', HTMLInputElement);
  readonly #count = byId('search-count', HTMLElement);
  readonly #replacement = byId('replacement', HTMLInputElement);
  readonly #texts: SearchedTexts;
  #matches: Match[] = [];
  #match = -1;

  constructor(texts: SearchedTexts) {
    this.#texts = texts;
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
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#replace();
    });
    byId('replace', HTMLButtonElement).addEventListener('click', () => this.#replace());
    byId('replace-all', HTMLButtonElement).addEventListener('click', () => void this.#replaceAll());
  }

  set isEnabled(isEnabled: boolean) {
    this.#search.disabled = !isEnabled;
    this.refresh();
  }

  /** Finds again, after a text has changed. */
  refresh(): void {
    const { value } = this.#search;
    this.#matches = value.trim() === '' || this.#search.disabled ? [] : findAll(this.#texts.texts, value);
    this.#match = Math.min(this.#match, this.#matches.length - 1);
    for (const id of ['replace', 'replace-all']) {
      const button = byId(id, HTMLButtonElement);
      if (this.#matches.length === 0) passFocus(button, this.#search);
      button.disabled = this.#matches.length === 0;
    }
    this.#showCount();
    this.highlight();
  }

  highlight(): void {
    this.#texts.highlight(this.#matches, this.#matches[this.#match]);
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
    if (match) this.#texts.reveal(match);
    this.#showCount();
    this.highlight();
  }

  #replace(): void {
    const match = this.#matches[this.#match] ?? this.#matches[0];
    if (!match) return;
    const at = Math.max(0, this.#match);
    this.#texts.replace(match, this.#replacement.value);
    this.refresh();
    // The replacement may match too: go on after it.
    const after = this.#matches.findIndex(
      ({ text, from }) =>
        text > match.text || (text === match.text && from >= match.from + this.#replacement.value.length),
    );
    this.#goTo(after >= 0 ? after : at);
  }

  async #replaceAll(): Promise<void> {
    const matches = this.#matches;
    const isReplaced = await this.#texts.replaceAll(matches, this.#search.value, this.#replacement.value);
    if (!isReplaced) return;
    this.refresh();
    this.#count.textContent = `${matches.length} replaced`;
  }
}
