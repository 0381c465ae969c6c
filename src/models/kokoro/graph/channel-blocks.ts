import type { Device } from '../../../ort/device.ts';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { float32, Session } from '../../../ort/session.ts';

// onnxruntime's fast convolutions use blocks of channels, `[channels / block, length, block]` (NCHWc), and reorder
// their inputs and outputs. A graph with its own reorder operators stays in blocks in between. The size of a block
// depends on the CPU.

const CHANNELS = 32;
const LENGTH = 3;

/** Channels per block on this device; 1 if it has no blocked kernels. */
export async function channelBlock(device: Device): Promise<number> {
  const graph = new GraphBuilder('channel-block');
  const x = graph.input('x', 'float32', [1, CHANNELS, 1, LENGTH]);
  graph.output('blocks', graph.op('ReorderInput', [x]), 'float32', [1, CHANNELS, 1, LENGTH]);
  // Without these operators, as in other versions of onnxruntime, use no blocks.
  const session = await Session.load(graph.build(), { ...device, threads: 1 }).catch(() => undefined);
  if (!session) return 1;
  const signal = Float32Array.from({ length: CHANNELS * LENGTH }, (_, index) => index);
  const { blocks } = await session.run({ x: float32(signal, [1, CHANNELS, 1, LENGTH]) });
  const values = blocks!.data as Float32Array;
  // The first channel's second sample follows the first samples of its block.
  const block = values.indexOf(1);
  const expected = (index: number) => {
    const offset = index % (LENGTH * block);
    const channel = block * Math.floor(index / (LENGTH * block)) + (offset % block);
    return channel * LENGTH + Math.floor(offset / block);
  };
  return CHANNELS % block === 0 && values.every((value, index) => value === expected(index)) ? block : 1;
}

/**
 * Reorders a kernel for blocked convolutions: `[outputs, inputs, taps]` →
 * `[outputs / block, inputs / block, taps, block of inputs, block of outputs]`.
 */
export function blockedKernel(
  kernel: Float32Array,
  { outputs, inputs, taps }: { outputs: number; inputs: number; taps: number },
  block: number,
): Float32Array {
  const blocked = new Float32Array(kernel.length);
  let to = 0;
  for (let firstOutput = 0; firstOutput < outputs; firstOutput += block) {
    for (let firstInput = 0; firstInput < inputs; firstInput += block) {
      for (let tap = 0; tap < taps; tap++) {
        for (let input = firstInput; input < firstInput + block; input++) {
          for (let output = firstOutput; output < firstOutput + block; output++) {
            blocked[to++] = kernel[(output * inputs + input) * taps + tap]!;
          }
        }
      }
    }
  }
  return blocked;
}
