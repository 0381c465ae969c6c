import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cpu } from '../device.ts';
import { bool, float32, Session } from '../session.ts';
import { float, GraphBuilder } from './builder.ts';
import { ExternalData } from './external-data.ts';
import { modelCodec } from './schema.ts';
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
  it('builds a model with integer and float attributes that onnxruntime runs', async () => {
    const session = await Session.load(scaledSum(), cpu());
    const { sum } = await session.run({ x: float32(Float32Array.of(1, 2, 3, -1, 0, 0), [2, 3]) });
    expect([...(sum!.data as Float32Array)]).toEqual([321, -0.5]);
  });

  it('scans slices of its inputs, with access to the outer graph', async () => {
    const graph = new GraphBuilder('parts');
    const x = graph.input('x', 'float32', ['parts', 2, 2]);
    const y = graph.input('y', 'float32', ['parts', 2]);
    const offset = graph.op('ReduceMax', [y], { keepdims: 0 });
    const [sums, largest] = await graph.scan([x, y], async ([rows, shifts]) => {
      const shifted = graph.op('Add', [graph.op('Add', [rows!, shifts!]), offset]);
      return [shifted, graph.op('ReduceMax', [shifted, graph.ints(-1)], { keepdims: 0 })];
    });
    graph.output('sums', sums!, 'float32', ['parts', 2, 2]);
    graph.output('largest', largest!, 'float32', ['parts', 2]);
    const session = await Session.load(graph.build(), cpu());
    const results = await session.run({
      x: float32(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 2, 2]),
      y: float32(Float32Array.of(10, 0, 0, 20), [2, 2]),
    });
    expect([...(results.sums!.data as Float32Array)]).toEqual([31, 22, 33, 24, 25, 46, 27, 48]);
    expect(results.largest!.dims).toEqual([2, 2]);
    expect([...(results.largest!.data as Float32Array)]).toEqual([31, 33, 46, 48]);
  });

  it('runs one of two branches, with access to the outer graph', async () => {
    const graph = new GraphBuilder('branches');
    const x = graph.input('x', 'float32', ['rows']);
    const doubled = graph.op('Mul', [x, graph.scalar(2)]);
    const result = await graph.when(
      graph.input('condition', 'bool', [1]),
      async () => graph.op('Add', [graph.op('Neg', [doubled]), x]),
      async () => graph.op('ConstantOfShape', [graph.ints(0)]),
    );
    graph.output('result', result, 'float32', ['results']);
    const session = await Session.load(graph.build(), cpu());
    const run = async (condition: boolean) => {
      const { result } = await session.run({ x: float32(Float32Array.of(1, 2, 3), [3]), condition: bool(condition) });
      return [...(result!.data as Float32Array)];
    };
    expect(await run(true)).toEqual([-1, -2, -3]);
    expect(await run(false)).toEqual([]);
  });

  it('returns values that other nodes read, too, without copying them', async () => {
    const graph = new GraphBuilder('outputs');
    const x = graph.input('x', 'float32', ['rows']);
    const doubled = graph.op('Mul', [x, graph.scalar(2)]);
    graph.output('doubled', doubled, 'float32', ['rows']);
    const branch = await graph.when(
      graph.input('condition', 'bool', [1]),
      async () => graph.op('Neg', [doubled]),
      async () => graph.op('Add', [doubled, x]),
    );
    graph.output('branch', branch, 'float32', ['rows']);
    const bytes = graph.build();
    const { node } = (modelCodec.decode(bytes) as unknown as { graph: { node: { opType: string }[] } }).graph;
    expect(node.map(({ opType }) => opType)).toEqual(['Mul', 'If']);
    const session = await Session.load(bytes, cpu());
    const run = (condition: boolean) =>
      session.run({ x: float32(Float32Array.of(1, 2), [2]), condition: bool(condition) });
    const values = async (condition: boolean) =>
      Object.entries(await run(condition)).map(([name, { data }]) => [name, ...data]);
    expect(await values(true)).toEqual([
      ['doubled', 2, 4],
      ['branch', -2, -4],
    ]);
    expect(await values(false)).toEqual([
      ['doubled', 2, 4],
      ['branch', 3, 6],
    ]);
  });

  it('returns an input, a constant, and a value by two names', async () => {
    const graph = new GraphBuilder('copies');
    const x = graph.input('x', 'float32', ['rows']);
    const negative = graph.op('Neg', [x]);
    const values = { same: x, constant: graph.scalar(5), one: negative, two: negative };
    for (const [name, value] of Object.entries(values)) {
      graph.output(name, value, 'float32', name === 'constant' ? [] : ['rows']);
    }
    const session = await Session.load(graph.build(), cpu());
    const results = await session.run({ x: float32(Float32Array.of(1), [1]) });
    expect(Object.entries(results).map(([name, { data }]) => [name, ...data])).toEqual([
      ['same', 1],
      ['constant', 5],
      ['one', -1],
      ['two', -1],
    ]);
  });

  it('rejects a constant whose shape does not match its values', () => {
    const graph = new GraphBuilder('wrong');
    expect(() => graph.constant({ type: 'float32', dims: [2, 2], data: new Float32Array(3) })).toThrow(RangeError);
  });
});

