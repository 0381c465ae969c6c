/** Samples that are considered one voice. */
export interface VoiceGroup {
  /** Number of samples. */
  count: number;
  /** Index of the earliest sample. */
  first: number;
  /** Sum of the samples' embeddings, each times its weight. */
  sum: Float64Array;
  /** Seconds of speech of all samples. */
  weight: number;
  /** Sum of the squares of the samples' weights. */
  squares: number;
}

/** A group of one sample. @param embedding of unit length */
export function groupOf(embedding: Float32Array, weight: number, index: number): VoiceGroup {
  return {
    count: 1,
    first: index,
    sum: Float64Array.from(embedding, (value) => value * weight),
    weight,
    squares: weight * weight,
  };
}

export function joined(a: VoiceGroup, b: VoiceGroup): VoiceGroup {
  return {
    count: a.count + b.count,
    first: Math.min(a.first, b.first),
    sum: a.sum.map((value, index) => value + b.sum[index]!),
    weight: a.weight + b.weight,
    squares: a.squares + b.squares,
  };
}

/** Mean cosine of the pairs of samples, one of each group: the product of the means. */
export function likeness(a: VoiceGroup, b: VoiceGroup): number {
  return dot(a.sum, b.sum) / (a.weight * b.weight);
}

/**
 * Mean cosine of the pairs within a group, with `prior.pairs` pairs of the mean `prior.mean` added: few pairs say
 * little.
 */
export function cohesion(group: VoiceGroup, prior: { mean: number; pairs: number }): number {
  return (within(group) + prior.mean * prior.pairs) / (pairsOf(group) + prior.pairs);
}

/** Mean cosine of the pairs within all groups; 1 if none has a pair. */
export function meanCohesion(groups: readonly VoiceGroup[]): number {
  const pairs = groups.reduce((sum, group) => sum + pairsOf(group), 0);
  return pairs > 0 ? groups.reduce((sum, group) => sum + within(group), 0) / pairs : 1;
}

/** Pairs, by the product of their weights. */
const pairsOf = ({ count, weight, squares }: VoiceGroup) => (count > 1 ? weight * weight - squares : 0);

/** Sum of the cosines of the pairs; never negative, since samples are similar. */
const within = ({ count, sum, squares }: VoiceGroup) => (count > 1 ? Math.max(0, dot(sum, sum) - squares) : 0);

/** The mean voice, of unit length. */
export function centreOf({ sum }: VoiceGroup): Float64Array {
  const length = Math.sqrt(dot(sum, sum));
  return length > 0 ? sum.map((value) => value / length) : sum;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
