import type { KokoroWeights } from './weights.ts';

/** The fundamental and its overtones. */
export const HARMONICS = 9;

/** How the harmonics are mixed into one wave. */
export interface HarmonicMix {
  /** `[9]` */
  weights: readonly number[];
  bias: number;
}

/** @throws HearsayError `model_load_failed` if the checkpoint lacks it */
export function readHarmonicMix(weights: KokoroWeights): HarmonicMix {
  const name = 'decoder.generator.m_source.l_linear';
  return {
    weights: [...weights.read(`${name}.weight`, [1, HARMONICS])],
    bias: weights.read(`${name}.bias`, [1])[0]!,
  };
}
