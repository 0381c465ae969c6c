import { byId, element } from '../shared/dom.ts';
import { sampleText } from './samples.ts';
import { letterOf } from './voice-names.ts';

export interface ComparedVoice {
  id: string;
  name: string;
}

/** Two voices that say the same sentence, one after the other at a click. */
export class ComparePanel {
  readonly #sides = ['a', 'b'].map((side) => ({
    side,
    select: byId(`compare-${side}`, HTMLSelectElement),
    play: byId(`compare-${side}-play`, HTMLButtonElement),
  }));
  readonly #text = byId('compare-text', HTMLInputElement);

  /**
   * @param onPlay speaks a text with a voice; `key` is that of its sample
   * @param onUse chooses a voice for the text
   */
  constructor(onPlay: (key: string, voice: string, input: string) => void, onUse: (voice: string) => void) {
    for (const { side, select, play } of this.#sides) {
      play.addEventListener('click', () => onPlay(`compare-${side}`, select.value, this.#input(select.value)));
      byId(`compare-${side}-use`, HTMLButtonElement).addEventListener('click', () => onUse(select.value));
    }
  }

  /** Offers the voices; the choices stay if they can. */
  set voices(voices: readonly ComparedVoice[]) {
    for (const [index, { select, play }] of this.#sides.entries()) {
      const { value } = select;
      select.replaceChildren(...voices.map(({ id, name }) => element('option', { value: id }, name)));
      const fallback = voices[Math.min(index, voices.length - 1)]?.id ?? '';
      select.value = voices.some(({ id }) => id === value) ? value : fallback;
      play.disabled = voices.length === 0;
    }
  }

  /** Marks the sample that is heard. */
  set playing(key: string) {
    for (const { side, play } of this.#sides) {
      const isPlaying = key === `compare-${side}`;
      play.dataset.icon = isPlaying ? 'stop' : 'play';
      play.setAttribute('aria-pressed', String(isPlaying));
    }
  }

  #input(voice: string): string {
    return this.#text.value.trim() || sampleText(letterOf(voice));
  }
}
