/**
 * The sum of a metric over its labels, from Prometheus' text format; 0 if absent.
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function metricSum(text: string, name: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const rest = line.slice(name.length);
    if (!/^[ {]/.test(rest)) continue;
    const value = Number(
      rest
        .slice(rest.lastIndexOf('}') + 1)
        .trim()
        .split(' ')[0],
    );
    if (Number.isFinite(value)) sum += value;
  }
  return sum;
}
