import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { cpu } from './device.ts';
import { GraphBuilder } from './graph/builder.ts';
import { float32, freeBuffers, Session } from './session.ts';

it('freeBuffers frees memory at once, with every view of it', () => {
  const arrays = Array.from({ length: 4 }, () => new Float32Array(1_000_000).fill(1));
  const part = arrays[0]!.subarray(10, 20);
  const before = process.memoryUsage().arrayBuffers;
  freeBuffers(arrays.slice(0, 3));
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(12_000_000);
  expect([...arrays, part].map(({ length }) => length)).toEqual([0, 0, 0, 1_000_000, 0]);
});

it('Session threads sleep soon after a run', async () => {
  const size = [512, 512];
  const graph = new GraphBuilder('product');
  const x = graph.input('x', 'float32', size);
  graph.output('y', graph.op('MatMul', [x, x]), 'float32', size);
  const session = await Session.load(graph.build(), cpu({ threads: 2 }));
  let quietInARow = 0;
  // Other threads of the process may still be busy: with the collector, or with compiling the tests before.
  for (let run = 0; run < 60 && quietInARow < 3; run++) {
    await session.run({ x: float32(new Float32Array(512 * 512), size) });
    const before = process.cpuUsage();
    await sleep(60);
    // With onnxruntime's default they would spin for 40 ms.
    quietInARow = process.cpuUsage(before).user < 10_000 ? quietInARow + 1 : 0;
  }
  expect(quietInARow).toBe(3);
});
