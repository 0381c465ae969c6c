/**
 * Runs as a process: multiplies matrices on the GPU and, if given a number of threads, on the CPU for comparison.
 * Prints lines of a `ProbedGpu`, the last of which counts.
 */

import { cpu, type Device, webgpu } from './device.ts';
import { type ProbedGpu, RESULT } from './gpu.ts';
import { GraphBuilder } from './graph/builder.ts';
import { dataTypes } from './graph/schema.ts';
import { float32, Session } from './session.ts';

/** Matrix products to time. The small first one detects a software device, which would take minutes for the others. */
const SMALL = { size: 256, count: 2 };
const LARGE = { size: 1024, count: 8 };
/** A device in software takes longer for the small products. */
const SOFTWARE_MS = 20;
/**
 * Minimum number and total milliseconds of rounds. The best one counts, because other work on the CPU slows some down.
 */
const ROUNDS = 2;
const ROUNDS_MS = 150;

/** The last line of onnxruntime's message is its reason; source locations come before. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const found = /Failed to get a WebGPU (?:adapter|device)[^\n]*/.exec(message)?.[0];
  return found ?? message.split('\n').at(-1)!.slice(-300);
}

/** The product of a row of ones and a matrix, whose numbers are small enough to be exact. */
async function multipliesRightly(type: 'float32' | 'float16'): Promise<boolean> {
  const size = 64;
  const graph = new GraphBuilder('probe');
  const data = Float32Array.from({ length: size * size }, (_, index) => index % 7);
  const x = graph.op('Cast', [graph.input('x', 'float32', ['rows', size])], { to: dataTypes[type] });
  const product = graph.op('MatMul', [x, graph.constant({ type, dims: [size, size], data })]);
  graph.output('y', graph.op('Cast', [product], { to: dataTypes.float32 }), 'float32', ['rows', size]);
  const session = await Session.load(graph.build(), webgpu());
  const { y } = await session.run({ x: float32(new Float32Array(size).fill(1), [1, size]) });
  const expected = (column: number) => {
    let sum = 0;
    for (let row = 0; row < size; row++) sum += data[row * size + column]!;
    return sum;
  };
  return (y!.data as Float32Array).every((value, column) => value === expected(column));
}

/** Milliseconds of some products of square matrices, one after another; the best round after a first, slow one. */
async function productMs(device: Device, { size, count }: typeof SMALL): Promise<number> {
  const graph = new GraphBuilder('products');
  let x = graph.input('x', 'float32', ['rows', size]);
  const data = Float32Array.from({ length: size * size }, (_, index) => ((index % 13) - 6) / size);
  const matrix = graph.constant({ type: 'float32', dims: [size, size], data });
  for (let index = 0; index < count; index++) x = graph.op('MatMul', [x, matrix]);
  graph.output('y', graph.op('ReduceMax', [x, graph.ints(0, 1)], { keepdims: 0 }), 'float32', []);
  const session = await Session.load(graph.build(), device);
  const input = float32(new Float32Array(size * size).fill(1), [size, size]);
  await session.run({ x: input });
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + ROUNDS_MS;
  for (let round = 0; round < ROUNDS || performance.now() < end; round++) {
    const started = performance.now();
    await session.run({ x: input });
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** How many times as fast as the CPU the GPU multiplies. */
async function measureSpeedup(threads: number): Promise<number> {
  let products = SMALL;
  let ms = await productMs(webgpu(), products);
  if (ms < SOFTWARE_MS) {
    products = LARGE;
    ms = await productMs(webgpu(), products);
  }
  return (await productMs(cpu({ threads }), products)) / ms;
}

async function probe(threads: string | undefined): Promise<ProbedGpu> {
  if (!(await multipliesRightly('float32'))) return { reason: 'it computes wrong numbers' };
  if (threads === undefined) return { float16: false };
  return { float16: false, speedup: await measureSpeedup(Number(threads)) };
}

let found: ProbedGpu;
try {
  found = await probe(process.argv[2]);
} catch (error) {
  found = { reason: reasonOf(error) };
}
const write = () => process.stdout.write(`\n${RESULT}${JSON.stringify(found)}\n`);
write();
if ('float16' in found) {
  // A device without half precision may crash here, so the other results have been written before.
  process.on('uncaughtException', end);
  found = { ...found, float16: await multipliesRightly('float16').catch(() => false) };
  write();
}
end();

/** Ends by a signal: some drivers crash in an orderly exit. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
