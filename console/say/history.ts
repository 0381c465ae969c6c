import { confirmed } from '../shared/confirm.ts';
import { button, byId, element, passFocus, removeRow } from '../shared/dom.ts';
import { snippet, spokenLength } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import { arrange } from '../shared/reorder.ts';
import { type BrowserStorage, newId, type StoredRecord } from '../shared/storage.ts';
import type { WeightedVoice } from './blend.ts';
import { type Mark, Speech, type SpeechRequest } from './speech.ts';
import type { PlacedWord } from './spoken-words.ts';
import { speechOfSamples } from './stored-speech.ts';

/** A speech as it is stored; its sound is a separate record, read when it is needed. */
export interface HistoryEntry extends StoredRecord {
  request: SpeechRequest;
  voices: readonly WeightedVoice[];
  startedAt: Date;
  /** Seconds. */
  duration: number;
  words: readonly PlacedWord[];
  /** Of SSML. */
  marks?: readonly Mark[];
  /** Of a speech that was stopped or cut off. */
  isPartial?: boolean;
  /** Of a speech whose file the service has made. */
  downloadPath?: string;
  /** Absent for none. */
  skippedLetters?: number;
}

interface StoredAudio extends StoredRecord {
  samples: Blob;
}

export interface HistoryEvents {
  /** Called at the click that chooses a speech, which is then read. */
  beforeChoice: () => void;
  onChoice: (entry: HistoryEntry, speech: Speech) => void;
  /** Called when the user wants to clear the list; call `clear` then. */
  onClear: () => void;
}

/** Speeches of this browser, latest first. Survives reloads. */
export class History {
  readonly #list = byId('history', HTMLElement);
  readonly #none = byId('history-none', HTMLElement);
  readonly #clear = byId('history-clear', HTMLButtonElement);
  readonly #speak = byId('speak', HTMLButtonElement);
  /** Rows are reused, since a new one would lose the focus. */
  readonly #rows = new Map<HistoryEntry, HTMLElement>();
  readonly #storage: BrowserStorage;
  readonly #events: HistoryEvents;
  /** Sounds that are not stored yet, or that the browser has no room for. */
  readonly #sounds = new Map<string, Blob>();
  #entries: HistoryEntry[] = [];
  #chosen: HistoryEntry | undefined;

  constructor(storage: BrowserStorage, events: HistoryEvents) {
    this.#storage = storage;
    this.#events = events;
    this.#clear.addEventListener('click', events.onClear);
  }

  /** Whether a text has been spoken, and can thus be had again. */
  includes(input: string): boolean {
    return this.#entries.some(({ request }) => request.input === input);
  }

  async load(): Promise<void> {
    const stored = await this.#storage.all<HistoryEntry>('speeches').catch(() => []);
    const known = new Set(this.#entries.map(({ id }) => id));
    const older = stored.filter(({ id }) => !known.has(id));
    this.#entries = [...this.#entries, ...older.sort((a, b) => Number(b.startedAt) - Number(a.startedAt))];
    this.#show();
  }

  async add(speech: Speech, voices: readonly WeightedVoice[]): Promise<void> {
    const { request, startedAt, duration, words, marks, isPartial, downloadPath, skippedLetters } = speech;
    const entry: HistoryEntry = {
      id: newId(),
      request,
      voices,
      startedAt,
      duration,
      words,
      ...(marks.length > 0 && { marks }),
      ...(isPartial && { isPartial }),
      ...(downloadPath !== undefined && { downloadPath }),
      ...(skippedLetters > 0 && { skippedLetters }),
    };
    const samples = speech.file('pcm');
    this.#entries = [entry, ...this.#entries];
    this.#sounds.set(entry.id, samples);
    this.#show();
    try {
      await this.#storage.put<StoredAudio>('audio', { id: entry.id, samples });
      await this.#storage.put('speeches', entry);
      // An hour takes 170 MB.
      this.#sounds.delete(entry.id);
    } catch (error) {
      console.warn(error);
      notify('This browser has no space to store the speech. Download it before you close the page.');
    }
  }

  async clear(): Promise<void> {
    this.#entries = [];
    this.#sounds.clear();
    this.#show();
    await Promise.all((['speeches', 'audio'] as const).map((table) => this.#storage.clear(table)));
  }

  async #choose(entry: HistoryEntry): Promise<void> {
    this.#chosen = entry;
    this.#events.beforeChoice();
    const speech = await this.#read(entry);
    // Another one may have been chosen meanwhile.
    if (this.#chosen === entry) this.#events.onChoice(entry, speech);
  }

  /** A speech with its stored sound; without sound if the browser has lost it. */
  async #read(entry: HistoryEntry): Promise<Speech> {
    const { id, request, startedAt, words, marks = [], isPartial = false, downloadPath, skippedLetters = 0 } = entry;
    const speech = new Speech(request, startedAt);
    const kept = this.#sounds.get(id);
    const samples = kept ?? (await this.#storage.get<StoredAudio>('audio', id).catch(() => undefined))?.samples;
    await speechOfSamples(speech, samples, words);
    speech.marks.push(...marks);
    return Object.assign(speech, { isPartial, downloadPath, skippedLetters });
  }

  async #remove(entry: HistoryEntry): Promise<void> {
    if (!(await confirmed('Remove this speech from this browser?', 'Remove'))) return;
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#sounds.delete(entry.id);
    this.#show();
    await this.#storage.remove('speeches', entry.id);
    await this.#storage.remove('audio', entry.id);
  }

  #show(): void {
    this.#none.hidden = this.#entries.length > 0;
    if (this.#entries.length === 0) passFocus(this.#clear, this.#speak);
    this.#clear.hidden = this.#entries.length === 0;
    const listed = new Set(this.#entries);
    for (const [entry, row] of this.#rows) {
      if (listed.has(entry)) continue;
      removeRow(row, this.#speak);
      this.#rows.delete(entry);
    }
    arrange(
      this.#list,
      this.#entries.map((entry) => this.#rows.get(entry) ?? this.#newRow(entry)),
    );
  }

  #newRow(entry: HistoryEntry): HTMLElement {
    const { request, startedAt, duration, isPartial } = entry;
    const isToday = startedAt.toDateString() === new Date().toDateString();
    const time = startedAt.toLocaleString([], { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) });
    const row = button('', 'entry', () => void this.#choose(entry));
    const name = snippet(request.input, 90);
    const length = `${spokenLength(duration)}${isPartial ? ', not all of the text' : ''}`;
    row.append(element('bdi', {}, name), element('small', {}, `${voicesOf(request)} · ${length} · ${time}`));
    const remove = button('×', 'plain', () => void this.#remove(entry));
    remove.setAttribute('aria-label', `Remove ${snippet(name, 40)}`);
    const item = element('li', {}, row, remove);
    this.#rows.set(entry, item);
    return item;
  }
}

/** The voices of a request, for people. */
function voicesOf({ voice, lines }: SpeechRequest): string {
  if (!lines) return snippet(voice, 60);
  const voices = new Set(lines.map((line) => line.voice)).size;
  return `Dialogue of ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${voices} ${voices === 1 ? 'voice' : 'voices'}`;
}
