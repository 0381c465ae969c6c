import { GraphBuilder } from '../../../ort/graph/builder.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { crossDims } from './gpu-attention.ts';
import type { Network } from './network.ts';

/** File names of the graphs that copy rows of a batch. */
export const ROW_GRAPHS = { join: 'join.onnx', keep: 'keep.onnx' } as const;

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

/** Outputs of `joinGraph`: the encoder's outputs and the KV cache, as the decoder takes them. */
export function joinOutputs(configuration: WhisperConfiguration): string[] {
  return rowTensors(configuration).map(([name]) => name);
}

/**
 * Puts rows of two batches on a GPU side by side, in new memory: those of cross-attention, one for each window, and those of the
 * KV cache, one for each stream.
 *
 * Inputs: for each of `joinOutputs` one from each batch, with `:first` and `:second` after its name, [rows, …]; `cross_rows`
 * and `past_rows`, int64, for each row of the result its index among the rows of the first and then those of the second.
 * Outputs: `joinOutputs`.
 */
export function joinGraph(configuration: WhisperConfiguration, floats: Network['floats']): Uint8Array {
  const graph = new GraphBuilder('whisper-join');
  const rows = {
    cross: graph.input('cross_rows', 'int64', ['cross rows']),
    past: graph.input('past_rows', 'int64', ['past rows']),
  };
  for (const [name, dims] of rowTensors(configuration)) {
    const kind = name.startsWith('cross') ? 'cross' : 'past';
    const both = ['first', 'second'].map((batch) =>
      graph.input(`${name}:${batch}`, floats, [`${kind} rows of the ${batch}`, ...dims]),
    );
    const joined = graph.op('Gather', [graph.op('Concat', both, { axis: 0 }), rows[kind]], { axis: 0 });
    graph.output(name, joined, floats, [`${kind} rows`, ...dims]);
  }
  return graph.build();
}

/** Outputs of `keepGraph`: the KV cache, as the decoder takes it. */
export function keepOutputs(configuration: WhisperConfiguration): string[] {
  return joinOutputs(configuration).filter((name) => name.startsWith('past'));
}

/**
 * Takes rows of a KV cache on a GPU into new memory, any number of times each.
 *
 * Inputs: `keepOutputs` with `:first` after their names, [rows, …]; `past_rows`, int64, the indices of rows.
 * Outputs: `keepOutputs`.
 */
export function keepGraph(configuration: WhisperConfiguration, floats: Network['floats']): Uint8Array {
  const graph = new GraphBuilder('whisper-keep');
  const rows = graph.input('past_rows', 'int64', ['rows']);
  for (const [name, dims] of rowTensors(configuration)) {
    if (!name.startsWith('past')) continue;
    const kept = graph.op('Gather', [graph.input(`${name}:first`, floats, ['cached rows', ...dims]), rows], {
      axis: 0,
    });
    graph.output(name, kept, floats, ['rows', ...dims]);
  }
  return graph.build();
}
