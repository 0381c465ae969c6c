/**
 * Reorders the gates of an LSTM from PyTorch's order (input, forget, cell, output) to ONNX's (input, output, forget,
 * cell).
 * @param values weights or biases of all four gates, concatenated
 */
export function inOnnxGateOrder(values: Float32Array): Float32Array {
  const size = values.length / 4;
  const ordered = new Float32Array(values.length);
  for (const [to, from] of [0, 3, 1, 2].entries()) {
    ordered.set(values.subarray(from * size, (from + 1) * size), to * size);
  }
  return ordered;
}
