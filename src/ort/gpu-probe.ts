/** Run as a process: multiplies two matrices on the GPU, and prints `ok` or what is wrong. */

import { webgpu } from './device.ts';
import { GraphBuilder } from './graph/builder.ts';
import { float32, Session } from './session.ts';

const SIZE = 64;

/** The last line of onnxruntime's message is its reason; source locations come before. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const found = /Failed to get a WebGPU (?:adapter|device)[^\n]*/.exec(message)?.[0];
  return found ?? message.split('\n').at(-1)!.slice(-300);
}

try {
  const graph = new GraphBuilder('probe');
  const x = graph.input('x', 'float32', ['rows', SIZE]);
  const data = Float32Array.from({ length: SIZE * SIZE }, (_, index) => index % 7);
  graph.output('y', graph.op('MatMul', [x, graph.constant({ type: 'float32', dims: [SIZE, SIZE], data })]), 'float32', [
    'rows',
    SIZE,
  ]);
  const session = await Session.load(graph.build(), webgpu());
  const { y } = await session.run({ x: float32(new Float32Array(SIZE).fill(1), [1, SIZE]) });
  const expected = (column: number) => {
    let sum = 0;
    for (let row = 0; row < SIZE; row++) sum += data[row * SIZE + column]!;
    return sum;
  };
  const isRight = (y!.data as Float32Array).every((value, column) => value === expected(column));
  process.stdout.write(isRight ? 'ok' : 'it computes wrong numbers');
} catch (error) {
  process.stdout.write(reasonOf(error));
}
// An orderly exit ends some drivers with a segmentation fault.
process.kill(process.pid, 'SIGKILL');
