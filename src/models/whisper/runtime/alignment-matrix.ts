/** Width of the median filter in frames; `addMedians` is written for 7. */
const FILTER_WIDTH = 7;
const REACH = (FILTER_WIDTH - 1) / 2;
/**
 * 1 in fixed point. Standardized over n tokens no value exceeds √(n − 1), 22 for the longest transcript, so that
 * differences fit 31 bits.
 */
const ONE = 2 ** 25;

/**
 * Computes where each token was spoken from the alignment heads, like openai/whisper's `find_alignment`: probabilities
 * over the frames that hold audio, standardized over the tokens (a frame that all tokens attend to is not informative),
 * smoothed along time, and averaged over the heads.
 * @param attention `[heads, positions]` for each token
 * @param frames number of leading frames that hold audio
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

/** The softmax over some frames is the softmax over all, divided by their share. */
function normalize(probabilities: Float32Array): void {
  let sum = 0;
  for (let frame = 0; frame < probabilities.length; frame++) sum += probabilities[frame]!;
  if (sum === 0) return;
  const scale = 1 / sum;
  for (let frame = 0; frame < probabilities.length; frame++) probabilities[frame]! *= scale;
}

/** Mean and inverse standard deviation of each frame over the tokens. Row by row: this reads megabytes. */
function moments(rows: readonly Float32Array[], means: Float64Array, scales: Float64Array): void {
  const share = 1 / rows.length;
  means.fill(0);
  for (const row of rows) for (let frame = 0; frame < means.length; frame++) means[frame]! += row[frame]! * share;
  scales.fill(0);
  for (const row of rows) {
    for (let frame = 0; frame < scales.length; frame++) {
      const deviation = row[frame]! - means[frame]!;
      scales[frame]! += deviation * deviation * share;
    }
  }
  for (let frame = 0; frame < scales.length; frame++) {
    // All tokens agree: 0, where the reference gets NaN.
    scales[frame] = scales[frame]! > 0 ? 1 / Math.sqrt(scales[frame]!) : 0;
  }
}

/**
 * Adds a running median with mirrored edges. The windows of two neighbouring frames share six values; the median of these
 * and a seventh is the seventh, clamped between the middle two.
 * @param x the values in fixed point from `REACH` on, with room for the mirrored ones
 * @param factor of the medians in the sum
 */
function addMedians(x: Int32Array, factor: number, sum: Float32Array): void {
  const last = sum.length - 1;
  if (last < REACH) {
    // As in the reference, do not filter if there are too few frames to mirror.
    for (let frame = 0; frame <= last; frame++) sum[frame]! += x[REACH + frame]! * factor;
    return;
  }
  for (let offset = 1; offset <= REACH; offset++) {
    x[REACH - offset] = x[REACH + offset]!;
    x[REACH + last + offset] = x[REACH + last - offset]!;
  }
  for (let frame = 0; frame <= last; frame += 2) {
    // Sorts each pair, then drops the smallest and the largest of all, twice.
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

/** Branchless, because noise mispredicts half of the branches: six times as fast as `Math.min`. */
function smaller(a: number, b: number): number {
  const difference = (a - b) | 0;
  return (b + (difference & (difference >> 31))) | 0;
}

function larger(a: number, b: number): number {
  const difference = (a - b) | 0;
  return (a - (difference & (difference >> 31))) | 0;
}
