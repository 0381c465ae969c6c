import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';

/**
 * Cross-attention, softmax(q · k) · v, with keys and values that the encoder's graph writes and the decoder's reads. Each
 * window has its own, so that batching windows saves nothing here: reading them takes most of a step of several windows.
 */
export interface CrossAttention {
  /**
   * Adds a layer's keys and values to the outputs of the encoder's graph.
   * @param key `[audios, positions, heads, headSize]`, like `value`
   */
  write(layer: number, key: Value, value: Value): void;
  /**
   * Reads them as inputs of the decoder's graph, with the same names.
   * @param query `[audios, tokens, heads, headSize]`, scaled
   * @returns `attended` of the same shape, `probabilities` [audios, heads, tokens, positions]
   */
  attend(layer: number, query: Value): { attended: Value; probabilities: Value };
}

export interface CrossAttentionShape {
  heads: number;
  headSize: number;
}

/** Audios of one run have the same number of positions. */
const POSITIONS = 'audio positions';

/** Float32 keys and values, transposed for the products: `[audios, heads, headSize, positions]`. */
export class FloatCrossAttention implements CrossAttention {
  readonly #graph: GraphBuilder;
  readonly #dims: (string | number)[];

  constructor(graph: GraphBuilder, { heads, headSize }: CrossAttentionShape) {
    this.#graph = graph;
    this.#dims = ['audios', heads, headSize, POSITIONS];
  }

