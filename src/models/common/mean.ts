/** The mean of values; 0 without any. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return values.length > 0 ? sum / values.length : 0;
}
