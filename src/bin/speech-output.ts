import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AudioFormat } from '../audio/formats.ts';
import { AudioFile } from '../say/downloads/audio-file.ts';

/** Where the bytes of one speech go. */
export interface SpeechOutput {
  /** Whether a new attempt would repeat bytes. */
  readonly started: boolean;
  restart(): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** Replaces the first bytes, if they can be replaced. */
  header(bytes: Uint8Array): void;
  finish(): Promise<void>;
  /** Called on failure, in place of `finish`: leaves nothing. */
  discard(): Promise<void>;
}

/** Sends bytes as they come, at the reader's pace. */
export class StandardOutput implements SpeechOutput {
  started = false;

  async restart(): Promise<void> {}

  write(bytes: Uint8Array): Promise<void> {
    this.started = true;
    return new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  header(): void {}

  async finish(): Promise<void> {}

  async discard(): Promise<void> {}
}

/** A file that appears under its name when it is complete. */
export class OutputFile implements SpeechOutput {
  readonly started = false;
  readonly #path: string;
  readonly #file: AudioFile;

  /** @param temporaryDir for the speech until it is complete */
  static async create(path: string, format: AudioFormat, temporaryDir: string): Promise<OutputFile> {
    await mkdir(dirname(path), { recursive: true });
    return new OutputFile(path, await AudioFile.create(temporaryDir, format));
  }

  private constructor(path: string, file: AudioFile) {
    this.#path = path;
    this.#file = file;
  }

  restart(): Promise<void> {
    return this.#file.restart();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#file.write(bytes);
  }

  header(bytes: Uint8Array): void {
    this.#file.replaceHeader(bytes);
  }

  async finish(): Promise<void> {
    await this.#file.finish();
    // Beside its place: renaming works within one file system only.
    const part = `${this.#path}.${randomUUID()}.part`;
    try {
      await pipeline(await this.#file.read(), createWriteStream(part, { flush: true }));
      await rename(part, this.#path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await this.#file.discard();
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }
}
