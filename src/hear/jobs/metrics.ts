import { Gauge, type Registry } from 'prom-client';
import type { Jobs } from './jobs.ts';

/** Metrics of background jobs; of all replicas, if they share their jobs. */
export function jobMetrics(registry: Registry, jobs: Pick<Jobs, 'openQueue'>): void {
  const registers = [registry];
  new Gauge({
    name: 'hearsay_jobs',
    help: 'Background jobs by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(jobs.openQueue?.counts ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'hearsay_jobs_oldest_queued_seconds',
    help: 'How long the oldest waiting background job has waited; 0 if none waits.',
    registers,
    collect() {
      const since = jobs.openQueue?.oldestQueuedAt;
      this.set(since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000);
    },
  });
}
