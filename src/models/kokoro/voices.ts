import { join } from 'node:path';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { fileState } from '../../files/file-state.ts';
import { readPackagedVoice, readVoiceFile, STYLE, type VoicePack } from './voice-pack.ts';

export interface VoiceFolders {
  /** Of the checkpoint: its voices go before those of the Kokoro package. */
  checkpoint?: string | undefined;
  /** Of saved voices, which come, change and go; they go behind all others. */
  saved?: string | undefined;
}

const NAME = /^[\p{L}\p{N}_-]{1,100}$/u;
/** Packs that are kept, half a megabyte each. */
const REMEMBERED = 64;

/** Voices by name: `<name>.pt` in the folders, and those of the Kokoro package. */
export class VoicePacks {
  readonly #folders: VoiceFolders;
  readonly #style: number;
  /** By the name, for a saved voice with the state of its file. */
  readonly #packs = new Map<string, VoicePack>();

  /** @param style values of a row */
  constructor(folders: VoiceFolders, style: number) {
    this.#folders = folders;
    this.#style = style;
  }

  /**
   * The style of a voice or of a blend for a run of so many phonemes.
   * @throws HearsayError `invalid_request` for a voice that there is no pack of, or whose pack is damaged
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
    const { checkpoint, saved } = this.#folders;
    const lasting = await this.#remembered(name, async () => {
      const own = checkpoint && (await this.#read(checkpoint, name));
      return own || (this.#style === STYLE ? readPackagedVoice(name) : undefined);
    });
    if (lasting || saved === undefined) return lasting;
    const state = await fileState(join(saved, `${name}.pt`)).catch(() => undefined);
    if (state === undefined) return undefined;
    return this.#remembered(`${name} ${state}`, () => this.#read(saved, name));
  }

  async #remembered(key: string, read: () => Promise<VoicePack | undefined>): Promise<VoicePack | undefined> {
    const known = this.#packs.get(key);
    if (known) return known;
    const pack = await read();
    if (this.#packs.size >= REMEMBERED) this.#packs.clear();
    if (pack) this.#packs.set(key, pack);
    return pack;
  }

  async #read(folder: string, name: string): Promise<VoicePack | undefined> {
    try {
      return await readVoiceFile(join(folder, `${name}.pt`), this.#style);
    } catch (cause) {
      if (!(cause instanceof CheckpointError)) throw cause;
      const message = `The voice pack ${name} cannot be read: ${cause.message}`;
      throw new HearsayError('invalid_request', message, { param: 'voice', cause });
    }
  }
}
