import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearsayError } from '../errors.ts';

/** Operators of the nodes that a provider runs; empty if it runs all of them, which the log does not list. */
export type NodePlacement = Map<string, string[]>;

/** Enough for a verbose log, which has some hundred bytes per node. */
const MAX_LOG_BYTES = 256 * 2 ** 20;

const ALL = /All nodes placed on \[(\w+)\]/;
const SOME = /Node\(s\) placed on \[(\w+)\]/;
const NODE = /VerifyEachNodeIsAssignedToAnEp\]\s+(\w+) \(/;

/**
 * Where onnxruntime runs the nodes of a graph on a GPU, after its optimizations. Only its verbose log says so, so a
 * separate process loads the graph and exits.
 * @param model path of an `.onnx` file
 * @throws HearsayError `model_load_failed` if the graph cannot be loaded on the GPU
 */
async function nodePlacement(model: string): Promise<NodePlacement> {
  const entry = fileURLToPath(new URL(import.meta.url.replace(/node-placement(\.\w+)$/, 'load-verbosely$1')));
  const log = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [entry, model], { maxBuffer: MAX_LOG_BYTES }, (_, stdout, stderr) => {
      // Drivers may print something before.
      if (!stdout.endsWith('loaded')) reject(cannotLoad(stderr));
      else resolve(stderr);
    });
  });
  return readPlacement(log);
}

/**
 * Writes `providers.json` next to the graphs of a model for GPUs: the operators by graph and provider.
 * @param names of the graphs, without `.onnx`
 * @throws as `nodePlacement`
 */
export async function reportPlacement(folder: string, names: readonly string[]): Promise<void> {
  const report: Record<string, Record<string, string[]>> = {};
  for (const name of names) report[name] = Object.fromEntries(await nodePlacement(join(folder, `${name}.onnx`)));
  await writeFile(join(folder, 'providers.json'), JSON.stringify(report, undefined, 2));
}

function cannotLoad(log: string): HearsayError {
  const last = log.trim().split('\n').at(-1);
  return new HearsayError('model_load_failed', 'The graphs of the model cannot be loaded on the GPU.', { cause: last });
}

/** Parses a verbose log of onnxruntime. @throws if it does not list the placement */
export function readPlacement(log: string): NodePlacement {
  const placement: NodePlacement = new Map();
  let provider: string[] | undefined;
  for (const line of log.split('\n')) {
    const name = (ALL.exec(line) ?? SOME.exec(line))?.[1];
    if (name !== undefined) {
      provider = [];
      placement.set(name, provider);
    } else {
      const operator = NODE.exec(line)?.[1];
      if (operator !== undefined) provider?.push(operator);
    }
  }
  if (placement.size === 0) throw new Error('The log of onnxruntime does not say where nodes run');
  return placement;
}
