import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cpu } from '../../../ort/device.ts';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { float32, Session } from '../../../ort/session.ts';
import { blockedKernel, channelBlock } from './channel-blocks.ts';

describe('channelBlock', () => {
  it('is the number of floats in a vector register', async () => {
    const flags = process.arch === 'x64' ? readFileSync('/proc/cpuinfo', 'utf8') : '';
    if (/\bavx512f\b/.test(flags)) expect(await channelBlock(cpu())).toBe(16);
    else if (/\bavx\b/.test(flags)) expect(await channelBlock(cpu())).toBe(8);
    else expect([1, 16]).toContain(await channelBlock(cpu()));
  });
});

describe('blockedKernel', () => {
  it('orders blocks of inputs within blocks of outputs, output by output', () => {
    const [outputs, inputs, taps] = [4, 2, 3];
    const kernel = Float32Array.from({ length: outputs * inputs * taps }, (_, index) => index);
    const blocked = blockedKernel(kernel, { outputs, inputs, taps }, 2);
    // Outputs 0 and 1 of input 0, then of input 1, for each tap.
    expect([...blocked.subarray(0, 12)]).toEqual([0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11]);
    expect(blocked[12]).toBe(12);
  });

  it('gives the result of a plain convolution with groups', async () => {
    const block = await channelBlock(cpu());
    const [groups, inputs, taps, length] = [3, 2 * block, 2, 20];
    const channels = groups * inputs;
    const graph = new GraphBuilder('blocks');
    const kernel = Float32Array.from({ length: channels * inputs * taps }, (_, index) => Math.sin(index * 0.7));
    const constant = (data: Float32Array) =>
      graph.constant({ type: 'float32', dims: [channels, inputs, 1, taps], data });
    const x = graph.input('x', 'float32', [1, channels, 1, length]);
    const attributes = { kernel_shape: [1, taps], group: groups };
    graph.output('y', graph.op('Conv', [x, constant(kernel)], attributes), 'float32', [1, channels, 1, 'n']);
    const blocked = constant(blockedKernel(kernel, { outputs: channels, inputs, taps }, block));
    const inBlocks =
      block > 1
        ? graph.op('ReorderOutput', [graph.op('BlockConv', [graph.op('ReorderInput', [x]), blocked], attributes)], {
            channels,
          })
        : graph.op('Conv', [x, blocked], attributes);
    graph.output('same', inBlocks, 'float32', [1, channels, 1, 'n']);
    const session = await Session.load(graph.build(), cpu());
    const signal = Float32Array.from({ length: channels * length }, (_, index) => Math.cos(index * 0.3));
    const { y, same } = await session.run({ x: float32(signal, [1, channels, 1, length]) });
    expect([...(same!.data as Float32Array)]).toEqual([...(y!.data as Float32Array)]);
  });
});
