import { GraphBuilder } from '../../../ort/graph/builder.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { crossDims } from './gpu-attention.ts';
import type { Network } from './network.ts';

/** File of the graph, beside the model's others. */
export const JOIN_FILE = 'join.onnx';

/** Tensors that a row of a batch on a GPU has, by their names in the decoder's graph, and their dimensions but the first. */
function rowTensors(configuration: WhisperConfiguration): [name: string, dims: readonly (string | number)[]][] {
  const { decoderLayers, decoderHeads, width, textPositions } = configuration;
  const headSize = width / decoderHeads;
  const cross = crossDims({ heads: decoderHeads, headSize });
  const past = { key: [decoderHeads, headSize, textPositions], value: [decoderHeads, textPositions, headSize] };
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  return (['key', 'value'] as const).flatMap((kind) =>
    layers.flatMap((layer): [string, readonly (string | number)[]][] => [
      [`cross_${kind}.${layer}`, cross[kind]],
      [`past_${kind}.${layer}`, past[kind]],
    ]),
  );
}

/** Names of the graph's outputs: the encoder's outputs and the KV cache, as the decoder takes them. */
export function joinOutputs(configuration: WhisperConfiguration): string[] {
  return rowTensors(configuration).map(([name]) => name);
}

/**
 * Puts rows of two batches on a GPU side by side, in new memory.
 *
 * Inputs: for each of `joinOutputs` one from each batch, with `:first` and `:second` behind its name, [rows, …]; `cross_rows`
 * and `past_rows`, int64, for each row of the result its index among the rows of the first and then those of the second.
 * Outputs: `joinOutputs`.
 */
export function joinGraph(configuration: WhisperConfiguration, floats: Network['floats']): Uint8Array {
  const graph = new GraphBuilder('whisper-join');
  const rows = {
    cross: graph.input('cross_rows', 'int64', ['rows']),
    past: graph.input('past_rows', 'int64', ['rows']),
  };
  for (const [name, dims] of rowTensors(configuration)) {
    const kind = name.startsWith('cross') ? 'cross' : 'past';
    const both = ['first', 'second'].map((batch) =>
      graph.input(`${name}:${batch}`, floats, [`${kind} rows of the ${batch}`, ...dims]),
    );
    const joined = graph.op('Gather', [graph.op('Concat', both, { axis: 0 }), rows[kind]], { axis: 0 });
    graph.output(name, joined, floats, ['rows', ...dims]);
  }
  return graph.build();
}
