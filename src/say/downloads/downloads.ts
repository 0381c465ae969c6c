import type { AudioFormat } from '../../audio/formats.ts';
import { AudioFile } from './audio-file.ts';

export interface DownloadsOptions {
  /** An existing folder of this process's own. */
  folder: string;
  /** Seconds that a complete file is kept. */
  ttlSeconds: number;
  /** Bytes that all complete files may take together. */
  maxBytes: number;
}

/** Speech kept on disk for a while, for those who have its link. It is known here from its completion on. */
export class Downloads {
  readonly folder: string;
  readonly #options: DownloadsOptions;
  /** In the order of completion: the oldest comes first. */
  readonly #complete = new Map<string, { file: AudioFile; since: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: DownloadsOptions) {
    this.folder = options.folder;
    this.#options = options;
    const intervalMs = Math.min(60_000, options.ttlSeconds * 250);
    this.#timer = setInterval(() => void this.#sweep(), intervalMs).unref();
  }

  /** Bytes of the complete files. */
  get bytes(): number {
    return [...this.#complete.values()].reduce((total, { file }) => total + file.bytes, 0);
  }

  /** Begins a file, which `keep` completes. @throws HearsayError `storage_full`, also when it grows too large. */
  create(format: AudioFormat): Promise<AudioFile> {
    return AudioFile.create(this.folder, format, this.#options.maxBytes);
  }

  /** Completes a file and offers it for download; older ones make room. */
  async keep(file: AudioFile): Promise<void> {
    await file.finish();
    this.#complete.set(file.name, { file, since: performance.now() });
    await this.#sweep();
  }

  /** The complete file of that name, unless it has expired. */
  async find(name: string): Promise<AudioFile | undefined> {
    await this.#sweep();
    return this.#complete.get(name)?.file;
  }

  /** Ends the sweeping; the folder is for its owner to remove. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #sweep(): Promise<void> {
    const { ttlSeconds, maxBytes } = this.#options;
    const oldest = performance.now() - ttlSeconds * 1000;
    let total = this.bytes;
    for (const [name, { file, since }] of this.#complete) {
      if (since >= oldest && total <= maxBytes) return;
      total -= file.bytes;
      this.#complete.delete(name);
      // Left over, it goes with the folder.
      await file.discard().catch(() => {});
    }
  }
}