describe('GraphBuilder with external data', () => {
  const size = 128;
  let folder: string;
  let model: string;

  /** x · A · B + c: the matrices are external, the scalar is in the model. */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearsay-external-'));
    model = join(folder, 'model.onnx');
    const external = new ExternalData(join(folder, 'model.weights'));
    const graph = new GraphBuilder('external', external);
    const matrix = (value: (row: number, column: number) => number) => {
      const data = Float32Array.from({ length: size * size }, (_, index) =>
        value(Math.floor(index / size), index % size),
      );
      return graph.constant({ type: 'float32', dims: [size, size], data });
    };
    const x = graph.input('x', 'float32', [1, size]);
    const twice = matrix((row, column) => (row === column ? 2 : 0));
    const reversed = matrix((row, column) => (row === size - 1 - column ? 1 : 0));
    const product = graph.op('MatMul', [graph.op('MatMul', [x, twice]), reversed]);
    graph.output('y', graph.op('Add', [product, graph.scalar(1)]), 'float32', [1, size]);
    await writeFile(model, graph.build());
    external.close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes large constants to a file that the session finds', async () => {
    expect((await stat(model)).size).toBeLessThan(2048);
    expect((await stat(join(folder, 'model.weights'))).size).toBe(2 * size * size * 4);
    const session = await Session.load(model, cpu());
    const x = Float32Array.from({ length: size }, (_, index) => index);
    const { y } = await session.run({ x: float32(x, [1, size]) });
    expect([...(y!.data as Float32Array)]).toEqual([...x].reverse().map((value) => 2 * value + 1));
  });

  it('does not load if that file is truncated or missing', async () => {
    await truncate(join(folder, 'model.weights'), size * size * 4 + 100);
    await expect(Session.load(model, cpu())).rejects.toThrow();
    await rm(join(folder, 'model.weights'));
    await expect(Session.load(model, cpu())).rejects.toThrow();
  });

  it('never overwrites an existing file', async () => {
    const weights = await readFile(join(folder, 'model.weights'));
    expect(() => new ExternalData(join(folder, 'model.weights'))).toThrow('EEXIST');
    expect(await readFile(join(folder, 'model.weights'))).toEqual(weights);
  });
});

describe('ModelWeights', () => {
  it('reads constants, by name or by the node that uses them', () => {
    const weights = new ModelWeights(scaledSum());
    const [, name] = weights.inputsOf('Mul_1');
    expect(weights.tensor(name!)).toEqual({ type: 'float32', dims: [3], data: Float32Array.of(1, 10, 100) });
  });

  it('names the constant or node that is missing', () => {
    const weights = new ModelWeights(scaledSum());
    expect(() => weights.tensor('missing')).toThrow('missing');
    expect(() => weights.inputsOf('absent')).toThrow('absent');
  });
});
