import type { Value } from '../../../ort/graph/builder.ts';
import { dataTypes } from '../../../ort/graph/schema.ts';
import type { Network } from './network.ts';

type Floats = Pick<Network, 'graph' | 'floats'>;

/** Converts float32 to the type of activations. */
export function toActivations({ graph, floats }: Floats, x: Value): Value {
  return floats === 'float32' ? x : graph.op('Cast', [x], { to: dataTypes[floats] });
}

/** Converts activations to float32. */
export function toFloat32({ graph, floats }: Floats, x: Value): Value {
  return floats === 'float32' ? x : graph.op('Cast', [x], { to: dataTypes.float32 });
}
