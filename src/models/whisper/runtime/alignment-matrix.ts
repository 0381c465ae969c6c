/** Width of the median filter along time, in frames: `addMedians` is written for it. */
const FILTER_WIDTH = 7;
const REACH = (FILTER_WIDTH - 1) / 2;
/**
 * 1 in fixed point. Standardized over n tokens no value exceeds √(n − 1), 22 for as many as a decoder takes: so no
 * difference of two exceeds 31 bits.
 */
const ONE = 2 ** 25;

/**
 * What the alignment heads say together about where each token was spoken, as openai/whisper's `find_alignment` weighs
 * them: each head's probabilities over the frames that hold audio, standardized over the tokens (a frame that every token
 * looks at says nothing), smoothed along time, and averaged over the heads.
 * @param attention `[heads, positions]` for each token
 * @param frames the frames from the first on that hold audio
 * @returns `[frames]` for each token
 */
export function alignmentMatrix(attention: readonly Float32Array[], heads: number, frames: number): Float32Array[] {
  const matrix = attention.map(() => new Float32Array(frames));
  const rows = attention.map(() => new Float32Array(frames));
  const means = new Float64Array(frames);
  const scales = new Float64Array(frames);
  const mirrored = new Int32Array(frames + 2 * REACH + 1);
  for (let head = 0; head < heads; head++) {
    for (const [token, row] of rows.entries()) {
      const weights = attention[token]!;
      const offset = (head * weights.length) / heads;
      row.set(weights.subarray(offset, offset + frames));
      normalize(row);
    }
    moments(rows, means, scales);
    for (const [token, row] of rows.entries()) {
      for (let frame = 0; frame < frames; frame++) {
        mirrored[REACH + frame] = (row[frame]! - means[frame]!) * scales[frame]! * ONE;
      }
      addMedians(mirrored, 1 / (ONE * heads), matrix[token]!);
    }
  }
  return matrix;
}

/** A softmax over a part is the softmax over all, divided by the part's share. */
function normalize(probabilities: Float32Array): void {
  let sum = 0;
  for (let frame = 0; frame < probabilities.length; frame++) sum += probabilities[frame]!;
  if (sum === 0) return;
  const scale = 1 / sum;
  for (let frame = 0; frame < probabilities.length; frame++) probabilities[frame]! *= scale;
}

/** Of each frame the mean over the tokens and what makes the deviation 1. Row by row: this runs over megabytes. */
function moments(rows: readonly Float32Array[], means: Float64Array, scales: Float64Array): void {
  const share = 1 / rows.length;
  means.fill(0);
  for (const row of rows) for (let frame = 0; frame < means.length; frame++) means[frame]! += row[frame]! * share;
  scales.fill(0);
  for (const row of rows) {
    for (let frame = 0; frame < scales.length; frame++) {
      const off = row[frame]! - means[frame]!;
      scales[frame]! += off * off * share;
    }
  }
  for (let frame = 0; frame < scales.length; frame++) {
    // Where all tokens agree there is nothing to tell; the reference has no number there.
    scales[frame] = scales[frame]! > 0 ? 1 / Math.sqrt(scales[frame]!) : 0;
  }
}

/**
 * A running median with mirrored edges. The windows of a frame and of the next have six values in common, of which the
 * middle two decide: the median of those six and one more is that one, held between the two.
 * @param x the values in fixed point from `REACH` on, with room for what is mirrored
 * @param factor of what is added to the sum
 */
function addMedians(x: Int32Array, factor: number, sum: Float32Array): void {
  const last = sum.length - 1;
  if (last < REACH) {
    // As in the reference: so few frames have nothing to mirror.
    for (let frame = 0; frame <= last; frame++) sum[frame]! += x[REACH + frame]! * factor;
    return;
  }
  for (let off = 1; off <= REACH; off++) {
    x[REACH - off] = x[REACH + off]!;
    x[REACH + last + off] = x[REACH + last - off]!;
  }
  for (let frame = 0; frame <= last; frame += 2) {
    // Of each pair the smaller and the larger; then the smallest and the largest of all are left out, twice.
    const a = smaller(x[frame + 1]!, x[frame + 2]!);
    const A = larger(x[frame + 1]!, x[frame + 2]!);
    const b = smaller(x[frame + 3]!, x[frame + 4]!);
    const B = larger(x[frame + 3]!, x[frame + 4]!);
    const c = smaller(x[frame + 5]!, x[frame + 6]!);
    const C = larger(x[frame + 5]!, x[frame + 6]!);
    const p = larger(a, b);
    const q = larger(smaller(a, b), c);
    const r = smaller(A, B);
    const s = smaller(larger(A, B), C);
    const u = larger(smaller(p, q), smaller(r, s));
    const v = smaller(larger(p, q), larger(r, s));
    const low = smaller(u, v);
    const high = larger(u, v);
    sum[frame]! += larger(low, smaller(x[frame]!, high)) * factor;
    if (frame < last) sum[frame + 1]! += larger(low, smaller(x[frame + 7]!, high)) * factor;
  }
}

/** Without a branch, which of noise half would be guessed wrong: six times as fast as `Math.min`. */
function smaller(a: number, b: number): number {
  const difference = (a - b) | 0;
  return (b + (difference & (difference >> 31))) | 0;
}

function larger(a: number, b: number): number {
  const difference = (a - b) | 0;
  return (a - (difference & (difference >> 31))) | 0;
}
