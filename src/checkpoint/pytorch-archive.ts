import { CheckpointError } from './checkpoint-error.ts';
import type { PickledTensor, PickledTree } from './pickle.ts';

/** The tensors and integers of nested dictionaries; names are joined by dots. @throws CheckpointError if two are equal */
export function leavesOf(tree: Map<string, PickledTree>): Map<string, PickledTensor | number> {
  const leaves = new Map<string, PickledTensor | number>();
  const collect = (branch: PickledTree, name: string) => {
    if (branch instanceof Map) {
      for (const [key, value] of branch) collect(value, name === '' ? key : `${name}.${key}`);
    } else if (leaves.has(name)) {
      throw new CheckpointError(`The checkpoint has two tensors ${name}.`);
    } else leaves.set(name, branch);
  };
  collect(tree, '');
  return leaves;
}

/** The pickle among the files of an archive, and the directory of all. @throws CheckpointError if there is none */
export function findPickle(names: readonly string[]): { pickle: string; directory: string } {
  const pickle = names.find((name) => name.endsWith('/data.pkl'));
  if (pickle === undefined) throw new CheckpointError('The archive has no data.pkl.');
  return { pickle, directory: pickle.slice(0, -'data.pkl'.length) };
}

/** @throws CheckpointError for the content of an archive's `byteorder` other than little-endian */
export function checkByteOrder(content: Uint8Array): void {
  if (Buffer.from(content).toString('latin1') !== 'little') {
    throw new CheckpointError('The tensor is not little-endian.');
  }
}
