/**
 * PyTorch's gates of a recurrent layer (input, forget, cell, output) in the order of ONNX (input, output, forget, cell).
 * @param values of all four gates, one after the other: weights or biases
 */
export function inOnnxGateOrder(values: Float32Array): Float32Array {
  const size = values.length / 4;
  const ordered = new Float32Array(values.length);
  for (const [to, from] of [0, 3, 1, 2].entries()) {
    ordered.set(values.subarray(from * size, (from + 1) * size), to * size);
  }
  return ordered;
}
