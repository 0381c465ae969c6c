import { join } from 'node:path';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { fileState } from '../../files/file-state.ts';
import { readPackagedVoice, readVoiceFile, STYLE, type VoicePack } from './voice-pack.ts';

export interface VoiceDirectories {
  /** Directory of the checkpoint's voices, which take precedence over those of the Kokoro package. */
  checkpoint?: string | undefined;
  /** Directory of saved voices, which may change at any time; all others take precedence over them. */
  saved?: string | undefined;
}

const NAME = /^[\p{L}\p{N}_-]{1,100}$/u;
/** Packs kept in memory, half a megabyte each. */
const MAX_CACHED = 64;

/** Voices by name: `<name>.pt` in the directories, and those of the Kokoro package. */
export class VoicePacks {
  readonly #directories: VoiceDirectories;
  readonly #style: number;
  /** Keyed by name; for a saved voice by name and state of its file. */
  readonly #packs = new Map<string, VoicePack>();

  /** @param style values in a row */
  constructor(directories: VoiceDirectories, style: number) {
    this.#directories = directories;
    this.#style = style;
  }

  /**
   * The style of a blend for a chunk of a number of phonemes.
   * @throws HearsayError `invalid_request` for an unknown voice or a damaged pack
   */
  async style(blend: readonly VoiceWeight[], phonemes: number): Promise<Float32Array> {
    const sum = new Float64Array(this.#style);
    for (const { name, weight } of blend) {
      const { rows, values } = await this.#pack(name);
      const row = Math.min(Math.max(phonemes, 1), rows) - 1;
      for (let index = 0; index < this.#style; index++) sum[index]! += weight * values[row * this.#style + index]!;
    }
    return Float32Array.from(sum);
  }

  async #pack(name: string): Promise<VoicePack> {
    const pack = NAME.test(name) ? await this.#find(name) : undefined;
    if (pack) return pack;
    throw new HearsayError('invalid_request', `There is no voice pack ${name.slice(0, 100)}.`, { param: 'voice' });
  }

  async #find(name: string): Promise<VoicePack | undefined> {
    const { checkpoint, saved } = this.#directories;
    const permanent = await this.#cached(name, async () => {
      const own = checkpoint && (await this.#read(checkpoint, name));
      return own || (this.#style === STYLE ? readPackagedVoice(name) : undefined);
    });
    if (permanent || saved === undefined) return permanent;
    const state = await fileState(join(saved, `${name}.pt`)).catch(() => undefined);
    if (state === undefined) return undefined;
    return this.#cached(`${name} ${state}`, () => this.#read(saved, name));
  }

  async #cached(key: string, read: () => Promise<VoicePack | undefined>): Promise<VoicePack | undefined> {
    const cached = this.#packs.get(key);
    if (cached) return cached;
    const pack = await read();
    if (this.#packs.size >= MAX_CACHED) this.#packs.clear();
    if (pack) this.#packs.set(key, pack);
    return pack;
  }

  async #read(directory: string, name: string): Promise<VoicePack | undefined> {
    try {
      return await readVoiceFile(join(directory, `${name}.pt`), this.#style);
    } catch (cause) {
      if (!(cause instanceof CheckpointError)) throw cause;
      const message = `The voice pack ${name} cannot be read: ${cause.message}`;
      throw new HearsayError('invalid_request', message, { param: 'voice', cause });
    }
  }
}
