import type { ExternalBytes, ExternalData } from './external-data.ts';
import { narrowToFloat16 } from './float16.ts';
import { type DataType, dataTypes, modelCodec } from './schema.ts';

/** A dense tensor in row-major order. Values of a float16 tensor are rounded. */
export interface Tensor {
  type: DataType;
  dims: readonly number[];
  data: Float32Array | Uint8Array | Int8Array | Int16Array | Int32Array | BigInt64Array;
}

/** The name of an edge of the graph. */
export type Value = string;

/** A plain number is an integer; `float()` makes a float. */
export type Attribute = number | readonly number[] | string | FloatAttribute | { graph: InnerGraph };
export interface FloatAttribute {
  float: number;
}
/** A float attribute, also for an integral value. */
export const float = (value: number): FloatAttribute => ({ float: value });

/** `NodeProto` */
interface Node {
  name?: string;
  opType: string;
  input: readonly Value[];
  output: readonly Value[];
  domain?: string;
  attribute?: readonly AttributeProto[];
}

/** `AttributeProto` */
interface AttributeProto {
  name: string;
  type: number;
  i?: number;
  f?: number;
  s?: Uint8Array;
  ints?: readonly number[];
  g?: InnerGraph;
}

/** `GraphProto` of a node with inner graphs. */
interface InnerGraph {
  name: string;
  node: readonly Node[];
  input: readonly { name: string }[];
  output: readonly { name: string }[];
}

/** A fixed size, or the name of a size that is known when the graph runs. */
export type Dimension = number | string;

const OPSET = 21;
const IR_VERSION = 10;
/**
 * Operators of onnxruntime's own domain: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
 */
const MICROSOFT_OPERATORS = new Set([
  'DynamicQuantizeMatMul',
  'FastGelu',
  'FusedMatMul',
  'Gelu',
  'MatMulIntegerToFloat',
  'MultiHeadAttention',
  'QLinearMul',
  'QLinearSigmoid',
  'RotaryEmbedding',
  'SkipLayerNormalization',
]);

/** onnxruntime's operators for blocked channels (NCHWc), by our names for them. */
const BLOCK_OPERATORS = new Map([
  ['ReorderInput', 'ReorderInput'],
  ['ReorderOutput', 'ReorderOutput'],
  ['BlockConv', 'Conv'],
]);
const BLOCK_DOMAIN = 'com.microsoft.nchwc';

/** Constants of this size and above are external. Shape inference needs the smaller ones in the model. */
const EXTERNAL_BYTES = 16384;
/** `TensorProto.DataLocation` */
const EXTERNAL = 1;

/**
 * Builds an ONNX graph node by node. Operators of onnxruntime's domain are recognized by name, and win over ONNX's
 * operators of the same name.
 */
export class GraphBuilder {
  readonly #name: string;
  readonly #external: ExternalData | undefined;
  #nodes: Node[] = [];
  readonly #initializers: object[] = [];
  readonly #inputs: object[] = [];
  readonly #outputs: object[] = [];
  /** Names of outputs by the values that they are. */
  readonly #outputNames = new Map<Value, string>();
  #count = 0;
  #hasBlocks = false;

  /** @param external receives the large constants; without it the model holds them, at most 2 GB */
  constructor(name: string, external?: ExternalData) {
    this.#name = name;
    this.#external = external;
  }

  /** Adds an input of the graph. */
  input(name: string, type: DataType, dims: readonly Dimension[]): Value {
    this.#inputs.push(valueInfo(name, type, dims));
    return name;
  }

