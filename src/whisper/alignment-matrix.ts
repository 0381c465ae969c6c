/** Width of the median filter along time, in frames. */
const FILTER_WIDTH = 7;
const REACH = (FILTER_WIDTH - 1) / 2;

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
  const filtered = new Float32Array(frames);
  for (let head = 0; head < heads; head++) {
    for (let token = 0; token < rows.length; token++) {
      const weights = attention[token]!;
      const offset = (head * weights.length) / heads;
      rows[token]!.set(weights.subarray(offset, offset + frames));
      normalize(rows[token]!);
    }
    standardize(rows, frames);
    for (let token = 0; token < rows.length; token++) {
      medianFilter(rows[token]!, filtered);
      const sum = matrix[token]!;
      for (let frame = 0; frame < frames; frame++) sum[frame]! += filtered[frame]! / heads;
    }
  }
  return matrix;
}

/** A softmax over a part is the softmax over all, divided by the part's share. */
function normalize(probabilities: Float32Array): void {
  let sum = 0;
  for (let frame = 0; frame < probabilities.length; frame++) sum += probabilities[frame]!;
  if (sum === 0) return;
  for (let frame = 0; frame < probabilities.length; frame++) probabilities[frame]! /= sum;
}

/** Row by row, and not frame by frame: this runs over megabytes. */
function standardize(rows: readonly Float32Array[], frames: number): void {
  const means = new Float64Array(frames);
  for (const row of rows) for (let frame = 0; frame < frames; frame++) means[frame]! += row[frame]! / rows.length;
  const scales = new Float64Array(frames);
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame++) {
      const off = row[frame]! - means[frame]!;
      scales[frame]! += (off * off) / rows.length;
    }
  }
  // Where all tokens agree there is nothing to tell; the reference has no number there.
  for (let frame = 0; frame < frames; frame++) scales[frame] = scales[frame]! > 0 ? 1 / Math.sqrt(scales[frame]!) : 0;
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame++) row[frame] = (row[frame]! - means[frame]!) * scales[frame]!;
  }
}

/** A running median with mirrored edges: the values under the filter are kept sorted as it moves on. */
function medianFilter(row: Float32Array, filtered: Float32Array): void {
  const last = row.length - 1;
  if (last < REACH) {
    // As in the reference: so few frames have nothing to mirror.
    filtered.set(row);
    return;
  }
  const mirrored = (frame: number) => row[frame > last ? 2 * last - frame : Math.abs(frame)]!;
  const sorted = new Float64Array(FILTER_WIDTH);
  for (let place = 0; place < FILTER_WIDTH; place++) sorted[place] = mirrored(place - REACH);
  sorted.sort();
  filtered[0] = sorted[REACH]!;
  for (let frame = 1; frame <= last; frame++) {
    const gone = mirrored(frame - 1 - REACH);
    const come = mirrored(frame + REACH);
    let place = 0;
    while (place < FILTER_WIDTH - 1 && sorted[place] !== gone) place++;
    while (place < FILTER_WIDTH - 1 && sorted[place + 1]! < come) {
      sorted[place] = sorted[place + 1]!;
      place++;
    }
    while (place > 0 && sorted[place - 1]! > come) {
      sorted[place] = sorted[place - 1]!;
      place--;
    }
    sorted[place] = come;
    filtered[frame] = sorted[REACH]!;
  }
}
