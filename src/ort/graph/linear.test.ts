import { describe, expect, it } from 'vitest';
import type { ComputeType } from '../device.ts';
import { cpu, hasInt8DotProduct } from '../device.ts';
import { float32, Session } from '../session.ts';
import { GraphBuilder } from './builder.ts';
import { LinearLayers, type LinearOptions, type LinearWeights } from './linear.ts';
import { dataTypes } from './schema.ts';

const inputs = 96;
const outputs = 70;
const rows = 5;

/** Numbers without a pattern, from −1 to 1. */
function noise(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Rows of very different sizes, one of them all zeros. */
const x = noise(rows * inputs, 1).map((value, index) => value * [1, 1000, 0.01, 0, 3][Math.floor(index / inputs)]!);
const weight = noise(outputs * inputs, 2).map((value, index) => value * (1 + (Math.floor(index / inputs) % 7)));
const bias = Float32Array.from({ length: outputs }, (_, index) => index / outputs);

interface Known {
  count?: number;
  lowest?: number;
}

async function load(options: LinearOptions, { count, ...bounds }: Known = {}, more?: Partial<LinearWeights>) {
  const graph = new GraphBuilder('linear');
  const known = { ...bounds, ...(count !== undefined && { count: graph.ints(count) }) };
  const input = graph.input('x', 'float32', ['rows', inputs]);
  const linear = new LinearLayers(graph, options);
  graph.output('y', linear.apply(input, { weight, outputs, inputs, bias, ...more }, known), 'float32', [
    'rows',
    outputs,
  ]);
  graph.output('same', linear.apply(input, { weight, outputs, inputs, ...more }, known), 'float32', ['rows', outputs]);
  return Session.load(graph.build(), cpu());
}

const run = async (session: Session, data: Float32Array, name = 'y') =>
  (await session.run({ x: float32(data, [data.length / inputs, inputs]) }))[name]!.data as Float32Array;

/** values · weightᵀ + bias of one row, in double precision. */
function expected(row: number, values = x): number[] {
  return Array.from({ length: outputs }, (_, output) => {
    let sum = bias[output]!;
    for (let input = 0; input < inputs; input++)
      sum += values[row * inputs + input]! * weight[output * inputs + input]!;
    return sum;
  });
}

function relativeError(values: ArrayLike<number>, reference: ArrayLike<number>): number {
  let error = 0;
  let size = 0;
  for (let index = 0; index < reference.length; index++) {
    error += (values[index]! - reference[index]!) ** 2;
    size += reference[index]! ** 2;
  }
  return Math.sqrt(error / size);
}

/** Signed weights are exact only with the instructions for them; unsigned ones are on every CPU. */
const weightForms = hasInt8DotProduct() ? [true, false] : [false];

describe('LinearLayers', () => {
  const forms: [ComputeType, boolean, number][] = [
    ['float32', true, 1e-6],
    ...weightForms.map((signedWeights): [ComputeType, boolean, number] => ['int8', signedWeights, 0.02]),
  ];

  it.each(forms)('multiplies in %s with signedWeights %s to within %d', async (computeType, signedWeights, bound) => {
    const session = await load({ computeType, signedWeights });
    const y = await run(session, x);
    for (let row = 0; row < rows; row++) {
      expect(relativeError(y.subarray(row * outputs, (row + 1) * outputs), expected(row))).toBeLessThan(bound);
    }
    const withoutBias = await run(session, x, 'same');
    for (let index = 0; index < y.length; index++) {
      expect(withoutBias[index]! + bias[index % outputs]!).toBeCloseTo(y[index]!, 2);
    }
  });

  it.each([
    ['float32', 1e-6],
    ['float16', 1e-3],
  ] as const)('multiplies in %s in the form for a GPU to within %d', async (computeType, bound) => {
    const graph = new GraphBuilder('on a GPU');
    const input = graph.input('x', 'float32', ['rows', inputs]);
    const linear = new LinearLayers(graph, { form: 'gpu', computeType, signedWeights: false });
    const activations = graph.op('Cast', [input], { to: dataTypes[computeType] });
    const y = linear.apply(activations, { weight, outputs, inputs, bias });
    graph.output('y', graph.op('Cast', [y], { to: dataTypes.float32 }), 'float32', ['rows', outputs]);
    const product = await run(await Session.load(graph.build(), cpu()), x);
    for (let row = 0; row < rows; row++) {
      expect(relativeError(product.subarray(row * outputs, (row + 1) * outputs), expected(row))).toBeLessThan(bound);
    }
  });

  it.each(forms)(
    'leaves masked outputs at −Infinity in %s with signedWeights %s',
    async (computeType, signedWeights) => {
      const graph = new GraphBuilder('masked');
      const input = graph.input('x', 'float32', ['rows', inputs]);
      const linear = new LinearLayers(graph, { computeType, signedWeights });
      const mask = graph.input('mask', 'float32', [outputs]);
      graph.output('y', linear.apply(input, { weight, outputs, inputs, mask }), 'float32', ['rows', outputs]);
      const session = await Session.load(graph.build(), cpu());
      const masks = Float32Array.from({ length: outputs }, (_, output) => (output % 3 === 1 ? -Infinity : 0));
      const feeds = { x: float32(x, [rows, inputs]), mask: float32(masks, [outputs]) };
      const y = (await session.run(feeds)).y!.data as Float32Array;
      const all = await run(await load({ computeType, signedWeights }), x, 'same');
      expect([...y]).toEqual([...all].map((value, index) => value + masks[index % outputs]!));
    },
  );

  it.runIf(hasInt8DotProduct())('gives the same in int8 with signed and with unsigned weights', async () => {
    const signed = await run(await load({ computeType: 'int8', signedWeights: true }), x);
    const unsigned = await run(await load({ computeType: 'int8', signedWeights: false }), x);
    expect(relativeError(unsigned, signed)).toBeLessThan(1e-6);
  });

  describe.each(weightForms)('in int8 with signedWeights %s', (signedWeights) => {
    const options: LinearOptions = { computeType: 'int8', signedWeights };

    it('gives the same if the number of rows is known', async () => {
      const known = await run(await load(options, { count: rows }), x);
      expect(relativeError(known, await run(await load(options), x))).toBeLessThan(1e-6);
    });

    it.each([undefined, rows])('is more precise with a lower bound of the values of %s rows', async (count) => {
      const lowest = -0.05;
      const clipped = x.map((value) => Math.max(lowest, value));
      const bounded = await run(await load(options, { lowest, ...(count && { count }) }), clipped);
      const plain = await run(await load(options), clipped);
      const errorOf = (y: Float32Array, row: number) =>
        relativeError(y.subarray(row * outputs, (row + 1) * outputs), expected(row, clipped));
      // Half of the error is the weights'.
      for (const row of [0, 1, 4]) expect(errorOf(bounded, row)).toBeLessThan(0.9 * errorOf(plain, row));
      // The steps of the row of small values follow from the bound.
      for (const row of [2, 3]) expect(errorOf(bounded, row)).toBeLessThan(0.1);
    });

    it('is more precise with scales of inputs that have outlying channels', async () => {
      const factors = Float32Array.from({ length: inputs }, (_, input) => (input % 25 === 7 ? 36 : 1));
      const outlying = x.map((value, index) => value * factors[index % inputs]!);
      const balancing = { weight: weight.map((value, index) => value / factors[index % inputs]!) };
      const plain = await run(await load(options, {}, balancing), outlying);
      const scaled = await run(await load(options, {}, { ...balancing, inputScales: factors }), outlying);
      for (const row of [0, 1, 2, 4]) {
        const errorOf = (y: Float32Array) =>
          relativeError(y.subarray(row * outputs, (row + 1) * outputs), expected(row));
        expect(errorOf(scaled)).toBeLessThan(0.2 * errorOf(plain));
      }
    });

    it('keeps rows independent of each other', async () => {
      const session = await load(options);
      const together = await run(session, x);
      for (let row = 0; row < rows; row++) {
        const alone = await run(session, x.slice(row * inputs, (row + 1) * inputs));
        expect([...alone]).toEqual([...together.subarray(row * outputs, (row + 1) * outputs)]);
      }
    });
  });
});
