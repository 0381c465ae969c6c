import { describe, expect, it } from 'vitest';
import { relativeError } from '../../../../test/fixtures/kokoro.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { cpu } from '../../../ort/device.ts';
import { GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import { float32, Session } from '../../../ort/session.ts';
import { channelBlock } from './channel-blocks.ts';
import { type Affine, Layers } from './layers.ts';
import type { KokoroWeights } from './weights.ts';
import { type PhasedShape, PhasedSignals } from './winograd.ts';

const inputOffset = 0.75;

function random(count: number, seed: number): Float32Array {
  const noise = seededNoise(seed);
  return Float32Array.from({ length: count }, noise);
}

/** A convolution by its definition, in double precision. */
function convolve(
  x: Float32Array,
  kernel: Float32Array,
  bias: Float32Array,
  size: number,
  dilation: number,
): Float64Array {
  const channels = bias.length;
  const length = x.length / channels;
  const padding = ((size - 1) * dilation) / 2;
  const y = new Float64Array(x.length);
  for (let output = 0; output < channels; output++) {
    for (let time = 0; time < length; time++) {
      let sum = bias[output]!;
      for (let input = 0; input < channels; input++) {
        for (let tap = 0; tap < size; tap++) {
          const at = time + tap * dilation - padding;
          if (at >= 0 && at < length)
            sum += kernel[(output * channels + input) * size + tap]! * x[input * length + at]!;
        }
      }
      y[output * length + time] = sum;
    }
  }
  return y;
}

async function byPhases(
  weights: { kernel: Float32Array; bias: Float32Array },
  scale: Float32Array,
  size: number,
  dilation: number,
  shape: PhasedShape,
  precise: boolean,
): Promise<(x: Float32Array) => Promise<Record<'convolved' | 'sum' | 'same', Float32Array>>> {
  const graph = new GraphBuilder('winograd');
  // A copy: the layer scales it in place.
  const source = { convolution: () => ({ kernel: weights.kernel.slice(), bias: weights.bias }) };
  const layers = new Layers(graph, source as unknown as KokoroWeights);
  const phased = new PhasedSignals(layers, shape);
  const { channels } = shape;
  const signal = phased.toPhases(graph.input('x', 'float32', [1, channels, 1, 'length']));
  // Half of the scale before the convolution, half of it in its kernel.
  const root = scale.map(Math.sqrt);
  const affine = { scale: layers.vector(root), shift: layers.vector(root.map((value) => (value - 1) * inputOffset)) };
  const column = (vector: Value) => graph.op('Unsqueeze', [vector, graph.ints(1)]);
  const scaled = (x: Value, { scale, shift }: Affine) =>
    graph.op('Add', [graph.op('Mul', [x, column(scale)]), column(shift)]);
  const { active } = await phased.activate({ signal }, affine, scaled);
  const convolved = phased.convolution(active, 'any', {
    kernel: size,
    dilation,
    inputScale: root,
    inputOffset,
    precise,
  });
  const { sum } = await phased.activate({ signal, convolved }, affine, scaled);
  const outputs = { convolved: phased.add({ convolved }), sum, same: phased.add({ signal }) };
  for (const [name, value] of Object.entries(outputs)) {
    graph.output(name, phased.fromPhases(value), 'float32', [1, channels, 1, 'length']);
  }
  const session = await Session.load(graph.build(), cpu());
  return async (values) => {
    const results = await session.run({ x: float32(values, [1, channels, 1, values.length / channels]) });
    return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data])) as Record<
      keyof typeof outputs,
      Float32Array
    >;
  };
}

describe('PhasedSignals', () => {
  const cases = [3, 5, 7, 11].flatMap((size) =>
    [1, 3, 5].flatMap((dilation) =>
      ([0, 1] as const).flatMap((remainder) =>
        [true, false].flatMap((inBlocks) =>
          [true, false].map((precise) => ({ size, dilation, remainder, inBlocks, precise })),
        ),
      ),
    ),
  );

  it.each(cases)(
    'convolves $size taps, dilation $dilation, remainder $remainder, blocks $inBlocks, precise $precise',
    async ({ size, dilation, remainder, inBlocks, precise }) => {
      const block = inBlocks ? await channelBlock(cpu()) : 1;
      const channels = inBlocks ? 2 * block : 6;
      // One block at a time, or two of six channels.
      const samplesPerFrame = inBlocks ? 10_000 : 1280 / 2;
      const weights = { kernel: random(channels * channels * size, 1), bias: random(channels, 2) };
      const scale = Float32Array.from({ length: channels }, (_, channel) => [0.5, 2, 1][channel % 3]!);
      const run = await byPhases(
        weights,
        scale,
        size,
        dilation,
        { channels, block, samplesPerFrame, remainder },
        precise,
      );
      // One graph for all lengths.
      for (const tiles of [40, 41, 70]) {
        const length = 4 * tiles + remainder;
        const x = random(channels * length, 3);
        const { convolved, sum, same } = await run(x);
        expect(same).toEqual(x);
        expect(
          relativeError(
            sum,
            x.map((value, index) => value + convolved[index]!),
          ),
        ).toBeLessThan(1e-6);
        const scaled = x.map((value, index) => (value + inputOffset) * scale[Math.floor(index / length)]!);
        expect(relativeError(convolved, convolve(scaled, weights.kernel, weights.bias, size, dilation))).toBeLessThan(
          1e-6,
        );
      }
    },
  );
});
