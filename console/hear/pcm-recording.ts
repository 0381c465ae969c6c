import { notify } from '../shared/notice.ts';
import type { BrowserStorage, StoredRecord } from '../shared/storage.ts';
import { wavHeader } from '../shared/wav.ts';
import { SAMPLE_RATE } from './microphone.ts';

/** Samples of a stored part: two seconds, which a page that is closed may lose. */
const PART = 2 * SAMPLE_RATE;

interface StoredPart extends StoredRecord {
  data: Blob;
}

/**
 * A recording in progress. Its parts are stored as they arrive: closing the page loses at most the last two seconds.
 */
export class PcmRecording {
  readonly #storage: BrowserStorage;
  readonly #id: string;
  #parts: Blob[] = [];
  #rest: Int16Array<ArrayBuffer>[] = [];
  #restSamples = 0;
  #samples = 0;
  #isFull = false;

  /** @param id of the file that it becomes */
  constructor(storage: BrowserStorage, id: string) {
    this.#storage = storage;
    this.#id = id;
  }

  get seconds(): number {
    return this.#samples / SAMPLE_RATE;
  }

  push(samples: Int16Array<ArrayBuffer>): void {
    this.#rest.push(samples);
    this.#samples += samples.length;
    this.#restSamples += samples.length;
    if (this.#restSamples >= PART) this.#storePart();
  }

  /** The recording so far as a WAV file. */
  file(name: string): File {
    return new File([wavHeader(this.#samples, SAMPLE_RATE), ...this.#parts, ...this.#rest], name, {
      type: 'audio/wav',
    });
  }

  #storePart(): void {
    const data = new Blob(this.#rest);
    const id = partId(this.#id, this.#parts.length);
    this.#parts.push(data);
    this.#rest = [];
    this.#restSamples = 0;
    this.#storage.put<StoredPart>('parts', { id, data }).catch(() => {
      if (!this.#isFull) notify('This browser has no space for the recording. It is lost if you close the page now.');
      this.#isFull = true;
    });
  }
}

const prefixOf = (id: string) => `${id}.`;
const partId = (id: string, index: number) => `${prefixOf(id)}${String(index).padStart(6, '0')}`;

/** What is stored of a recording whose page was closed, as a WAV file; undefined if nothing is. */
export async function recoveredFile(storage: BrowserStorage, id: string, name: string): Promise<File | undefined> {
  const parts = await storage.withPrefix<StoredPart>('parts', prefixOf(id));
  if (parts.length === 0) return undefined;
  const bytes = parts.reduce((sum, { data }) => sum + data.size, 0);
  return new File([wavHeader(bytes / 2, SAMPLE_RATE), ...parts.map(({ data }) => data)], name, { type: 'audio/wav' });
}

/** Removes the parts of a recording that is stored as a file or was discarded. */
export const removeParts = (storage: BrowserStorage, id: string): Promise<void> =>
  storage.removeWithPrefix('parts', prefixOf(id));
