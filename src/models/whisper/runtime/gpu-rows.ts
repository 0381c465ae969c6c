import { join } from 'node:path';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { floatType } from '../../../ort/graph/linear.ts';
import { dataTypes } from '../../../ort/graph/schema.ts';
import { type Feeds, float32, int64s, Session } from '../../../ort/session.ts';
import type { CompiledWhisper } from '../graph/compile.ts';
import { joinOutputs, keepOutputs, ROW_GRAPHS } from '../graph/gpu-rows.ts';

/** Creates and copies rows of tensors in a GPU's memory. */
export interface GpuRows {
  /** A layer's KV cache of one row without tokens. */
  zeros: { key: Feeds[string]; value: Feeds[string] };
  /** Copies rows of a KV cache. */
  take(past: Feeds, rows: readonly number[]): Promise<Feeds>;
  /**
   * Copies rows of cross-attention and of the KV cache.
   * @param rows indices among those of the first batch and then those of the second
   */
  join(first: Feeds, second: Feeds, rows: { cross: readonly number[]; past: readonly number[] }): Promise<Feeds>;
}

/** Loads the graphs for it. */
export async function loadGpuRows(compiled: CompiledWhisper): Promise<GpuRows> {
  const { folder, configuration, device } = compiled;
  const load = (file: string, onDevice: string[]) => Session.load(join(folder, file), device, { onDevice });
  const keeping = await load(ROW_GRAPHS.keep, keepOutputs(configuration));
  const joining = await load(ROW_GRAPHS.join, joinOutputs(configuration));
  return {
    zeros: await emptyLayer(compiled),
    take: (past, rows) => keeping.run({ ...renamed(past, 'first'), past_rows: int64s(rows) }),
    join: (first, second, rows) =>
      joining.run({
        ...renamed(first, 'first'),
        ...renamed(second, 'second'),
        cross_rows: int64s(rows.cross),
        past_rows: int64s(rows.past),
      }),
  };
}

function renamed(feeds: Feeds, batch: 'first' | 'second'): Feeds {
  return Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [`${name}:${batch}`, tensor]));
}

async function emptyLayer({ configuration, device, computeType }: CompiledWhisper): Promise<GpuRows['zeros']> {
  const { decoderHeads, width, textPositions } = configuration;
  const headSize = width / decoderHeads;
  const graph = new GraphBuilder('empty-cache');
  const type = floatType({ computeType });
  // From Node 24 on, which has Float16Array, onnxruntime-node takes no float16 tensors from the CPU.
  const value = graph.op('Cast', [graph.input('zero', 'float32', [1])], { to: dataTypes[type] });
  const dims = { key: [1, decoderHeads, headSize, textPositions], value: [1, decoderHeads, textPositions, headSize] };
  for (const [name, shape] of Object.entries(dims)) {
    graph.output(name, graph.op('Expand', [value, graph.ints(...shape)]), type, shape);
  }
  const session = await Session.load(graph.build(), device, { onDevice: Object.keys(dims) });
  return (await session.run({ zero: float32(new Float32Array(1), [1]) })) as unknown as GpuRows['zeros'];
}
