import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError } from '../../checkpoint/checkpoint-error.ts';
import { areFinite } from '../../checkpoint/floats.ts';
import { readTensor } from '../../checkpoint/pytorch.ts';

/** Style vectors of a voice, one for each length of a run in phonemes. */
export interface VoicePack {
  rows: number;
  /** `[rows, style]` */
  values: Float32Array;
}

/** Values of a style vector: half of them for the sound, half for the prosody. */
export const STYLE = 256;
/** Style vectors of the published packs. */
export const ROWS = 510;
/** No pack is as large: the published ones have half a megabyte. */
const MOST_BYTES = 4 << 20;
/** Folder of the voices that come with npm's kokoro-js, `<name>.bin`. */
export const packagedFolder = join(dirname(fileURLToPath(import.meta.resolve('kokoro-js'))), '../voices');

/**
 * The voice in a file of PyTorch's, one tensor of rows × 1 × style. Nothing in the file is executed.
 * @returns undefined where there is no such file
 * @throws CheckpointError where it holds no voice
 */
export async function readVoiceFile(path: string, style = STYLE): Promise<VoicePack | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MOST_BYTES) throw new CheckpointError('It is no file of the size of a voice.');
    return voicePack(await readFile(path), style);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function voicePack(file: Uint8Array, style: number): VoicePack {
  const { dims, data } = readTensor(file);
  const [rows, , width] = dims;
  if (dims.length !== 3 || dims[1] !== 1 || width !== style || !rows) {
    throw new CheckpointError(`It is ${dims.join(' × ')}.`);
  }
  if (!areFinite(data)) throw new CheckpointError('It holds values that are no numbers.');
  return { rows, values: data };
}

/** A voice of npm's kokoro-js, whose packs are raw little-endian floats. */
export async function readPackagedVoice(name: string): Promise<VoicePack | undefined> {
  const file = await readFile(join(packagedFolder, `${name}.bin`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file?.length !== ROWS * STYLE * 4) return undefined;
  return {
    rows: ROWS,
    values: Float32Array.from({ length: file.length / 4 }, (_, index) => file.readFloatLE(4 * index)),
  };
}
