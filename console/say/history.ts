import { button, byId, element } from '../shared/dom.ts';
import { snippet, spokenLength } from '../shared/format.ts';
import type { WeightedVoice } from './blend.ts';
import type { Speech } from './speech.ts';

/** A speech and its voices. */
export interface HistoryEntry {
  speech: Speech;
  voices: readonly WeightedVoice[];
}

/** Bounds memory: minutes of speech take megabytes. */
const MAX_ENTRIES = 20;

/** Speeches since the page was opened, latest first. Not stored. */
export class History {
  readonly #list = byId('history', HTMLElement);
  readonly #none = byId('history-none', HTMLElement);
  readonly #onChoice: (entry: HistoryEntry) => void;
  #entries: HistoryEntry[] = [];

  constructor(onChoice: (entry: HistoryEntry) => void) {
    this.#onChoice = onChoice;
  }

  add(entry: HistoryEntry): void {
    this.#entries = [entry, ...this.#entries].slice(0, MAX_ENTRIES);
    this.#none.hidden = true;
    this.#list.replaceChildren(...this.#entries.map((each) => this.#row(each)));
  }

  #row(entry: HistoryEntry): HTMLElement {
    const { request, startedAt, duration } = entry.speech;
    const time = startedAt.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    const row = button('', 'entry', () => this.#onChoice(entry));
    row.append(
      element('bdi', {}, snippet(request.input, 90)),
      element('small', {}, `${snippet(request.voice, 60)} · ${spokenLength(duration)} · ${time}`),
    );
    return element('li', {}, row);
  }
}
