import type { GraphBuilder, Tensor, Value } from '../../../ort/graph/builder.ts';
import type { LinearOptions } from '../../../ort/graph/linear.ts';
import type { ModelWeights } from '../../../ort/graph/weights.ts';

/** Bytes `[rows, columns]`, row-major, with one scale and zero point, or one for each column. */
export interface QuantizedWeight {
  rows: number;
  columns: number;
  weight: Uint8Array;
  scales: number[];
  zeroPoints: number[];
}

/**
 * `x · weight + bias`.
 * @param node name of the export's node that multiplies
 * @param bias name of a tensor
 */
export function linear(
  graph: GraphBuilder,
  weights: ModelWeights,
  x: Value,
  options: LinearOptions,
  node: string,
  bias?: string,
): Value {
  return quantizedMatMul(
    graph,
    x,
    quantizedWeight(weights, node),
    options,
    bias === undefined ? undefined : weights.tensor(bias),
  );
}

/** Several projections of one input as one product, which quantizes and reads the input once. */
export function linears(
  graph: GraphBuilder,
  weights: ModelWeights,
  x: Value,
  options: LinearOptions,
  nodes: readonly string[],
): Value[] {
  const joined = quantizedMatMul(graph, x, joinColumns(nodes.map((node) => quantizedWeight(weights, node))), options);
  return graph.ops('Split', [joined], nodes.length, { axis: -1, num_outputs: nodes.length });
}

/** The product with a quantized weight. In int8 the input is quantized dynamically, per tensor, as in the export. */
export function quantizedMatMul(
  graph: GraphBuilder,
  x: Value,
  quantized: QuantizedWeight,
  options: LinearOptions,
  bias?: Tensor,
): Value {
  const { rows, columns, scales, zeroPoints } = quantized;
  const addend = bias ? graph.constant(bias) : '';
  if (options.computeType === 'float32') {
    const product = graph.op('MatMul', [
      x,
      graph.constant({ type: 'float32', dims: [rows, columns], data: dequantize(quantized) }),
    ]);
    return addend ? graph.op('Add', [product, addend]) : product;
  }
  const weight = options.signedWeights ? flipSigns(quantized.weight) : quantized.weight;
  const type = options.signedWeights ? 'int8' : 'uint8';
  const perColumn = scales.length > 1 ? [columns] : [];
  return graph.op('DynamicQuantizeMatMul', [
    x,
    graph.constant({ type, dims: [rows, columns], data: weight }),
    graph.constant({ type: 'float32', dims: perColumn, data: Float32Array.from(scales) }),
    graph.constant({
      type,
      dims: perColumn,
      data: options.signedWeights ? flipSigns(Uint8Array.from(zeroPoints)) : Uint8Array.from(zeroPoints),
    }),
    addend,
  ]);
}

function dequantize({ columns, weight, scales, zeroPoints }: QuantizedWeight): Float32Array {
  const values = new Float32Array(weight.length);
  const perColumn = scales.length > 1;
  for (let index = 0; index < values.length; index++) {
    const column = perColumn ? index % columns : 0;
    values[index] = (weight[index]! - zeroPoints[column]!) * scales[column]!;
  }
  return values;
}

/** Reads the weight of one of the export's nodes. */
export function quantizedWeight(weights: ModelWeights, node: string): QuantizedWeight {
  // MatMulInteger(activation, weight, activation's zero point, weight's zero point)
  const [, weightName, , zeroPointName] = weights.inputsOf(`${node}_quant`) as [string, string, string, string];
  const { dims, data } = weights.tensor(weightName);
  const [rows, columns] = dims as [number, number];
  const scaleName = weightName.replace(/_quantized$/, '_scale');
  return {
    rows,
    columns,
    weight: data as Uint8Array,
    scales: [Number(weights.tensor(scaleName).data[0])],
    zeroPoints: [Number(weights.tensor(zeroPointName).data[0])],
  };
}

/** Turns 0 … 255 into −128 … 127, as dot-product instructions take it, by flipping the top bits. */
function flipSigns(bytes: Uint8Array): Int8Array {
  const flipped = new Int8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) flipped[index] = bytes[index]! ^ 0x80;
  return flipped;
}

/** Joins weights of one input, with a scale and a zero point for each column. */
export function joinColumns(parts: readonly QuantizedWeight[]): QuantizedWeight {
  const first = parts[0]!;
  const columns = parts.reduce((sum, part) => sum + part.columns, 0);
  const size = first.rows * columns;
  const weight = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    for (let row = 0; row < part.rows; row++) {
      weight.set(part.weight.subarray(row * part.columns, (row + 1) * part.columns), row * columns + offset);
    }
    offset += part.columns;
  }
  const perColumn = (of: (part: QuantizedWeight) => number) =>
    parts.flatMap((part) => Array(part.columns).fill(of(part)));
  return {
    rows: first.rows,
    columns,
    weight,
    scales: perColumn((part) => part.scales[0]!),
    zeroPoints: perColumn((part) => part.zeroPoints[0]!),
  };
}
