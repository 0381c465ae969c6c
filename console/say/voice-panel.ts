import { requestJson } from '../shared/api.ts';
import { button, byId, element } from '../shared/dom.ts';
import { copy } from '../shared/files.ts';
import type { BrowserStorage, StoredRecord } from '../shared/storage.ts';
import { blendText, shares, type WeightedVoice, weightText } from './blend.ts';
import { alternating, genderOf, languageOf, letterOf } from './voice-names.ts';

export interface Voice {
  id: string;
  name: string;
}

interface StoredVoices extends StoredRecord {
  blend: WeightedVoice[];
  favorites: string[];
}

const ID = 'voices';

const PREFERRED = 'af_heart';

/** Shows the available voices, and the blend to speak with. */
export class VoicePanel {
  readonly #list = byId('voices', HTMLElement);
  readonly #search = byId('voice-search', HTMLInputElement);
  readonly #blend = byId('blend', HTMLElement);
  readonly #text = byId('blend-text', HTMLElement);
  readonly #storage: BrowserStorage;
  readonly #onSample: (id: string) => void;
  #voices: Voice[] = [];
  #selected: WeightedVoice[] = [];
  readonly #favorites = new Set<string>();
  #playing = '';
  /** What the rows show. */
  #shown = '';
  /** The voices of the blend that the rows show. */
  #shownBlend = '';

  /** @param onSample called to hear a voice, or to stop it */
  constructor(storage: BrowserStorage, onSample: (id: string) => void) {
    this.#storage = storage;
    this.#onSample = onSample;
    this.#search.addEventListener('input', () => this.#showVoices());
    byId('blend-copy', HTMLButtonElement).addEventListener('click', () => void copy(this.voice));
  }

  /** The field `voice` of a request; empty while no voices are loaded. */
  get voice(): string {
    return this.#selected.length === 0 ? '' : blendText(this.#selected);
  }

