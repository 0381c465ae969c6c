import type { BrowserStorage, StoredRecord } from '../shared/storage.ts';

export type Mode = 'text' | 'dialogue' | 'book';

interface StoredMode extends StoredRecord {
  mode: Mode;
}

const ID = 'mode';

/** Chooses what to speak: a text, a dialogue or a book. Shows its panel. */
export class Modes {
  readonly #buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-mode]')];
  readonly #panels = [...document.querySelectorAll<HTMLElement>('[data-for]')];
  readonly #storage: BrowserStorage;
  readonly #onChange: () => void;
  #mode: Mode = 'text';

  constructor(storage: BrowserStorage, onChange: () => void) {
    this.#storage = storage;
    this.#onChange = onChange;
    for (const button of this.#buttons) {
      button.addEventListener('click', () => {
        this.mode = button.dataset.mode as Mode;
      });
    }
  }

  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    const record: StoredMode = { id: ID, mode };
    // A choice is not a loss worth a message.
    this.#storage.put('settings', record).catch(() => {});
    this.#show();
  }

  async restore(): Promise<void> {
    const stored = await this.#storage.get<StoredMode>('settings', ID).catch(() => undefined);
    if (stored && this.#mode === 'text') this.#mode = stored.mode;
    this.#show();
  }

  #show(): void {
    for (const button of this.#buttons) button.setAttribute('aria-pressed', String(button.dataset.mode === this.#mode));
    for (const panel of this.#panels) panel.hidden = !panel.dataset.for!.split(' ').includes(this.#mode);
    this.#onChange();
  }
}
