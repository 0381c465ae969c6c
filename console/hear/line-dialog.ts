import { button, byId } from '../shared/dom.ts';
import type { Line } from './lines.ts';
import { speakersOf } from './speakers.ts';

/** Names offered at a click: more would fill the page. */
const MAX_OFFERED = 12;

/** What a person answered. */
export interface NamedSpeaker {
  /** Undefined for no name. */
  name: string | undefined;
  /** Whether all lines of the speaker get it. */
  isEverywhere: boolean;
}

/** Asks who says a line. */
export class SpeakerDialog {
  readonly #dialog = byId('speaker-dialog', HTMLDialogElement);
  readonly #name = byId('speaker-name', HTMLInputElement);
  readonly #known = byId('speaker-known', HTMLElement);
  readonly #everywhere = byId('speaker-everywhere', HTMLInputElement);
  readonly #everywhereText = byId('speaker-everywhere-text', HTMLElement);

  constructor() {
    byId('speaker-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#dialog.close('named');
    });
    byId('speaker-cancel', HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
  }

  /** Resolves to undefined if nothing is to change. */
  ask(lines: readonly Line[], at: number): Promise<NamedSpeaker | undefined> {
    const speaker = lines[at]?.speaker;
    this.#name.value = speaker ?? '';
    this.#everywhere.checked = false;
    this.#everywhere.parentElement!.hidden = speaker === undefined;
    this.#everywhereText.textContent = `All lines of ${speaker}`;
    const others = speakersOf(lines).filter((name) => name !== speaker);
    this.#known.replaceChildren(...others.slice(0, MAX_OFFERED).map((name) => this.#offer(name)));
    this.#dialog.returnValue = '';
    this.#dialog.showModal();
    this.#name.select();
    return new Promise((resolve) => {
      const answer = () => {
        const name = this.#name.value.replace(/\s+/g, ' ').trim();
        const isNamed = this.#dialog.returnValue === 'named';
        resolve(isNamed ? { name: name === '' ? undefined : name, isEverywhere: this.#everywhere.checked } : undefined);
      };
      this.#dialog.addEventListener('close', answer, { once: true });
    });
  }

  #offer(name: string): HTMLButtonElement {
    const offer = button(name, 'plain', () => {
      this.#name.value = name;
      this.#dialog.close('named');
    });
    offer.dir = 'auto';
    return offer;
  }
}
