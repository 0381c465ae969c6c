import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HearsayError } from '../../../errors.ts';
import { isDirectory } from '../../../files/entry.ts';

const CHECKPOINT = /\.(?:bin|pt)$/;

/**
 * The file of a checkpoint: the path itself, or the only `.bin` or `.pt` file in a directory; of several, the only one named
 * after the model.
 * @throws HearsayError `model_load_failed` if there is none, or more than one
 */
export async function checkpointFile(checkpoint: string): Promise<string> {
  if (!(await isDirectory(checkpoint))) return checkpoint;
  const found = (await readdir(checkpoint)).filter((name) => CHECKPOINT.test(name)).sort();
  const named = found.filter((name) => name.startsWith('campplus'));
  const [file, ...others] = named.length > 0 ? named : found;
  if (file !== undefined && others.length === 0) return join(checkpoint, file);
  const problem = file === undefined ? 'no checkpoint' : `more than one checkpoint: ${[file, ...others].join(', ')}`;
  throw new HearsayError('model_load_failed', `The directory ${basename(checkpoint)} has ${problem}.`);
}
