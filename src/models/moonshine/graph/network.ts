import { float, type GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { ModelWeights } from '../../../ort/graph/weights.ts';

// Moonshine tiny (Jeffries et al. 2024, https://arxiv.org/abs/2410.15608) as two ONNX graphs, built from the weights of the
// export that ships in npm. The export spends most of a decoding step on dequantizing the embedding table and reshaping
// caches; these graphs give the same tokens in about a third of the time (docs/benchmarks.md).

/** Sizes and special tokens of the model, which its files do not state. */
export const moonshineTiny = {
  layers: 6,
  heads: 8,
  headSize: 36,
  width: 288,
  vocabulary: 32768,
  /** Leading channels of each head with rotary position embedding. */
  rotaryChannels: 32,
  rotaryBase: 10000,
  /** Samples from one encoder frame to the next: the strides of the three convolutions. */
  frameStride: 64 * 3 * 2,
  beginToken: 1,
  endToken: 2,
} as const;

const { heads, rotaryChannels } = moonshineTiny;
/** Length of the rotary tables: 49 s of encoder frames, and far more tokens than their transcript. */
const MAX_POSITIONS = 2048;

/** Over the channels of each position; Moonshine's norms have no bias. */
export function layerNorm(graph: GraphBuilder, weights: ModelWeights, x: Value, weight: string): Value {
  return graph.op('LayerNormalization', [x, graph.constant(weights.tensor(weight))], {
    axis: -1,
    epsilon: float(1e-5),
  });
}

/** Rotary position embedding (Su et al. 2021, https://arxiv.org/abs/2104.09864) over neighbouring channels. */
export function rotate(graph: GraphBuilder, x: Value, start: Value, tables: { cos: Value; sin: Value }): Value {
  return graph.op('RotaryEmbedding', [x, start, tables.cos, tables.sin], {
    interleaved: 1,
    num_heads: heads,
    rotary_embedding_dim: rotaryChannels,
  });
}

/** Cosines and sines `[MAX_POSITIONS, rotaryChannels / 2]` for `rotate`. */
export function rotaryTables(graph: GraphBuilder): { cos: Value; sin: Value } {
  const pairs = rotaryChannels / 2;
  const table = (of: (angle: number) => number) => {
    const data = new Float32Array(MAX_POSITIONS * pairs);
    for (let index = 0; index < data.length; index++) {
      const frequency = moonshineTiny.rotaryBase ** (-(index % pairs) / pairs);
      data[index] = of(Math.floor(index / pairs) * frequency);
    }
    return graph.constant({ type: 'float32', dims: [MAX_POSITIONS, pairs], data });
  };
  return { cos: table(Math.cos), sin: table(Math.sin) };
}

/** The name of a decoder layer in the export. */
export const decoderLayer = (layer: number) => `/model/decoder/layers.${layer}`;
