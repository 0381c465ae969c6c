import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';
import type { LinearOptions } from '../../../ort/graph/linear.ts';

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
/** Zero point of unsigned bytes that stand for positive and negative numbers. */
const MIDDLE = 128;
const LARGEST_BYTE = 255;
/** `TensorProto.DataType` */
const FLOAT = 1;
/** Avoids a division by zero for all-zero inputs. */
const MIN_MAGNITUDE = 1e-10;

/**
 * Byte keys and values, `[audios, heads, positions, headSize]`, with a scale for each of their channels, and for each token's
 * query and probabilities. A few probabilities may be large and hundreds small: each is two bytes, the second for the
 * remainder of the first, and one product takes both.
 *
 * Kernels repack the right operand of a product in every run, and pad its columns to sixteen. Keys are the left one, since
 * as the right one, transposed, they would be read with a stride. Values are the right one: their rows are read in order.
 */
export class ByteCrossAttention implements CrossAttention {
  readonly #graph: GraphBuilder;
  readonly #shape: CrossAttentionShape;
  readonly #rightType: 'int8' | 'uint8';
  #shared: ByteConstants | undefined;

  /** @param options.signedWeights whether right operands are signed, as kernels with dot-product instructions take them */
  constructor(
    graph: GraphBuilder,
    shape: CrossAttentionShape,
    { signedWeights }: Pick<LinearOptions, 'signedWeights'>,
  ) {
    this.#graph = graph;
    this.#shape = shape;
    this.#rightType = signedWeights ? 'int8' : 'uint8';
  }

  write(layer: number, key: Value, value: Value): void {
    this.#writeBytes(this.#stored('key', layer), key);
    this.#writeBytes(this.#stored('value', layer), value);
  }

  attend(layer: number, query: Value): { attended: Value; probabilities: Value } {
    const graph = this.#graph;
    const { products, scale } = this.#multiplyKeys(layer, query);
    const byToken = graph.op('Transpose', [products], { perm: [0, 1, 3, 2] });
    // Flatten to rows until the transposition's result is used up: otherwise onnxruntime moves it past softmax.
    const scores = graph.op('Mul', [graph.op('Flatten', [byToken], { axis: 3 }), scale]);
    const rows = graph.op('Softmax', [scores], { axis: -1 });
    const probabilities = graph.op('Reshape', [rows, graph.op('Shape', [byToken])]);
    const attended = graph.op('Transpose', [this.#sumValues(layer, probabilities)], { perm: [0, 2, 1, 3] });
    return { attended, probabilities };
  }

  /** @returns `products` [audios, heads, positions, tokens], and the scale of each token's, `[audios · heads · tokens, 1]` */
  #multiplyKeys(layer: number, query: Value): { products: Value; scale: Value } {
    const graph = this.#graph;
    const { unit, middle, right } = this.#constants();
    const key = this.#readBytes(this.#stored('key', layer));
    const byChannel = graph.op('Transpose', [query], { perm: [0, 2, 3, 1] });
    const scaled = graph.op('Mul', [byChannel, key.scale]);
    const largest = this.#largest(scaled);
    const bytes = graph.op('QuantizeLinear', [graph.op('Div', [scaled, largest]), unit, right]);
    const products = graph.op('Cast', [graph.op('MatMulInteger', [key.bytes, bytes, middle, right])], { to: FLOAT });
    return { products, scale: graph.op('Reshape', [graph.op('Mul', [largest, unit]), graph.ints(-1, 1)]) };
  }

  /** @param probabilities `[audios, heads, tokens, positions]` @returns `[audios, heads, tokens, headSize]` */
  #sumValues(layer: number, probabilities: Value): Value {
    const graph = this.#graph;
    const { largestByte, step, one, none, right } = this.#constants();
    const value = this.#readBytes(this.#stored('value', layer));
    const highest = graph.op('ReduceMax', [probabilities, graph.ints(-1)], { keepdims: 1 });
    const steps = graph.op('Mul', [probabilities, graph.op('Div', [largestByte, highest])]);
    const whole = graph.op('Floor', [steps]);
    const first = graph.op('QuantizeLinear', [whole, one, none]);
    const second = graph.op('QuantizeLinear', [graph.op('Sub', [steps, whole]), step, none]);
    const both = graph.op('Concat', [first, second], { axis: 2 });
    const sums = graph.op('MatMulIntegerToFloat', [both, value.bytes, step, one, none, right]);
    const [wholes, rests] = graph.ops('Split', [sums], 2, { axis: 2, num_outputs: 2 }) as [Value, Value];
    const sum = graph.op('Add', [wholes, graph.op('Mul', [rests, step])]);
    return graph.op('Mul', [graph.op('Mul', [sum, value.scale]), highest]);
  }

