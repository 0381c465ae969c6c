/**
 * Dynamic time warping of tokens onto encoder frames, as `dtw` in openai/whisper's `timing.py`: the monotonic path of
 * maximum attention.
 * @param attention `[frames]` for each token
 * @returns the first frame of the path for each token
 */
export function tokenStarts(attention: readonly Float32Array[]): number[] {
  const rows = attention.length;
  const columns = attention[0]?.length ?? 0;
  let above = new Float32Array(columns + 1).fill(Number.POSITIVE_INFINITY);
  above[0] = 0;
  // Predecessor: 0: previous token and frame; 1: previous token; 2: previous frame.
  const trace = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const current = new Float32Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const weights = attention[row]!;
    for (let column = 0; column < columns; column++) {
      const diagonal = above[column]!;
      const up = above[column + 1]!;
      const left = current[column]!;
      let best = left;
      let step = 2;
      if (diagonal < up && diagonal < left) {
        best = diagonal;
        step = 0;
      } else if (up < diagonal && up < left) {
        best = up;
        step = 1;
      }
      current[column + 1] = best - weights[column]!;
      trace[row * columns + column] = step;
    }
    above = current;
  }
  const starts = new Array<number>(rows).fill(0);
  let row = rows - 1;
  let column = columns - 1;
  while (row >= 0 && column >= 0) {
    starts[row] = column;
    const step = trace[row * columns + column];
    if (step !== 1) column--;
    if (step !== 2) row--;
  }
  return starts;
}
