import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AudioFormat } from '../audio/formats.ts';
import { createDirectory } from '../files/create-directory.ts';
import { isMissing } from '../files/missing.ts';
import { AudioFile } from '../say/downloads/audio-file.ts';
import { writePipe } from './pipes.ts';

/** The output of one speech. */
export interface SpeechOutput {
  /** Whether a new attempt would repeat bytes. */
  readonly started: boolean;
  restart(): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** Replaces the first bytes, if they can be replaced. */
  header(bytes: Uint8Array): void;
  finish(): Promise<void>;
  /** Called on failure, instead of `finish`: leaves nothing. */
  discard(): Promise<void>;
}

export interface OutputOptions {
  format: AudioFormat;
  /** For the speech until it is complete. */
  temporaryDir: string;
  signal: AbortSignal;
}

/**
 * Opens the output of a speech. A file is replaced when the speech is complete; a named pipe or a device receives the
 * bytes as they are produced.
 * @param path undefined: standard output
 * @throws the error of the file system; the reason of `signal`
 */
export async function openOutput(
  path: string | undefined,
  { format, temporaryDir, signal }: OutputOptions,
): Promise<SpeechOutput> {
  if (path === undefined) return new StreamOutput(process.stdout);
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isFIFO()) return new StreamOutput(await writePipe(path, signal));
  if (entry && !entry.isFile() && !entry.isDirectory()) return new StreamOutput(await writeDevice(path));
  return OutputFile.create(path, format, temporaryDir);
}

async function writeDevice(path: string): Promise<Writable> {
  const stream = createWriteStream(path);
  await once(stream, 'open');
  return stream;
}

/** Sends bytes as they come, at the reader's pace. */
class StreamOutput implements SpeechOutput {
  started = false;
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // The writer gets it, too.
    stream.on('error', () => {});
  }

  async restart(): Promise<void> {}

  write(bytes: Uint8Array): Promise<void> {
    this.started = true;
    return new Promise((resolve, reject) => {
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  header(): void {}

  async finish(): Promise<void> {
    if (this.#stream === process.stdout) return;
    await new Promise<void>((resolve) => this.#stream.end(resolve));
  }

  async discard(): Promise<void> {
    if (this.#stream !== process.stdout) this.#stream.destroy();
  }
}

/** A file that gets its name when it is complete. */
class OutputFile implements SpeechOutput {
  readonly started = false;
  readonly #path: string;
  readonly #file: AudioFile;

  /** @param temporaryDir for the speech until it is complete */
  static async create(path: string, format: AudioFormat, temporaryDir: string): Promise<OutputFile> {
    await createDirectory(dirname(path));
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
    const target = await targetOf(this.#path);
    // In the same directory, because renaming works only within one file system.
    const part = `${target}.${randomUUID()}.part`;
    try {
      await pipeline(await this.#file.read(), createWriteStream(part, { flush: true }));
      const former = await stat(target).catch(() => undefined);
      if (former) await chmod(part, former.mode & 0o7777);
      await rename(part, target);
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

/** The target of a path, which need not exist yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}
