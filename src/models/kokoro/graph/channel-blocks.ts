import type { Device } from '../../../ort/device.ts';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { float32, Session } from '../../../ort/session.ts';

// onnxruntime's fast convolutions hold a signal by blocks of channels, `[channels / block, length, block]` (NCHWc), and it
// reorders whatever goes into them and comes out. A graph that says itself where signals are reordered can leave them in
// blocks in between. How many channels a block has depends on the CPU.

const CHANNELS = 32;
const LENGTH = 3;

/** Channels of a block on this CPU; 1 if signals are held channel by channel. */
export async function channelBlock(device: Device): Promise<number> {
  const graph = new GraphBuilder('channel-block');
  const x = graph.input('x', 'float32', [1, CHANNELS, 1, LENGTH]);
  graph.output('blocks', graph.op('ReorderInput', [x]), 'float32', [1, CHANNELS, 1, LENGTH]);
  // A version without these operators computes the same without them.
  const session = await Session.load(graph.build(), { ...device, threads: 1 }).catch(() => undefined);
  if (!session) return 1;
  const signal = Float32Array.from({ length: CHANNELS * LENGTH }, (_, index) => index);
  const { blocks } = await session.run({ x: float32(signal, [1, CHANNELS, 1, LENGTH]) });
  const values = blocks!.data as Float32Array;
  // The second sample of the first channel lies behind the first ones of its block.
  const block = values.indexOf(1);
  const expected = (index: number) => {
    const place = index % (LENGTH * block);
    const channel = block * Math.floor(index / (LENGTH * block)) + (place % block);
    return channel * LENGTH + Math.floor(place / block);
  };
  return CHANNELS % block === 0 && values.every((value, index) => value === expected(index)) ? block : 1;
}

/**
 * A kernel in the order in which blocks of channels are convolved: `[outputs, inputs, taps]` →
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
