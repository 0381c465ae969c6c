import protobuf from 'protobufjs/light.js';

/**
 * The part of ONNX's `onnx.proto` (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) that we read and write.
 * Fields that are not listed are skipped when reading.
 */
const messages: Record<string, Record<string, [number, string, 'repeated'?]>> = {
  ModelProto: {
    irVersion: [1, 'int64'],
    producerName: [2, 'string'],
    graph: [7, 'GraphProto'],
    opsetImport: [8, 'OperatorSetIdProto', 'repeated'],
  },
  OperatorSetIdProto: { domain: [1, 'string'], version: [2, 'int64'] },
  GraphProto: {
    node: [1, 'NodeProto', 'repeated'],
    name: [2, 'string'],
    initializer: [5, 'TensorProto', 'repeated'],
    input: [11, 'ValueInfoProto', 'repeated'],
    output: [12, 'ValueInfoProto', 'repeated'],
  },
  NodeProto: {
    input: [1, 'string', 'repeated'],
    output: [2, 'string', 'repeated'],
    name: [3, 'string'],
    opType: [4, 'string'],
    attribute: [5, 'AttributeProto', 'repeated'],
    domain: [7, 'string'],
  },
  AttributeProto: {
    name: [1, 'string'],
    f: [2, 'float'],
    i: [3, 'int64'],
    s: [4, 'bytes'],
    t: [5, 'TensorProto'],
    g: [6, 'GraphProto'],
    floats: [7, 'float', 'repeated'],
    ints: [8, 'int64', 'repeated'],
    type: [20, 'int32'],
  },
  TensorProto: {
    dims: [1, 'int64', 'repeated'],
    dataType: [2, 'int32'],
    floatData: [4, 'float', 'repeated'],
    int32Data: [5, 'int32', 'repeated'],
    int64Data: [7, 'int64', 'repeated'],
    name: [8, 'string'],
    rawData: [9, 'bytes'],
    externalData: [13, 'StringStringEntryProto', 'repeated'],
    dataLocation: [14, 'int32'],
  },
  StringStringEntryProto: { key: [1, 'string'], value: [2, 'string'] },
  ValueInfoProto: { name: [1, 'string'], type: [2, 'TypeProto'] },
  TypeProto: { tensorType: [1, 'TensorTypeProto'] },
  TensorTypeProto: { elemType: [1, 'int32'], shape: [2, 'TensorShapeProto'] },
  TensorShapeProto: { dim: [1, 'DimensionProto', 'repeated'] },
  DimensionProto: { dimValue: [1, 'int64'], dimParam: [2, 'string'] },
};

// Every int64 here is a version, a size or an index: plain numbers hold them exactly.
(protobuf.util as { Long?: unknown }).Long = undefined;
protobuf.configure();

const root = new protobuf.Root();
for (const [message, fields] of Object.entries(messages)) {
  const type = new protobuf.Type(message);
  for (const [name, [id, fieldType, rule]] of Object.entries(fields)) {
    type.add(new protobuf.Field(name, id, fieldType, rule));
  }
  root.add(type);
}

/** Codec of an `.onnx` file. */
export const modelCodec: protobuf.Type = root.lookupType('ModelProto');

/** `TensorProto.DataType` */
export const dataTypes = { float32: 1, uint8: 2, int8: 3, int16: 5, int32: 6, int64: 7, bool: 9, float16: 10 } as const;
export type DataType = keyof typeof dataTypes;

export interface TensorProto {
  dims: number[];
  dataType: number;
  name: string;
  rawData: Uint8Array;
  floatData: number[];
  int32Data: number[];
  int64Data: number[];
}

export interface AttributeProto {
  name: string;
  t?: TensorProto | null;
  g?: GraphProto | null;
}

export interface NodeProto {
  name: string;
  opType: string;
  input: string[];
  output: string[];
  attribute: AttributeProto[];
}

export interface GraphProto {
  node: NodeProto[];
  initializer: TensorProto[];
}
