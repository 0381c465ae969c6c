import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { synthesisApp } from './fixtures/synthesis-app.ts';
import { transcriptionApp } from './fixtures/transcription-app.ts';

const apps: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

interface Metric {
  type: string;
  help: string[];
  labels: Set<string>;
  services: string[];
}

/** What both services report after a request, without the metrics of Node.js itself. */
async function reported(): Promise<Map<string, Metric>> {
  const metrics = new Map<string, Metric>();
  for (const [service, start] of [
    ['hear', transcriptionApp],
    ['say', synthesisApp],
  ] as const) {
    const running = await start();
    apps.push(running);
    if ('startJobs' in running) await running.startJobs();
    await running.app.inject('/health');
    const { body } = await running.app.inject('/metrics');
    for (const [, name, help] of body.matchAll(/^# HELP (hearsay_\w+) (.+)$/gm)) {
      const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(body)![1]!;
      const metric = metrics.get(name!) ?? { type, help: [], labels: new Set(), services: [] };
      if (!metric.help.includes(help!)) metric.help.push(help!);
      metric.services.push(service);
      for (const [, labels] of body.matchAll(new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\}`, 'gm'))) {
        for (const [, label] of labels!.matchAll(/(\w+)="/g)) if (label !== 'le') metric.labels.add(label!);
      }
      metrics.set(name!, metric);
    }
  }
  return metrics;
}

function metricsPage(metrics: Map<string, Metric>): string {
  const rows = [...metrics.entries()]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, { type, labels, services, help }]) => {
      const names = [...labels].map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${names} | ${services.join(', ')} | ${help.join(' ')} |`;
    });
  return `# Metrics

\`GET /metrics\` of each service, in Prometheus' text format and without a key: keep it from the public. Node.js' own
metrics (\`process_*\`, \`nodejs_*\`) are there, too. Times are in seconds, sizes in bytes; a histogram has \`_bucket\`, \`_sum\`
and \`_count\`. \`deploy/grafana-dashboard.json\` shows them, and \`deploy/alerts.yaml\` watches them.

This page is generated from what the services report. To update it, run
\`UPDATE_DOCS=1 npx vitest run test/metrics-docs.test.ts\`.

| Metric | Type | Labels | Service | Meaning |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

For a fleet:

| question | expression |
| --- | --- |
| Is there room? (scale by this, not by CPU) | \`sum by (job) (hearsay_queue_active + hearsay_queue_waiting)\` against \`MAX_CONCURRENCY\` times replicas |
| How long do requests wait? | \`histogram_quantile(0.95, sum by (le, job) (rate(hearsay_queue_wait_seconds_bucket[5m])))\` |
| How fast is a replica? | \`rate(hearsay_inference_seconds_sum[5m]) / rate(hearsay_audio_seconds_total[5m])\` |
| How large are batches? | \`rate(hearsay_decoder_steps_total[5m]) / rate(hearsay_decoder_runs_total[5m])\` |
| When does speech begin? | \`histogram_quantile(0.95, sum by (le) (rate(hearsay_first_byte_seconds_bucket{route="/v1/audio/speech"}[5m])))\` |
| Why are requests refused? | \`sum by (job, code) (rate(hearsay_errors_total[5m]))\` |
| Do engines die? | \`increase(hearsay_engine_restarts_total[1h])\` |

\`hearsay_audio_seconds_total\` of \`hear\` has the seconds of live sessions, too, and \`hearsay_inference_seconds\` does not.
`;
}

it('docs/metrics.md matches what /metrics has', async () => {
  const file = new URL('../docs/metrics.md', import.meta.url);
  const page = metricsPage(await reported());
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8'), 'run with UPDATE_DOCS=1 to update the page').toBe(page);
});
