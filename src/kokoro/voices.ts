import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError } from '../checkpoint/checkpoint-error.ts';
import { readTensor } from '../checkpoint/pytorch.ts';
import { HearsayError } from '../errors.ts';
import type { VoiceWeight } from '../synthesis.ts';

/** Style vectors of a voice, one for each length of a run in phonemes. */
interface VoicePack {
  rows: number;
  /** `[rows, style]` */
  values: Float32Array;
}

const NAME = /^[\p{L}\p{N}_-]{1,100}$/u;
/** Packs that are kept, half a megabyte each. */
const REMEMBERED = 64;
/** Rows of the packs that come with npm's kokoro-js, raw little-endian floats. */
const PACKAGED_ROWS = 510;
const packagedFolder = join(dirname(fileURLToPath(import.meta.resolve('kokoro-js'))), '../voices');

/** Voices by name: `<name>.pt` in one of the given folders, else the one of that name in the Kokoro package. */
export class VoicePacks {
  readonly #folders: readonly string[];
  readonly #style: number;
  readonly #packs = new Map<string, VoicePack>();

  /**
   * @param folders the first one that holds a voice decides
   * @param style values of a row
   */
  constructor(folders: readonly string[], style: number) {
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
    const known = this.#packs.get(name);
    if (known) return known;
    const pack = NAME.test(name) ? await this.#read(name) : undefined;
    if (!pack) {
      throw new HearsayError('invalid_request', `There is no voice pack ${name.slice(0, 100)}.`, { param: 'voice' });
    }
    if (this.#packs.size >= REMEMBERED) this.#packs.clear();
    this.#packs.set(name, pack);
    return pack;
  }

  async #read(name: string): Promise<VoicePack | undefined> {
    for (const folder of this.#folders) {
      const file = await contentOf(join(folder, `${name}.pt`));
      if (file) return this.#saved(name, file);
    }
    const file = await contentOf(join(packagedFolder, `${name}.bin`));
    if (!file || file.length !== PACKAGED_ROWS * this.#style * 4) return undefined;
    const values = Float32Array.from({ length: file.length / 4 }, (_, index) => file.readFloatLE(4 * index));
    return { rows: PACKAGED_ROWS, values };
  }

  #saved(name: string, file: Uint8Array): VoicePack {
    try {
      const { dims, data } = readTensor(file);
      const [rows, , style] = dims;
      if (dims.length !== 3 || dims[1] !== 1 || style !== this.#style || !rows) {
        throw new CheckpointError(`It is ${dims.join(' × ')}.`);
      }
      return { rows, values: data };
    } catch (cause) {
      if (!(cause instanceof CheckpointError)) throw cause;
      const message = `The voice pack ${name} cannot be read: ${cause.message}`;
      throw new HearsayError('invalid_request', message, { param: 'voice', cause });
    }
  }
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