  /** Adds an output of the graph. Other nodes can read the value, too. */
  output(name: string, value: Value, type: DataType, dims: readonly Dimension[]): void {
    this.#outputs.push(valueInfo(name, type, dims));
    // onnxruntime copies a value that an Identity and other nodes read.
    const isOfNode = this.#nodes.some(({ output }) => output.includes(value));
    if (isOfNode && !this.#outputNames.has(value)) this.#outputNames.set(value, name);
    else this.#nodes.push({ opType: 'Identity', input: [value], output: [name] });
  }

  /** Adds a constant. @throws RangeError if its dimensions do not match its number of values */
  constant(tensor: Tensor): Value {
    const size = tensor.dims.reduce((product, dim) => product * dim, 1);
    if (size !== tensor.data.length) throw new RangeError(`${tensor.data.length} values do not fill [${tensor.dims}]`);
    const name = `constant_${this.#count++}`;
    const { buffer, byteOffset, byteLength } =
      tensor.type === 'float16' && tensor.data instanceof Float32Array ? narrowToFloat16(tensor.data) : tensor.data;
    const rawData = new Uint8Array(buffer, byteOffset, byteLength);
    const external = byteLength >= EXTERNAL_BYTES ? this.#external?.append(rawData) : undefined;
    this.#initializers.push({
      name,
      dims: tensor.dims,
      dataType: dataTypes[tensor.type],
      ...(external ? { dataLocation: EXTERNAL, externalData: externalEntries(external) } : { rawData }),
    });
    return name;
  }

  /** A one-dimensional int64 constant: a shape, axes, sizes. */
  ints(...values: number[]): Value {
    return this.constant({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });
  }

  /** An int64 scalar: an index. */
  integer(value: number): Value {
    return this.constant({ type: 'int64', dims: [], data: BigInt64Array.of(BigInt(value)) });
  }

  /** A float32 scalar. */
  scalar(value: number): Value {
    return this.constant({ type: 'float32', dims: [], data: Float32Array.of(value) });
  }

  /** Adds a node with one output. `''` omits an optional input. */
  op(opType: string, inputs: readonly Value[], attributes: Record<string, Attribute> = {}): Value {
    return this.ops(opType, inputs, 1, attributes)[0] as Value;
  }

  /** Adds a node with several outputs. @param outputs how many, or which of them are used; others are `''` */
  ops(
    opType: string,
    input: readonly Value[],
    outputs: number | readonly boolean[],
    attributes: Record<string, Attribute> = {},
  ): Value[] {
    const id = this.#count++;
    const isUsed = typeof outputs === 'number' ? new Array<boolean>(outputs).fill(true) : outputs;
    const output = isUsed.map((used, index) => (used ? `${opType}_${id}_${index}` : ''));
    this.#nodes.push({
      name: `${opType}_${id}`,
      opType: BLOCK_OPERATORS.get(opType) ?? opType,
      input,
      output,
      domain: this.#domainOf(opType),
      attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    });
    return output;
  }

  /**
   * Adds a `Scan`: a graph that runs once per slice of its inputs along their first dimension. Its intermediate values
   * are as small as a slice and stay in the cache. It can read values of the outer graph.
   * @param inputs `[slices, …]` each
   * @param body builds the graph on one slice of each input; returns its outputs
   * @returns `[slices, …]` each
   */
  async scan(inputs: readonly Value[], body: (slices: Value[]) => Promise<readonly Value[]>): Promise<Value[]> {
    const slices = inputs.map(() => `part_${this.#count++}`);
    const { graph, results } = await this.#inner(slices, () => body(slices));
    return this.ops('Scan', inputs, results.length, { num_scan_inputs: inputs.length, body: { graph } });
  }

  /**
   * Adds an `If`: two graphs, of which one runs. They can read values of the outer graph.
   * @param condition bool [1]
   * @returns the output of the graph that runs
   */
  async when(condition: Value, then: () => Promise<Value>, otherwise: () => Promise<Value>): Promise<Value> {
    const [thenBranch, elseBranch] = [await this.#inner([], then), await this.#inner([], otherwise)];
    return this.op('If', [condition], {
      then_branch: { graph: thenBranch.graph },
      else_branch: { graph: elseBranch.graph },
    });
  }

  async #inner<Results extends Value | readonly Value[]>(inputs: readonly Value[], body: () => Promise<Results>) {
    const outer = this.#nodes;
    this.#nodes = [];
    const results = await body();
    const graph = {
      name: `inner_${this.#count++}`,
      node: this.#nodes,
      input: inputs.map((name) => ({ name })),
      output: [results].flat().map((name) => ({ name })),
    };
    this.#nodes = outer;
    return { graph, results };
  }

  #domainOf(opType: string): string {
    if (MICROSOFT_OPERATORS.has(opType)) return 'com.microsoft';
    if (!BLOCK_OPERATORS.has(opType)) return '';
    this.#hasBlocks = true;
    return BLOCK_DOMAIN;
  }

  /** The bytes of the `.onnx` file. */
  build(): Uint8Array {
    const model = {
      irVersion: IR_VERSION,
      producerName: 'hearsay',
      opsetImport: [
        { domain: '', version: OPSET },
        { domain: 'com.microsoft', version: 1 },
        ...(this.#hasBlocks ? [{ domain: BLOCK_DOMAIN, version: 1 }] : []),
      ],
      graph: {
        name: this.#name,
        node: renamed(this.#nodes, this.#outputNames),
        initializer: this.#initializers,
        input: this.#inputs,
        output: this.#outputs,
      },
    };
    return modelCodec.encode(model).finish();
  }
}

/** Nodes and their inner graphs with other names for some values. */
function renamed(nodes: readonly Node[], names: ReadonlyMap<Value, string>): Node[] {
  const rename = (value: Value) => names.get(value) ?? value;
  return nodes.map((node) => ({
    ...node,
    input: node.input.map(rename),
    output: node.output.map(rename),
    attribute: node.attribute?.map(({ g, ...attribute }) => ({
      ...attribute,
      ...(g && {
        g: { ...g, node: renamed(g.node, names), output: g.output.map(({ name }) => ({ name: rename(name) })) },
      }),
    })),
  }));
}

function externalEntries(bytes: ExternalBytes): object[] {
  return Object.entries(bytes).map(([key, value]) => ({ key, value: String(value) }));
}

function valueInfo(name: string, type: DataType, dims: readonly Dimension[]): object {
  const dim = dims.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size }));
  return { name, type: { tensorType: { elemType: dataTypes[type], shape: { dim } } } };
}

// `AttributeProto.AttributeType`
const FLOAT = 1;
const INT = 2;
const STRING = 3;
const GRAPH = 5;
const INTS = 7;

function attribute(name: string, value: Attribute): AttributeProto {
  if (typeof value === 'number') return { name, type: INT, i: value };
  if (typeof value === 'string') return { name, type: STRING, s: Buffer.from(value) };
  if ('graph' in value) return { name, type: GRAPH, g: value.graph };
  if ('float' in value) return { name, type: FLOAT, f: value.float };
  return { name, type: INTS, ints: value };
}