  #writeBytes({ name, scaleName, type, zero, dims, scaleDims }: StoredBytes, x: Value): void {
    const graph = this.#graph;
    const { unit } = this.#constants();
    const byHead = graph.op('Transpose', [x], { perm: [0, 2, 1, 3] });
    const largest = this.#largest(byHead);
    const bytes = graph.op('QuantizeLinear', [graph.op('Div', [byHead, largest]), unit, zero]);
    const scale = graph.op('Reshape', [graph.op('Mul', [largest, unit]), graph.ints(0, ...scaleDims)]);
    graph.output(name, bytes, type, ['audios', ...dims]);
    graph.output(scaleName, scale, 'float32', ['audios', ...scaleDims]);
  }

  #readBytes({ name, scaleName, type, dims, scaleDims }: StoredBytes): { bytes: Value; scale: Value } {
    return {
      bytes: this.#graph.input(name, type, ['audios', ...dims]),
      scale: this.#graph.input(scaleName, 'float32', ['audios', ...scaleDims]),
    };
  }

  /** The largest magnitude along the second to last axis: of a channel's positions, or of a token's channels. */
  #largest(x: Value): Value {
    const graph = this.#graph;
    const magnitude = graph.op('ReduceMax', [graph.op('Abs', [x]), graph.ints(-2)], { keepdims: 1 });
    return graph.op('Max', [magnitude, this.#constants().smallest]);
  }

  #stored(kind: 'key' | 'value', layer: number): StoredBytes {
    const { heads, headSize } = this.#shape;
    const { middle, right } = this.#constants();
    const common = {
      name: `cross_${kind}.${layer}`,
      scaleName: `cross_${kind}_scale.${layer}`,
      dims: [heads, POSITIONS, headSize],
    };
    // Queries are multiplied by the scales of keys with channels before tokens, values are summed with channels last.
    return kind === 'key'
      ? { ...common, type: 'uint8', zero: middle, scaleDims: [heads, headSize, 1] }
      : { ...common, type: this.#rightType, zero: right, scaleDims: [heads, 1, headSize] };
  }

  #constants(): ByteConstants {
    if (this.#shared) return this.#shared;
    const graph = this.#graph;
    const byte = (value: number) => graph.constant({ type: 'uint8', dims: [], data: Uint8Array.of(value) });
    const middle = byte(MIDDLE);
    this.#shared = {
      smallest: graph.scalar(MIN_MAGNITUDE),
      unit: graph.scalar(1 / LIMIT),
      largestByte: graph.scalar(LARGEST_BYTE),
      step: graph.scalar(1 / LARGEST_BYTE),
      one: graph.scalar(1),
      none: byte(0),
      middle,
      right: this.#rightType === 'int8' ? graph.constant({ type: 'int8', dims: [], data: Int8Array.of(0) }) : middle,
    };
    return this.#shared;
  }
}

/** Keys or values of a layer: an output of the encoder's graph, and an input of the decoder's. */
interface StoredBytes {
  name: string;
  scaleName: string;
  type: 'int8' | 'uint8';
  /** Zero point. */
  zero: Value;
  /** Dimensions of the bytes, and of the scales, for one audio. */
  dims: (string | number)[];
  scaleDims: number[];
}

interface ByteConstants {
  smallest: Value;
  /** One step of a positive or negative number, if the largest is 1. */
  unit: Value;
  /** One step of a probability, if the largest is 1. */
  step: Value;
  largestByte: Value;
  one: Value;
  none: Value;
  middle: Value;
  /** Zero point of the right operands. */
  right: Value;
}
