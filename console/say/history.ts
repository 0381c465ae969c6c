import { button, byId, element } from '../shared/dom.ts';
import { snippet, spokenLength } from '../shared/format.ts';
import type { Part } from './blend.ts';
import type { Speech } from './speech.ts';

/** A speech of this visit, and the voices that it was made with. */
export interface Spoken {
  speech: Speech;
  parts: readonly Part[];
}

/** Minutes of speech take megabytes. */
const MOST = 20;

/** What was spoken since the page was opened, the latest first. Nothing of it is kept. */
export class History {
  readonly #list = byId('history', HTMLElement);
  readonly #none = byId('history-none', HTMLElement);
  readonly #onChoice: (spoken: Spoken) => void;
  #all: Spoken[] = [];

  constructor(onChoice: (spoken: Spoken) => void) {
    this.#onChoice = onChoice;
  }

  add(spoken: Spoken): void {
    this.#all = [spoken, ...this.#all].slice(0, MOST);
    this.#none.hidden = true;
    this.#list.replaceChildren(...this.#all.map((each) => this.#row(each)));
  }

  #row(spoken: Spoken): HTMLElement {
    const { request, begun, duration } = spoken.speech;
    const time = begun.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    const row = button('', 'entry', () => this.#onChoice(spoken));
    row.append(
      element('bdi', {}, snippet(request.input, 90)),
      element('small', {}, `${snippet(request.voice, 60)} · ${spokenLength(duration)} · ${time}`),
    );
    return element('li', {}, row);
  }
}
