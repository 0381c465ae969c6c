import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import { type FloatTensor, writeTensor } from '../../checkpoint/pytorch-writer.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { fileState } from '../../files/file-state.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { isStorageFull } from '../../files/storage-full.ts';
import { readVoiceFile, type VoicePack } from '../../models/kokoro/voice-pack.ts';
import { displayName, isReserved, type Voice } from './voices.ts';

/** Letters that a blend can be written with. */
const NAME = /^[A-Za-z0-9_]{1,80}$/;
const EXTENSION = '.pt';
/** Half a megabyte each; nobody chooses among more. */
const MOST_VOICES = 1000;

export interface SavedVoicesOptions {
  folder: string;
  /** Told once of each file that cannot be used, as long as it stays as it is. */
  warn: (message: string) => void;
}

/** Voices that users keep as `<name>.pt` in a folder, where they may come, change and go while the service runs. */
export class SavedVoices {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  /** State and usability of the files, by their names, as they were looked at last. */
  #files = new Map<string, { state: string; usable: boolean }>();
  /** The end of the last look. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ folder, warn }: SavedVoicesOptions) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Those that there are now. */
  list(): Promise<Voice[]> {
    const looked = this.#turn.then(() => this.#look());
    this.#turn = looked.catch(() => undefined);
    return looked;
  }

  /** Undefined where it is gone, or holds no voice any more. */
  read(name: string): Promise<VoicePack | undefined> {
    return readVoiceFile(this.#path(name)).catch((error) => {
      if (error instanceof CheckpointError) return undefined;
      throw error;
    });
  }

  /**
   * Keeps a blend as a voice; one of the same name is replaced.
   * @param name without it, the name is made of those of the blended voices and of the content
   * @returns its name, and the bytes of its file
   * @throws HearsayError `invalid_request` for a name that cannot be given, or where there are too many voices;
   * `storage_full`; `internal_error` where the folder cannot be written
   */
  async save(
    weights: readonly VoiceWeight[],
    pack: FloatTensor,
    name = givenName(weights, pack),
  ): Promise<{ name: string; file: Uint8Array }> {
    const problem = wrongName(name);
    if (problem !== undefined) {
      throw new HearsayError('invalid_request', `The voice cannot have this name: ${problem}.`, { param: 'name' });
    }
    const voices = await this.list();
    if (voices.length >= MOST_VOICES && !voices.some(({ id }) => id === name)) {
      throw new HearsayError('invalid_request', `There are ${MOST_VOICES} saved voices already.`);
    }
    const file = writeTensor(name, pack);
    try {
      await mkdir(this.#folder, { recursive: true });
      await replaceFile(this.#path(name), file);
    } catch (cause) {
      if (isStorageFull(cause))
        throw new HearsayError('storage_full', 'The disk has no room for the voice.', { cause });
      const { syscall, code } = cause as NodeJS.ErrnoException;
      if (syscall === undefined) throw cause;
      throw new HearsayError('internal_error', `The voice could not be stored in DATA_DIR (${code}).`, { cause });
    }
    return { name, file };
  }

  #path(name: string): string {
    return join(this.#folder, name + EXTENSION);
  }

  async #look(): Promise<Voice[]> {
    const names = (await readdir(this.#folder).catch(() => []))
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .sort();
    const files = new Map<string, { state: string; usable: boolean }>();
    for (const name of names) {
      const state = await fileState(this.#path(name)).catch(() => '');
      const before = this.#files.get(name);
      files.set(name, before?.state === state ? before : { state, usable: await this.#isUsable(name) });
    }
    this.#files = files;
    return names.filter((name) => files.get(name)!.usable).map((id) => ({ id, name: displayName(id) }));
  }

  async #isUsable(name: string): Promise<boolean> {
    try {
      const problem = wrongName(name);
      if (problem !== undefined) throw new CheckpointError(`${problem}.`);
      return (await readVoiceFile(this.#path(name))) !== undefined;
    } catch (error) {
      const reason = error instanceof CheckpointError ? error.message : (error as NodeJS.ErrnoException).code;
      this.#warn(`The saved voice ${JSON.stringify(this.#path(name))} is left out: ${reason}`);
      return false;
    }
  }
}

function wrongName(name: string): string | undefined {
  if (!NAME.test(name)) return 'it may hold the letters a to z, digits and underscores, 80 at most';
  return isReserved(name) ? 'the voices of Kokoro and their other names stay what they are' : undefined;
}

/** The same blend has the same name, and another one another. */
function givenName(weights: readonly VoiceWeight[], { data }: FloatTensor): string {
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 8);
  const names = weights.map(({ name }) => name).join('_');
  return `${names.slice(0, 60)}_${hash}`;
}
