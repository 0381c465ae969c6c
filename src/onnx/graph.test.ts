import { describe, expect, it } from 'vitest';
import { float32, Session } from '../inference/session.ts';
import { float, GraphBuilder } from './graph.ts';
import { ModelWeights } from './weights.ts';

function scaledSum(): Uint8Array {
  const graph = new GraphBuilder('scaled-sum');
  const x = graph.input('x', 'float32', ['rows', 3]);
  const weight = graph.constant({ type: 'float32', dims: [3], data: Float32Array.of(1, 10, 100) });
  const product = graph.op('Mul', [x, weight]);
  const sum = graph.op('ReduceSum', [product, graph.ints(1)], { keepdims: 0 });
  graph.output('sum', graph.op('LeakyRelu', [sum], { alpha: float(0.5) }), 'float32', ['rows']);
  return graph.build();
}

describe('GraphBuilder', () => {
  it('writes a model that onnxruntime runs, with integer and float attributes', async () => {
    const session = await Session.load(scaledSum(), { threads: 1 });
    const { sum } = await session.run({ x: float32(Float32Array.of(1, 2, 3, -1, 0, 0), [2, 3]) });
    expect([...(sum!.data as Float32Array)]).toEqual([321, -0.5]);
  });

  it('refuses a constant whose shape its values do not fill', () => {
    const graph = new GraphBuilder('wrong');
    expect(() => graph.constant({ type: 'float32', dims: [2, 2], data: new Float32Array(3) })).toThrow(RangeError);
  });
});

describe('ModelWeights', () => {
  it('reads constants back, and finds them by the node that uses them', () => {
    const weights = new ModelWeights(scaledSum());
    const [, name] = weights.inputsOf('Mul_1');
    expect(weights.tensor(name!)).toEqual({ type: 'float32', dims: [3], data: Float32Array.of(1, 10, 100) });
  });

  it('names what a file does not hold', () => {
    const weights = new ModelWeights(scaledSum());
    expect(() => weights.tensor('missing')).toThrow('missing');
    expect(() => weights.inputsOf('absent')).toThrow('absent');
  });
});
