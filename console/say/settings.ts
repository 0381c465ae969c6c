import { languageNames } from '../../src/say/voices/language-codes.ts';
import { byId, element } from '../shared/dom.ts';
import { FieldMemory } from '../shared/field-memory.ts';
import type { BrowserStorage } from '../shared/storage.ts';
import type { SpeechRequest } from './speech.ts';
import { letterOf } from './voice-names.ts';

type Values = Pick<SpeechRequest, 'speed' | 'volume' | 'format' | 'stream' | 'language' | 'isSsml'>;

/** The settings below the text, kept across reloads together with it. */
export class Settings {
  readonly #speed = byId('speed', HTMLInputElement);
  readonly #volume = byId('volume', HTMLInputElement);
  readonly #format = byId('format', HTMLSelectElement);
  readonly #streaming = byId('streaming', HTMLInputElement);
  readonly #language = byId('language', HTMLSelectElement);
  readonly #ssml = byId('ssml', HTMLInputElement);
  readonly #memory: FieldMemory;
  /** A language whose voices have not been loaded yet. */
  #wanted = '';

  constructor(storage: BrowserStorage, text: HTMLTextAreaElement) {
    const fields = [text, this.#speed, this.#volume, this.#format, this.#streaming, this.#ssml];
    this.languages = Object.keys(languageNames);
    this.#memory = new FieldMemory(storage, [...fields, this.#language]);
    for (const slider of [this.#speed, this.#volume]) {
      for (const name of ['input', 'change']) slider.addEventListener(name, () => show(slider));
      show(slider);
    }
  }

  async restore(): Promise<void> {
    await this.#memory.restore();
  }

  get values(): Values {
    return {
      speed: Number(this.#speed.value),
      volume: Number(this.#volume.value),
      format: this.#format.value,
      stream: this.#streaming.checked,
      ...(this.#language.value !== '' && { language: this.#language.value }),
      ...(this.#ssml.checked && { isSsml: true }),
    };
  }

  set values({ speed, volume, format, stream, language = '', isSsml = false }: Values) {
    this.#format.value = format;
    this.#streaming.checked = stream;
    this.#ssml.checked = isSsml;
    this.#language.value = language;
    for (const [slider, value] of [
      [this.#speed, speed],
      [this.#volume, volume],
    ] as const) {
      slider.value = String(value);
      show(slider);
    }
    this.#ssml.dispatchEvent(new Event('change'));
    this.#memory.save();
  }

  /** The language to read in, by its letter; empty for that of the voice. */
  get language(): string {
    return this.#language.value;
  }

  /** Offers the languages of the voices. */
  set voices(ids: readonly string[]) {
    const spoken = new Set(ids.map(letterOf));
    if (ids.length > 0) this.languages = Object.keys(languageNames).filter((letter) => spoken.has(letter));
  }

  private set languages(letters: readonly string[]) {
    const value = this.#language.value || this.#wanted;
    const options = letters.map((letter) =>
      element('option', { value: letter }, (languageNames as Record<string, string>)[letter]!),
    );
    this.#language.replaceChildren(element('option', { value: '' }, 'Same as voice'), ...options);
    this.#wanted = letters.includes(value) ? '' : value;
    this.#language.value = letters.includes(value) ? value : '';
  }
}

function show(slider: HTMLInputElement): void {
  const text = `${Number(slider.value)}×`;
  byId(`${slider.id}-value`, HTMLElement).textContent = text;
  slider.setAttribute('aria-valuetext', text);
}
