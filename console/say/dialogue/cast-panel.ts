import { byId, element } from '../../shared/dom.ts';
import type { Voice } from '../voice-panel.ts';
import type { Line } from './lines.ts';

/** The names of a dialogue, with one voice for all lines of each. */
export class CastPanel {
  readonly #list = byId('cast', HTMLElement);
  readonly #box = byId('cast-box', HTMLElement);
  readonly #onChoice: (name: string, voice: string) => void;
  #shown = '';

  /** @param onChoice called to give all lines of a name a voice */
  constructor(onChoice: (name: string, voice: string) => void) {
    this.#onChoice = onChoice;
  }

  show(lines: readonly Line[], voices: readonly Voice[]): void {
    const cast = voicesByName(lines);
    // Every letter that is typed in a line comes here.
    const content = JSON.stringify([[...cast], voices.length]);
    if (content === this.#shown) return;
    this.#shown = content;
    this.#box.hidden = cast.size === 0;
    this.#list.replaceChildren(...[...cast].map(([name, voice]) => this.#row(name, voice, voices)));
  }

  #row(name: string, voice: string, voices: readonly Voice[]): HTMLElement {
    const options = voices.map(({ id, name: label }) => element('option', { value: id }, label));
    if (!voices.some(({ id }) => id === voice))
      options.unshift(element('option', { value: voice }, voice || 'Several'));
    const select = element('select', {}, ...options);
    select.value = voice;
    select.setAttribute('aria-label', `Voice of ${name}`);
    select.addEventListener('change', () => {
      this.#onChoice(name, select.value);
      [...this.#list.querySelectorAll('select')]
        .find((other) => other.getAttribute('aria-label') === `Voice of ${name}`)
        ?.focus();
    });
    return element('li', {}, element('bdi', { className: 'name' }, name), select);
  }
}

/** The voice of each name; empty if its lines have several. */
export function voicesByName(lines: readonly Line[]): Map<string, string> {
  const cast = new Map<string, string>();
  for (const { name, voice } of lines) {
    const key = name.trim();
    if (key === '') continue;
    const known = cast.get(key);
    cast.set(key, known === undefined || known === voice ? voice : '');
  }
  return cast;
}
