import { expect, it } from 'vitest';
import { metricSum } from './metrics.ts';

const text = `# HELP hearsay_queue_active Requests.
# TYPE hearsay_queue_active gauge
hearsay_queue_active 3
hearsay_queue_active_ever 7
requests{method="GET",route="/a } b"} 2
requests{method="POST",route="/c"} 1.5e1 1700000000
odd NaN
`;

it('metricSum sums a metric over its labels', () => {
  expect(['hearsay_queue_active', 'requests', 'odd', 'none', 'request'].map((name) => metricSum(text, name))).toEqual([
    3, 17, 0, 0, 0,
  ]);
});
