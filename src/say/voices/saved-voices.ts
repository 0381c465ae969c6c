import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import { type FloatTensor, writeTensor } from '../../checkpoint/pytorch-writer.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { createDirectory } from '../../files/create-directory.ts';
import { fileState } from '../../files/file-state.ts';
import { isOutOfFiles } from '../../files/out-of-files.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { isStorageFull } from '../../files/storage-full.ts';
import { readVoiceFile, type VoicePack } from '../../models/kokoro/voice-pack.ts';
import { displayName, isReserved, type Voice } from './voices.ts';

/** Names that a request can write in a blend. */
const NAME = /^[A-Za-z0-9_]{1,80}$/;
const EXTENSION = '.pt';
/** Half a megabyte each. */
const MAX_VOICES = 1000;

export interface SavedVoicesOptions {
  directory: string;
  /** Called once for each state of a file that cannot be used. */
  warn: (message: string) => void;
}

/** Voices of users, `<name>.pt` in a directory; files may be added, changed and removed while the service runs. */
export class SavedVoices {
  readonly #directory: string;
  readonly #warn: (message: string) => void;
  /** State and usability of the files at the last scan, by name. */
  #files = new Map<string, { state: string; usable: boolean }>();
  /** The last scan; scans run one at a time. */
  #lastScan: Promise<unknown> = Promise.resolve();

  constructor({ directory, warn }: SavedVoicesOptions) {
    this.#directory = directory;
    this.#warn = warn;
  }

  /** The voices that can be used now. @throws the error of the file system if too many files are open to tell */
  list(): Promise<Voice[]> {
    const voices = this.#lastScan.then(() => this.#scan());
    this.#lastScan = voices.catch(() => undefined);
    return voices;
  }

  /** A voice; undefined if its file is gone or no longer holds a voice. */
  read(name: string): Promise<VoicePack | undefined> {
    return readVoiceFile(this.#path(name)).catch((error) => {
      if (error instanceof CheckpointError) return undefined;
      throw error;
    });
  }

  /**
   * Saves a blend as a voice, replacing one of the same name.
   * @param name by default the names of the blended voices and a hash of the content
   * @returns its name, and the bytes of its file
   * @throws HearsayError `invalid_request` for an invalid name or too many voices; `storage_full`; `internal_error` if the
   * directory cannot be written
   */
  async save(
    weights: readonly VoiceWeight[],
    pack: FloatTensor,
    name = defaultName(weights, pack),
  ): Promise<{ name: string; file: Uint8Array }> {
    const problem = nameProblem(name);
    if (problem !== undefined) {
      throw new HearsayError('invalid_request', `Invalid name: ${problem}.`, { param: 'name' });
    }
    const voices = await this.list();
    if (voices.length >= MAX_VOICES && !voices.some(({ id }) => id === name)) {
      throw new HearsayError('invalid_request', `There are ${MAX_VOICES} saved voices already.`);
    }
    const file = writeTensor(name, pack);
    try {
      await createDirectory(this.#directory);
      await replaceFile(this.#path(name), file);
    } catch (cause) {
      if (isStorageFull(cause))
        throw new HearsayError('storage_full', 'The disk is full: the voice was not saved.', { cause });
      const { syscall, code } = cause as NodeJS.ErrnoException;
      if (syscall === undefined) throw cause;
      throw new HearsayError('internal_error', `The voice could not be written to DATA_DIR (${code}).`, { cause });
    }
    return { name, file };
  }

  #path(name: string): string {
    return join(this.#directory, name + EXTENSION);
  }

  async #scan(): Promise<Voice[]> {
    const entries = await readdir(this.#directory).catch((error: unknown) => {
      if (isOutOfFiles(error)) throw error;
      return [];
    });
    const names = entries
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .sort();
    const files = new Map<string, { state: string; usable: boolean }>();
    for (const name of names) {
      const state = await fileState(this.#path(name)).catch(() => '');
      const previous = this.#files.get(name);
      files.set(name, previous?.state === state ? previous : { state, usable: await this.#isUsable(name) });
    }
    this.#files = files;
    return names.filter((name) => files.get(name)!.usable).map((id) => ({ id, name: displayName(id) }));
  }

  async #isUsable(name: string): Promise<boolean> {
    try {
      const problem = nameProblem(name);
      if (problem !== undefined) throw new CheckpointError(`${problem}.`);
      return (await readVoiceFile(this.#path(name))) !== undefined;
    } catch (error) {
      // The result is kept until the file changes.
      if (isOutOfFiles(error)) throw error;
      const reason = error instanceof CheckpointError ? error.message : (error as NodeJS.ErrnoException).code;
      this.#warn(`Skipping the saved voice ${JSON.stringify(this.#path(name))}: ${reason}`);
      return false;
    }
  }
}

/** Why a saved voice cannot have this name; undefined if it can. */
function nameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return 'it must be 1 to 80 letters A to Z, digits and underscores';
  return isReserved(name) ? 'it is a voice of Kokoro, or an alias of one' : undefined;
}

/** Equal for equal blends only. */
function defaultName(weights: readonly VoiceWeight[], { data }: FloatTensor): string {
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 8);
  const names = weights.map(({ name }) => name).join('_');
  return `${names.slice(0, 60)}_${hash}`;
}