  write(layer: number, key: Value, value: Value): void {
    const graph = this.#graph;
    for (const [kind, x] of Object.entries({ key, value })) {
      graph.output(`cross_${kind}.${layer}`, graph.op('Transpose', [x], { perm: [0, 2, 3, 1] }), 'float32', this.#dims);
    }
  }

  attend(layer: number, query: Value): { attended: Value; probabilities: Value } {
    const graph = this.#graph;
    const key = graph.input(`cross_key.${layer}`, 'float32', this.#dims);
    const value = graph.input(`cross_value.${layer}`, 'float32', this.#dims);
    const byHead = graph.op('Transpose', [query], { perm: [0, 2, 1, 3] });
    const probabilities = graph.op('Softmax', [graph.op('MatMul', [byHead, key])], { axis: -1 });
    const attended = graph.op('FusedMatMul', [probabilities, value], { transB: 1 });
    return { attended: graph.op('Transpose', [attended], { perm: [0, 2, 1, 3] }), probabilities };
  }
}

/** Largest magnitude of a signed byte, without −128 to keep the range symmetric. */
const LIMIT = 127;
/** Zero point of unsigned bytes. */
const ZERO_POINT = 128;
/** `TensorProto.DataType` */
const FLOAT = 1;
/** Avoids a division by zero for all-zero inputs. */
const MIN_MAGNITUDE = 1e-10;

/**
 * Byte keys and values, with a scale for each of their channels, and for each token's query and probabilities. A few
 * probabilities may be large and hundreds small: each is two bytes, the second for the remainder of the first, and one
 * product takes both. Keys and values are the left operands, because kernels repack the right ones, which are small, in
 * every run.
 */
export class ByteCrossAttention implements CrossAttention {
  readonly #graph: GraphBuilder;
  readonly #shape: CrossAttentionShape;
  #shared: ByteConstants | undefined;

  constructor(graph: GraphBuilder, shape: CrossAttentionShape) {
    this.#graph = graph;
    this.#shape = shape;
  }

  write(layer: number, key: Value, value: Value): void {
    const graph = this.#graph;
    const { key: keyDims, value: valueDims } = this.#dims;
    this.#writeBytes('cross_key', layer, graph.op('Transpose', [key], { perm: [0, 2, 1, 3] }), 2, keyDims);
    this.#writeBytes('cross_value', layer, graph.op('Transpose', [value], { perm: [0, 2, 3, 1] }), 3, valueDims);
  }

  attend(layer: number, query: Value): { attended: Value; probabilities: Value } {
    const { key: keyDims, value: valueDims } = this.#dims;
    const graph = this.#graph;
    const { unit, one, none, limit, middle } = this.#constants();
    const [key, keyScale] = this.#readBytes('cross_key', layer, keyDims);
    const [value, valueScale] = this.#readBytes('cross_value', layer, valueDims);

    const byChannel = graph.op('Transpose', [query], { perm: [0, 2, 3, 1] });
    const scaled = graph.op('Mul', [byChannel, keyScale]);
    const largest = this.#largest(scaled, 2);
    const bytes = graph.op('QuantizeLinear', [graph.op('Div', [scaled, largest]), unit, none]);
    const products = graph.op('Cast', [graph.op('MatMulInteger', [key, bytes, middle])], { to: FLOAT });
    const byToken = graph.op('Transpose', [products], { perm: [0, 1, 3, 2] });
    // Flatten to rows until the next product: otherwise onnxruntime undoes the transposition.
    const rows = graph.op('Flatten', [byToken], { axis: 3 });
    const queryScale = graph.op('Reshape', [graph.op('Mul', [largest, unit]), graph.ints(-1, 1)]);
    const distribution = graph.op('Softmax', [graph.op('Mul', [rows, queryScale])], { axis: -1 });

    const highest = graph.op('ReduceMax', [distribution, graph.ints(-1)], { keepdims: 1 });
    const parts = graph.op('Mul', [distribution, graph.op('Div', [limit, highest])]);
    const whole = graph.op('Floor', [parts]);
    const first = graph.op('QuantizeLinear', [whole, one, none]);
    const second = graph.op('QuantizeLinear', [graph.op('Sub', [parts, whole]), unit, none]);
    const shape = graph.op('Shape', [byToken]);
    const [probabilities, ...pair] = [distribution, first, second].map((x) => graph.op('Reshape', [x, shape])) as [
      Value,
      Value,
      Value,
    ];
    const both = graph.op('Transpose', [graph.op('Concat', pair, { axis: 2 })], { perm: [0, 1, 3, 2] });
    const sums = graph.op('MatMulIntegerToFloat', [value, both, one, one, middle]);
    const [wholes, rests] = graph.ops('Split', [sums], 2, { axis: -1, num_outputs: 2 }) as [Value, Value];
    const sum = graph.op('Add', [wholes, graph.op('Mul', [rests, unit])]);
    const tokenScale = graph.op('Reshape', [graph.op('Mul', [highest, unit]), graph.op('Shape', [largest])]);
    const attended = graph.op('Mul', [graph.op('Mul', [sum, valueScale]), tokenScale]);
    return { attended: graph.op('Transpose', [attended], { perm: [0, 3, 1, 2] }), probabilities };
  }

  /** @param axis of the positions, which share a scale */
  #writeBytes(name: string, layer: number, x: Value, axis: number, dims: Dims): void {
    const graph = this.#graph;
    const { unit, middle } = this.#constants();
    const largest = this.#largest(x, axis);
    const bytes = graph.op('QuantizeLinear', [graph.op('Div', [x, largest]), unit, middle]);
    const scale = graph.op('Reshape', [graph.op('Mul', [largest, unit]), graph.ints(0, 0, this.#shape.headSize, 1)]);
    graph.output(`${name}.${layer}`, bytes, 'uint8', dims.bytes);
    graph.output(`${name}_scale.${layer}`, scale, 'float32', dims.scale);
  }

  #readBytes(name: string, layer: number, dims: Dims): [Value, Value] {
    const bytes = this.#graph.input(`${name}.${layer}`, 'uint8', dims.bytes);
    return [bytes, this.#graph.input(`${name}_scale.${layer}`, 'float32', dims.scale)];
  }

  #largest(x: Value, axis: number): Value {
    const graph = this.#graph;
    const magnitude = graph.op('ReduceMax', [graph.op('Abs', [x]), graph.ints(axis)], { keepdims: 1 });
    return graph.op('Max', [magnitude, this.#constants().smallest]);
  }

  #constants(): ByteConstants {
    const graph = this.#graph;
    this.#shared ??= {
      smallest: graph.scalar(MIN_MAGNITUDE),
      limit: graph.scalar(LIMIT),
      unit: graph.scalar(1 / LIMIT),
      one: graph.scalar(1),
      middle: graph.constant({ type: 'uint8', dims: [], data: Uint8Array.of(ZERO_POINT) }),
      none: graph.constant({ type: 'int8', dims: [], data: Int8Array.of(0) }),
    };
    return this.#shared;
  }

  get #dims(): { key: Dims; value: Dims } {
    const { heads, headSize } = this.#shape;
    const scale = ['audios', heads, headSize, 1];
    return {
      key: { bytes: ['audios', heads, POSITIONS, headSize], scale },
      value: { bytes: ['audios', heads, headSize, POSITIONS], scale },
    };
  }
}

interface Dims {
  bytes: (string | number)[];
  scale: (string | number)[];
}

interface ByteConstants {
  smallest: Value;
  limit: Value;
  /** One step of a signed byte, if the largest is 1. */
  unit: Value;
  one: Value;
  middle: Value;
  none: Value;
}