  /** Letter of the first voice's language. */
  get language(): string {
    return letterOf(this.#selected[0]?.id ?? '');
  }

  /** The available voices, each with a name that says its language. */
  get voices(): readonly Voice[] {
    return this.#voices.map((voice) => ({ id: voice.id, name: `${voice.name} (${languageOf(voice.id)})` }));
  }

  /** Voices to give to others than the chosen one: the favorites, then those of its language. */
  get preferred(): readonly string[] {
    const known = this.#voices.map(({ id }) => id);
    const same = known.filter((id) => letterOf(id) === this.language);
    const chosen = this.#selected.map(({ id }) => id).slice(0, 1);
    const favorites = known.filter((id) => this.#favorites.has(id));
    const rest = alternating(same);
    // Two people are easier to tell apart if one is a woman.
    const isMan = genderOf(chosen[0] ?? '') === 'male';
    return [...new Set([...chosen, ...favorites, ...(isMan ? rest : rest.slice(1)), ...rest])];
  }

  /** The voice whose sample is heard; empty if none is. */
  set playing(id: string) {
    if (id === this.#playing) return;
    this.#playing = id;
    this.#markAll();
  }

  /** Takes over the stored blend and favorites; call it before `load`. */
  async restore(): Promise<void> {
    const stored = await this.#storage.get<StoredVoices>('settings', ID).catch(() => undefined);
    for (const id of stored?.favorites ?? []) this.#favorites.add(id);
    if (this.#selected.length === 0) this.#selected = stored?.blend ?? [];
    this.#showAll();
  }

  #save(): void {
    const record: StoredVoices = { id: ID, blend: this.#selected, favorites: [...this.#favorites] };
    // A choice is not a loss worth a message.
    this.#storage.put('settings', record).catch(() => {});
  }

  /** Chooses one voice. */
  choose(id: string): void {
    this.#selected = [{ id, weight: 1 }];
    this.#changed();
  }

  get blend(): readonly WeightedVoice[] {
    return this.#selected.map((part) => ({ ...part }));
  }

  set blend(blend: readonly WeightedVoice[]) {
    this.#selected = blend.map((part) => ({ ...part }));
    this.#save();
    this.#showAll();
  }

  /**
   * Fetches the available voices.
   * @throws ApiError
   */
  async load(): Promise<void> {
    const { voices } = await requestJson<{ voices: Voice[] }>('/v1/audio/voices').finally(() => this.#showVoices());
    this.#voices = voices;
    const ids = new Set(voices.map(({ id }) => id));
    this.#selected = this.#selected.filter(({ id }) => ids.has(id));
    if (this.#selected.length === 0 && voices.length > 0) {
      this.#selected = [{ id: ids.has(PREFERRED) ? PREFERRED : voices[0]!.id, weight: 1 }];
    }
    this.#showAll();
  }

  #showAll(): void {
    this.#showVoices();
    this.#showBlend();
  }

  #toggle(id: string): void {
    if (this.#selected.some((part) => part.id === id)) this.#remove(id);
    else {
      this.#selected.push({ id, weight: 1 });
      this.#changed();
    }
  }

  #remove(id: string): void {
    if (this.#selected.length === 1) return;
    const index = this.#selected.findIndex((part) => part.id === id);
    const hadFocus = this.#blend.contains(document.activeElement);
    this.#selected = this.#selected.filter((part) => part.id !== id);
    this.#changed();
    if (!hadFocus) return;
    const neighbor = this.#blend.children[Math.min(index, this.#selected.length - 1)];
    (neighbor?.querySelector('button') ?? this.#search).focus();
  }

  #toggleFavorite(id: string): void {
    if (!this.#favorites.delete(id)) this.#favorites.add(id);
    this.#save();
    const { scrollTop } = this.#list;
    this.#showVoices();
    this.#list.scrollTop = scrollTop;
    this.#list.querySelector<HTMLElement>(`[data-voice="${CSS.escape(id)}"] .favorite`)?.focus({ preventScroll: true });
  }

  #changed(): void {
    this.#save();
    this.#showBlend();
    this.#markAll();
  }

  #markAll(): void {
    for (const row of this.#list.querySelectorAll<HTMLElement>('[data-voice]')) this.#mark(row);
  }

  #mark(row: HTMLElement): void {
    const isSelected = this.#selected.some(({ id }) => id === row.dataset.voice);
    const [name, sample, favorite, add] = row.querySelectorAll('button');
    row.classList.toggle('chosen', isSelected);
    name?.setAttribute('aria-pressed', String(isSelected));
    if (!sample || !favorite || !add) return;
    const isPlaying = this.#playing === row.dataset.voice;
    sample.dataset.icon = isPlaying ? 'stop' : 'play';
    const isFavorite = this.#favorites.has(row.dataset.voice!);
    favorite.textContent = isFavorite ? '★' : '☆';
    favorite.setAttribute('aria-pressed', String(isFavorite));
    add.textContent = isSelected ? '−' : '+';
    add.disabled = isSelected && this.#selected.length === 1;
    const voice = this.#nameOf(row.dataset.voice!);
    sample.setAttribute('aria-label', isPlaying ? `Stop the sample of ${voice}` : `Hear a sample of ${voice}`);
    favorite.setAttribute('aria-label', `${voice} is a favorite`);
    add.setAttribute('aria-label', isSelected ? `Remove ${voice} from the blend` : `Add ${voice} to the blend`);
  }

  #showVoices(): void {
    const query = this.#search.value.trim().toLowerCase();
    // New rows would lose the focus.
    const content = JSON.stringify([query, this.#voices, [...this.#favorites]]);
    if (content === this.#shown) {
      this.#markAll();
      return;
    }
    this.#shown = content;
    const groups = new Map<string, Voice[]>([['Favorites', []]]);
    for (const voice of this.#voices) {
      const language = languageOf(voice.id);
      const words = `${voice.id} ${voice.name} ${language} ${genderOf(voice.id)}`.toLowerCase();
      if (!query.split(/\s+/).every((word) => words.includes(word))) continue;
      const group = this.#favorites.has(voice.id) ? 'Favorites' : language;
      groups.set(group, [...(groups.get(group) ?? []), voice]);
    }
    const filled = [...groups].filter(([, voices]) => voices.length > 0);
    const sections = filled.map(([language, voices]) =>
      element(
        'section',
        {},
        element('h3', {}, `${language} `, element('small', {}, String(voices.length))),
        element('ul', { className: 'voices' }, ...voices.map((voice) => this.#row(voice))),
      ),
    );
    const none = this.#voices.length === 0 ? 'No voices loaded yet.' : 'No voice matches.';
    this.#list.replaceChildren(...(sections.length > 0 ? sections : [element('p', { className: 'quiet' }, none)]));
  }

  #row(voice: Voice): HTMLElement {
    const choose = button('', 'pick', () => this.choose(voice.id));
    choose.append(element('span', {}, voice.name), element('small', {}, genderOf(voice.id)));
    choose.title = voice.id;
    const row = element(
      'li',
      {},
      choose,
      button('', 'sample hear-button', () => this.#onSample(voice.id)),
      button('', 'favorite', () => this.#toggleFavorite(voice.id)),
      button('+', 'add', () => this.#toggle(voice.id)),
    );
    row.dataset.voice = voice.id;
    this.#mark(row);
    return row;
  }

  #showBlend(): void {
    const ids = this.#selected.map(({ id }) => id);
    // New rows would lose the focus.
    if (ids.join() !== this.#shownBlend) {
      this.#shownBlend = ids.join();
      this.#blend.replaceChildren(...ids.map((id) => this.#partRow(id, ids.length > 1)));
    }
    this.#showText();
  }

  #partRow(id: string, isBlend: boolean): HTMLElement {
    const name = element('span', { className: 'name' });
    if (!isBlend) return element('li', {}, name);
    const slider = element('input', { type: 'range', min: '0.1', max: '5', step: '0.1' });
    slider.addEventListener('input', () => {
      const part = this.#selected.find((each) => each.id === id);
      if (part) part.weight = Number(slider.value);
      this.#save();
      this.#showText();
    });
    const remove = button('×', 'plain', () => this.#remove(id));
    return element('li', {}, name, slider, element('output', {}), remove);
  }

  #showText(): void {
    this.#text.textContent = this.voice;
    const percents = shares(this.#selected);
    for (const [index, { id, weight }] of this.#selected.entries()) {
      const row = this.#blend.children[index]!;
      const voice = this.#nameOf(id);
      row.querySelector('.name')!.textContent = voice;
      const [slider, output, remove] = [
        row.querySelector('input'),
        row.querySelector('output'),
        row.querySelector('button'),
      ];
      if (!slider || !output || !remove) continue;
      if (Number(slider.value) !== weight) slider.value = String(weight);
      slider.setAttribute('aria-label', `Weight of ${voice}`);
      slider.setAttribute('aria-valuetext', `${weightText(weight)}, ${percents[index]} percent`);
      output.textContent = `${percents[index]} %`;
      remove.setAttribute('aria-label', `Remove ${voice} from the blend`);
    }
  }

  #nameOf(id: string): string {
    return this.#voices.find((voice) => voice.id === id)?.name ?? id;
  }
}
