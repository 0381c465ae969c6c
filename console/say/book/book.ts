import { DelayedSave } from '../../shared/delayed-save.ts';
import { moved } from '../../shared/reorder.ts';
import type { BrowserStorage, StoredRecord } from '../../shared/storage.ts';
import { newId } from '../../shared/storage.ts';
import { Speech, type SpeechRequest } from '../speech.ts';
import type { PlacedWord } from '../spoken-words.ts';
import { speechOfSamples } from '../stored-speech.ts';
import type { OpenedBook } from './opened-book.ts';

/** What is known of the sound of a chapter. */
export interface SpokenFacts {
  /** Digest of the text that was spoken. */
  digest: string;
  voice: string;
  speed: number;
  /** Seconds. */
  duration: number;
  /** Format of the kept file. */
  format: string;
}

export interface Chapter {
  id: string;
  title: string;
  text: string;
  isIncluded: boolean;
  spoken?: SpokenFacts;
}

interface StoredBook extends StoredRecord {
  title: string;
  author: string;
  cover?: Blob;
  chapters: Chapter[];
}

interface StoredWords extends StoredRecord {
  request: SpeechRequest;
  startedAt: Date;
  words: readonly PlacedWord[];
}

interface StoredSound extends StoredRecord {
  samples: Blob;
  /** In the format of the facts; absent if it can be made from the samples. */
  file?: Blob;
}

const ID = 'book';
const SAVE_DELAY_MS = 400;

/** The open book: its chapters, and their sound, which the browser keeps. */
export class Book {
  readonly #storage: BrowserStorage;
  readonly #onLost: () => void;
  #record: StoredBook | undefined;
  readonly #saving = new DelayedSave(() => this.#save().catch(this.#onLost), SAVE_DELAY_MS);

  /** @param onLost called if the browser has no room for a change */
  constructor(storage: BrowserStorage, onLost: () => void) {
    this.#storage = storage;
    this.#onLost = onLost;
  }

  get isOpen(): boolean {
    return this.#record !== undefined;
  }

  get chapters(): readonly Chapter[] {
    return this.#record?.chapters ?? [];
  }

  get title(): string {
    return this.#record?.title ?? '';
  }

  get author(): string {
    return this.#record?.author ?? '';
  }

  get cover(): Blob | undefined {
    return this.#record?.cover;
  }

  async load(): Promise<void> {
    const stored = await this.#storage.get<StoredBook>('jobs', ID).catch(() => undefined);
    this.#record ??= stored;
  }

  /** Takes the place of the open book, whose sound is removed. */
  async open({ title, author, cover, chapters }: OpenedBook): Promise<void> {
    await this.close();
    this.#record = {
      id: ID,
      title,
      author,
      ...(cover && { cover }),
      chapters: chapters.map((chapter) => ({ id: newId(), ...chapter, isIncluded: true })),
    };
    await this.#save();
  }

  async close(): Promise<void> {
    this.#saving.cancel();
    const ids = this.chapters.map(({ id }) => id);
    this.#record = undefined;
    await this.#storage.remove('jobs', ID);
    for (const id of ids) await this.#removeSound(id);
  }

  describe(facts: { title?: string; author?: string; cover?: Blob }): void {
    if (!this.#record) return;
    Object.assign(this.#record, facts);
    this.#saving.schedule();
  }

  chapter(id: string): Chapter | undefined {
    return this.chapters.find((chapter) => chapter.id === id);
  }

  /** Changes a chapter in place. */
  change(chapter: Chapter, facts: Partial<Omit<Chapter, 'id'>>): void {
    Object.assign(chapter, facts);
    this.#saving.schedule();
  }

  move(from: number, to: number): void {
    if (!this.#record || to < 0 || to >= this.chapters.length) return;
    this.#record.chapters = moved(this.chapters, from, to);
    this.#saving.schedule();
  }

  /**
   * Keeps the sound of a chapter with the times of its words.
   * @throws DOMException if the browser has no room
   */
  async keep(chapter: Chapter, speech: Speech, file: Blob | undefined): Promise<void> {
    const { id } = chapter;
    const { request, startedAt, words } = speech;
    await this.#storage.put<StoredSound>('files', { id, samples: speech.file('pcm'), ...(file && { file }) });
    await this.#storage.put<StoredWords>('transcripts', { id, request, startedAt, words });
    // The book may have been closed meanwhile.
    if (this.chapter(id) !== chapter) return this.#removeSound(id);
    const { voice, speed, format } = request;
    chapter.spoken = { digest: digestOf(request.input), voice, speed, duration: speech.duration, format };
    await this.#save();
  }

  /** The kept speech of a chapter; undefined if there is none. */
  async speech({ id }: Chapter): Promise<Speech | undefined> {
    const sound = await this.#storage.get<StoredSound>('files', id).catch(() => undefined);
    const words = await this.#storage.get<StoredWords>('transcripts', id).catch(() => undefined);
    if (!sound || !words) return undefined;
    const speech = new Speech(words.request, words.startedAt);
    await speechOfSamples(speech, sound.samples, words.words);
    speech.madeFile = sound.file;
    return speech;
  }

  async #removeSound(id: string): Promise<void> {
    await this.#storage.remove('files', id);
    await this.#storage.remove('transcripts', id);
  }

  async #save(): Promise<void> {
    this.#saving.cancel();
    if (this.#record) await this.#storage.put('jobs', this.#record);
  }
}

/** Whether a chapter has sound of the text that it has now. */
export function isSpoken({ text, spoken }: Chapter): boolean {
  return spoken !== undefined && spoken.digest === digestOf(text);
}

/** Tells texts apart: FNV-1a of 32 bits, with the length. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(16)}`;
}
