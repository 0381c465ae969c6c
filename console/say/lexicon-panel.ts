import { jsonBody, messageOf, requestJson } from '../shared/api.ts';
import { button, byId, element, removeRow } from '../shared/dom.ts';
import { notify } from '../shared/notice.ts';
import type { BrowserStorage, StoredRecord } from '../shared/storage.ts';

interface StoredLexicon extends StoredRecord {
  entries: [word: string, phonemes: string][];
}

const ID = 'lexicon';

/** Pronunciations that are sent with every speech. Each can be heard and edited. */
export class LexiconPanel {
  readonly #list = byId('lexicon', HTMLElement);
  readonly #word = byId('lexicon-word', HTMLInputElement);
  readonly #adding = byId('lexicon-add', HTMLButtonElement);
  readonly #storage: BrowserStorage;
  readonly #language: () => string;
  readonly #onHear: (word: string, phonemes: string) => void;
  #entries: [word: string, phonemes: string][] = [];

  /**
   * @param language letter of the language that a new word is pronounced in at first
   * @param onHear speaks a word by its phonemes
   */
  constructor(storage: BrowserStorage, language: () => string, onHear: (word: string, phonemes: string) => void) {
    this.#storage = storage;
    this.#language = language;
    this.#onHear = onHear;
    byId('lexicon-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#add();
    });
  }

  /** The field `lexicon` of a request; undefined if the list is empty. */
  get lexicon(): Record<string, string> | undefined {
    const entries = this.#entries.filter(([, phonemes]) => phonemes.trim() !== '');
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  async load(): Promise<void> {
    const stored = await this.#storage.get<StoredLexicon>('settings', ID).catch(() => undefined);
    if (stored && this.#entries.length === 0) this.#entries = stored.entries;
    this.#show();
  }

  async #add(): Promise<void> {
    const word = this.#word.value.trim();
    const isKnown = () => this.#entries.some(([known]) => known === word);
    if (word === '' || isKnown()) {
      this.#word.focus();
      return;
    }
    let phonemes: string;
    try {
      const body = jsonBody({ text: word, language: this.#language() });
      const response = await requestJson<{ phonemes: string }>('/dev/phonemize', body);
      phonemes = response.phonemes.trim().replace(/\s+/g, ' ');
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
      return;
    }
    // Enter may have been pressed twice.
    if (isKnown()) return;
    this.#word.value = '';
    this.#entries.push([word, phonemes]);
    this.#save();
    this.#show();
    this.#list.querySelector<HTMLInputElement>('li:last-child input')?.select();
  }

  #save(): void {
    const record: StoredLexicon = { id: ID, entries: this.#entries };
    this.#storage.put('settings', record).catch(() => notify('This browser has no space to store the pronunciations.'));
  }

  #show(): void {
    this.#list.replaceChildren(...this.#entries.map((entry) => this.#row(entry)));
  }

  #row(entry: [word: string, phonemes: string]): HTMLElement {
    const [word] = entry;
    const phonemes = element('input', { type: 'text', value: entry[1], spellcheck: false });
    phonemes.setAttribute('aria-label', `Phonemes of ${word}`);
    phonemes.addEventListener('input', () => {
      entry[1] = phonemes.value;
      this.#save();
    });
    const hear = button('', 'hear-button', () => this.#onHear(word, entry[1]));
    hear.dataset.icon = 'play';
    hear.setAttribute('aria-label', `Hear ${word}`);
    const remove = button('×', 'plain', () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
      this.#save();
      removeRow(row, this.#adding);
    });
    remove.setAttribute('aria-label', `Remove ${word}`);
    const row = element('li', {}, element('bdi', { className: 'name' }, word), phonemes, hear, remove);
    return row;
  }
}
