import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import { areFinite } from '../../checkpoint/floats.ts';
import { readTensor } from '../../checkpoint/pytorch-buffer.ts';
import { isMissing } from '../../files/missing.ts';

/** Style vectors of a voice, one for each length of a chunk in phonemes. */
export interface VoicePack {
  rows: number;
  /** `[rows, style]` */
  values: Float32Array;
}

/** Values of a style vector: one half for the decoder, one for the prosody. */
export const STYLE = 256;
/** Style vectors in a published pack. */
export const ROWS = 510;
/** Published packs have half a megabyte. */
const MAX_BYTES = 4 << 20;
/** Directory of the voices in npm's kokoro-js, `<name>.bin`. */
export const packagedFolder = join(dirname(fileURLToPath(import.meta.resolve('kokoro-js'))), '../voices');

/**
 * Reads a voice from a PyTorch file: one tensor of rows × 1 × style. Nothing in the file is executed.
 * @returns undefined if there is no such file
 * @throws CheckpointError if it holds no voice
 */
export async function readVoiceFile(path: string, style = STYLE): Promise<VoicePack | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new CheckpointError('It is not a file of at most 4 MiB.');
    return voicePack(await readFile(path), style);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function voicePack(file: Uint8Array, style: number): VoicePack {
  const { dims, data } = readTensor(file);
  const [rows, , width] = dims;
  if (dims.length !== 3 || dims[1] !== 1 || width !== style || !rows) {
    throw new CheckpointError(`Its shape is ${dims.join(' × ')}.`);
  }
  if (!areFinite(data)) throw new CheckpointError('It holds values that are not finite.');
  return { rows, values: data };
}

/** Reads a voice of npm's kokoro-js: raw little-endian floats. */
export async function readPackagedVoice(name: string): Promise<VoicePack | undefined> {
  const file = await readFile(join(packagedFolder, `${name}.bin`)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (file?.length !== ROWS * STYLE * 4) return undefined;
  return {
    rows: ROWS,
    values: Float32Array.from({ length: file.length / 4 }, (_, index) => file.readFloatLE(4 * index)),
  };
}
