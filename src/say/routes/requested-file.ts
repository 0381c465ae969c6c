import type { FastifyBaseLogger } from 'fastify';
import type { AudioFormat } from '../../audio/formats.ts';
import type { AudioFile } from '../downloads/audio-file.ts';
import type { Downloads } from '../downloads/downloads.ts';

/** The file for download of one request. Until it is created, and once it is discarded, nothing is written. */
export class RequestedFile {
  readonly #downloads: Downloads;
  readonly #log: FastifyBaseLogger;
  readonly #hasResponded: () => boolean;
  #file: AudioFile | undefined;

  /** @param hasResponded whether audio has been sent: then a dead download link is better than a broken response */
  constructor(downloads: Downloads, log: FastifyBaseLogger, hasResponded: () => boolean) {
    this.#downloads = downloads;
    this.#log = log;
    this.#hasResponded = hasResponded;
  }

  /** @returns the path of its URL @throws HearsayError `storage_full` */
  async create(format: AudioFormat): Promise<string> {
    this.#file = await this.#downloads.create(format);
    return `/v1/download/${this.#file.name}`;
  }

  /** Discards everything written. */
  async restart(): Promise<void> {
    await this.#file?.restart();
  }

  /** @throws HearsayError `storage_full`, unless audio has been sent */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#file?.write(bytes).catch((error) => this.#fail(error));
  }

  /** Replaces the first bytes when the file is kept. */
  replaceHeader(bytes: Uint8Array): void {
    this.#file?.replaceHeader(bytes);
  }

  /** Completes the file and offers it for download. @throws as `write` */
  async keep(): Promise<void> {
    if (this.#file) await this.#downloads.keep(this.#file).catch((error) => this.#fail(error));
    this.#file = undefined;
  }

  /** Removes the file, unless it is kept. */
  async discard(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.discard().catch((error) => this.#log.warn({ err: error }, 'A file could not be removed'));
  }

  async #fail(error: unknown): Promise<void> {
    if (!this.#hasResponded()) throw error;
    this.#log.warn({ err: error }, 'A file for download could not be written');
    await this.discard();
  }
}
