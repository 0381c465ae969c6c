import { languageNames } from '../../src/say/voices/language-codes.ts';
import { requestJson } from '../shared/api.ts';
import { button, byId, element } from '../shared/dom.ts';
import { copy } from '../shared/files.ts';
import { blendText, type Part, shares, weightText } from './blend.ts';

interface Voice {
  id: string;
  name: string;
}

const PREFERRED = 'af_heart';
const kinds: Record<string, string> = { f: 'female', m: 'male' };

/** The voices that there are, and the blend of them that speaks. */
export class VoicePanel {
  readonly #list = byId('voices', HTMLElement);
  readonly #search = byId('voice-search', HTMLInputElement);
  readonly #blend = byId('blend', HTMLElement);
  readonly #text = byId('blend-text', HTMLElement);
  #voices: Voice[] = [];
  #parts: Part[] = [];

  constructor() {
    this.#search.addEventListener('input', () => this.#showVoices());
    byId('blend-copy', HTMLButtonElement).addEventListener('click', () => void copy(this.voice));
  }

  /** The field `voice` of a request; empty while no voice is known. */
  get voice(): string {
    return this.#parts.length === 0 ? '' : blendText(this.#parts);
  }

  get parts(): readonly Part[] {
    return this.#parts.map((part) => ({ ...part }));
  }

  set parts(parts: readonly Part[]) {
    this.#parts = parts.map((part) => ({ ...part }));
    this.#showAll();
  }

  /** Asks the service which voices it has. @throws ApiError */
  async load(): Promise<void> {
    const { voices } = await requestJson<{ voices: Voice[] }>('/v1/audio/voices').finally(() => this.#showVoices());
    this.#voices = voices;
    const known = new Set(voices.map(({ id }) => id));
    this.#parts = this.#parts.filter(({ id }) => known.has(id));
    if (this.#parts.length === 0 && voices.length > 0) {
      this.#parts = [{ id: known.has(PREFERRED) ? PREFERRED : voices[0]!.id, weight: 1 }];
    }
    this.#showAll();
  }

  #showAll(): void {
    this.#showVoices();
    this.#showBlend();
  }

  #choose(id: string): void {
    this.#parts = [{ id, weight: 1 }];
    this.#changed();
  }

  #toggle(id: string): void {
    if (this.#parts.some((part) => part.id === id)) this.#remove(id);
    else {
      this.#parts.push({ id, weight: 1 });
      this.#changed();
    }
  }

  #remove(id: string): void {
    if (this.#parts.length === 1) return;
    this.#parts = this.#parts.filter((part) => part.id !== id);
    this.#changed();
  }

  #changed(): void {
    this.#showBlend();
    for (const row of this.#list.querySelectorAll<HTMLElement>('[data-voice]')) this.#mark(row);
  }

  #mark(row: HTMLElement): void {
    const isIn = this.#parts.some(({ id }) => id === row.dataset.voice);
    const [name, add] = row.querySelectorAll('button');
    row.classList.toggle('chosen', isIn);
    name?.setAttribute('aria-pressed', String(isIn));
    if (!add) return;
    add.textContent = isIn ? '−' : '+';
    add.disabled = isIn && this.#parts.length === 1;
    const voice = this.#nameOf(row.dataset.voice!);
    add.setAttribute('aria-label', isIn ? `Take ${voice} out of the blend` : `Add ${voice} to the blend`);
  }

  #showVoices(): void {
    const query = this.#search.value.trim().toLowerCase();
    const groups = new Map<string, Voice[]>();
    for (const voice of this.#voices) {
      const language = languageOf(voice);
      const words = `${voice.id} ${voice.name} ${language} ${kindOf(voice)}`.toLowerCase();
      if (!query.split(/\s+/).every((word) => words.includes(word))) continue;
      groups.set(language, [...(groups.get(language) ?? []), voice]);
    }
    const sections = [...groups].map(([language, voices]) =>
      element(
        'section',
        {},
        element('h3', {}, `${language} `, element('small', {}, String(voices.length))),
        element('ul', { className: 'voices' }, ...voices.map((voice) => this.#row(voice))),
      ),
    );
    const none = this.#voices.length === 0 ? 'No voices are known yet.' : 'No voice matches.';
    this.#list.replaceChildren(...(sections.length > 0 ? sections : [element('p', { className: 'quiet' }, none)]));
  }

  #row(voice: Voice): HTMLElement {
    const choose = button('', 'pick', () => this.#choose(voice.id));
    choose.append(element('span', {}, voice.name), element('small', {}, kindOf(voice)));
    choose.title = voice.id;
    const row = element(
      'li',
      {},
      choose,
      button('+', 'add', () => this.#toggle(voice.id)),
    );
    row.dataset.voice = voice.id;
    this.#mark(row);
    return row;
  }

  #showBlend(): void {
    const isBlend = this.#parts.length > 1;
    const rows = this.#parts.map((part) => this.#partRow(part, isBlend));
    this.#blend.replaceChildren(...rows);
    this.#showText();
  }

  #partRow(part: Part, isBlend: boolean): HTMLElement {
    const name = element('span', { className: 'name' }, this.#nameOf(part.id));
    if (!isBlend) return element('li', {}, name);
    const slider = element('input', { type: 'range', min: '0.1', max: '5', step: '0.1', value: String(part.weight) });
    slider.setAttribute('aria-label', `Weight of ${this.#nameOf(part.id)}`);
    slider.addEventListener('input', () => {
      part.weight = Number(slider.value);
      this.#showText();
    });
    const remove = button('×', 'plain', () => this.#remove(part.id));
    remove.setAttribute('aria-label', `Take ${this.#nameOf(part.id)} out of the blend`);
    return element('li', {}, name, slider, element('output', {}), remove);
  }

  #showText(): void {
    this.#text.textContent = this.voice;
    const percents = shares(this.#parts);
    for (const [index, row] of [...this.#blend.children].entries()) {
      const [output, slider] = [row.querySelector('output'), row.querySelector('input')];
      if (output) output.textContent = `${percents[index]} %`;
      const part = this.#parts[index];
      if (part) slider?.setAttribute('aria-valuetext', `${weightText(part.weight)}, ${percents[index]} per cent`);
    }
  }

  #nameOf(id: string): string {
    return this.#voices.find((voice) => voice.id === id)?.name ?? id;
  }
}

function languageOf({ id }: Voice): string {
  return (languageNames as Record<string, string>)[id.charAt(0)] ?? 'Other';
}

function kindOf({ id }: Voice): string {
  return kinds[id.charAt(1)] ?? '';
}
