import type { Tensor } from './builder.ts';
import { type DataType, dataTypes, type GraphProto, modelCodec, type NodeProto, type TensorProto } from './schema.ts';

const typeNames = new Map<number, DataType>(
  Object.entries(dataTypes).map(([name, number]) => [number, name as DataType]),
);

/**
 * The constants of an `.onnx` file, to rebuild a published graph. Exporters number constants (`onnx::MatMul_2282`) but
 * name nodes after modules (`/layers.0/mlp/fc1/MatMul`): a weight is found by the node that uses it.
 */
export class ModelWeights {
  readonly #tensors = new Map<string, TensorProto>();
  readonly #nodes = new Map<string, NodeProto>();

  /** @param file bytes of an `.onnx` file */
  constructor(file: Uint8Array) {
    const { graph } = modelCodec.decode(file) as unknown as { graph: GraphProto };
    this.#collect(graph);
  }

  #collect(graph: GraphProto): void {
    for (const tensor of graph.initializer) this.#tensors.set(tensor.name, tensor);
    for (const node of graph.node) {
      // Both branches of an If hold the same modules; take the first, without a cache.
      if (!this.#nodes.has(node.name)) this.#nodes.set(node.name, node);
      for (const { g, t } of node.attribute) {
        if (g) this.#collect(g);
        // Some exporters write constants as nodes.
        if (t && node.opType === 'Constant') this.#tensors.set(node.output[0]!, t);
      }
    }
  }

  /** The constant of a name. @throws Error if it is missing: the file is another model */
  tensor(name: string): Tensor {
    const proto = this.#tensors.get(name);
    if (!proto) throw new Error(`The model has no constant ${name}`);
    return decodeTensor(proto);
  }

  /** Whether there is a constant of a name. */
  has(name: string): boolean {
    return this.#tensors.has(name);
  }

  /** Names of a node's inputs. @throws Error if there is no such node */
  inputsOf(nodeName: string): string[] {
    const node = this.#nodes.get(nodeName);
    if (!node) throw new Error(`The model has no node ${nodeName}`);
    return node.input;
  }
}

function decodeTensor(proto: TensorProto): Tensor {
  const type = typeNames.get(proto.dataType);
  // Exporters write scalars into the typed fields instead of the raw bytes.
  const raw = proto.rawData?.length ? new Uint8Array(proto.rawData).buffer : undefined;
  const { dims } = proto;
  switch (type) {
    case 'float32':
      return { type, dims, data: raw ? new Float32Array(raw) : Float32Array.from(proto.floatData) };
    case 'int8':
      return { type, dims, data: raw ? new Int8Array(raw) : Int8Array.from(proto.int32Data) };
    case 'uint8':
      return { type, dims, data: raw ? new Uint8Array(raw) : Uint8Array.from(proto.int32Data) };
    case 'int64':
      return { type, dims, data: raw ? new BigInt64Array(raw) : BigInt64Array.from(proto.int64Data, BigInt) };
    default:
      throw new Error(`The constant ${proto.name} has the unsupported data type ${proto.dataType}`);
  }
}
