import type { AudioFormat } from '../../audio/formats.ts';
import { HearsayError } from '../../errors.ts';
import { AudioFile } from './audio-file.ts';

export interface DownloadsOptions {
  /** An existing directory of this process's own. */
  folder: string;
  /** Seconds that a complete file is kept. */
  ttlSeconds: number;
  /** Total bytes of complete files. */
  maxBytes: number;
}

/** Complete files of speech, kept on disk until they expire. */
export class Downloads {
  readonly folder: string;
  readonly #options: DownloadsOptions;
  /** Oldest first. */
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

  /** Creates a file, which `keep` completes. @throws HearsayError `storage_full`, also if it grows too large */
  create(format: AudioFormat): Promise<AudioFile> {
    const { maxBytes: bytes } = this.#options;
    const error = new HearsayError('storage_full', `The file would exceed the limit of ${bytes} bytes.`);
    return AudioFile.create(this.folder, format, { bytes, error });
  }

  /** Completes a file and offers it for download; removes older ones beyond the limit. */
  async keep(file: AudioFile): Promise<void> {
    await file.finish();
    this.#complete.set(file.name, { file, since: performance.now() });
    await this.#sweep();
  }

  /** A complete file by name, unless it has expired. */
  async find(name: string): Promise<AudioFile | undefined> {
    await this.#sweep();
    return this.#complete.get(name)?.file;
  }

  /** Stops the sweeping; the owner removes the directory. */
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
      // A file left behind goes with the directory.
      await file.discard().catch(() => {});
    }
  }
}
