import { basename, join } from 'node:path';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { fileHash } from '../../../checkpoint/file-hash.ts';
import { isMissing } from '../../../files/missing.ts';
import { compiledKey, compiledModel, sourceHash } from '../../../ort/compiled-models.ts';
import type { Device } from '../../../ort/device.ts';
import { writeGraph } from '../../../ort/graph/external-data.ts';
import { checkpointFile } from '../checkpoint/checkpoint-file.ts';
import { CampplusWeights } from '../checkpoint/weights.ts';
import { speakerGraph } from './network.ts';

/** The checkpoint to compile, and the target. */
export interface CampplusSource {
  /** File of a checkpoint, or a directory with one. */
  checkpoint: string;
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  device: Device;
}

/** The files and facts needed to load a compiled model. */
export interface CompiledCampplus extends CampplusSource {
  folder: string;
}

/** The code that compiles a model. */
const SOURCES = ['models/campplus/graph', 'models/campplus/checkpoint', 'ort/graph', 'checkpoint'];

/**
 * Compiles a checkpoint, unless it is in `<modelsDir>/compiled` already.
 * @throws HearsayError `model_load_failed` naming the file and what is wrong or missing
 */
export async function compileCampplus(source: CampplusSource): Promise<CompiledCampplus> {
  const { checkpoint, modelsDir, device } = source;
  const file = await checkpointFile(checkpoint);
  const hash = await fileHash(file).catch((cause: unknown) => {
    throw unusableFile(basename(file), isMissing(cause) ? 'it is missing' : 'it cannot be read', cause);
  });
  const key = compiledKey('campplus', device.name, hash, await sourceHash(SOURCES));
  const folder = await compiledModel(modelsDir, key, checkpoint, async (to) => {
    const weights = await CampplusWeights.open(file);
    try {
      await writeGraph(to, 'speaker', (external) => speakerGraph(weights, external));
    } finally {
      await weights.close();
    }
  });
  return { ...source, folder };
}

/** The path of the graph in the folder of a compiled model. */
export const graphPath = ({ folder }: Pick<CompiledCampplus, 'folder'>) => join(folder, 'speaker.onnx');
