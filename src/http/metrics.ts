import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type HealthSource, publicState } from './health.ts';
import { route } from './route.ts';
import type { CompletedRequest } from './server.ts';

const modelStates = ['uninitialized', 'warming', 'ready', 'failed'];

export interface MetricsSources {
  model: Pick<HealthSource, 'state'>;
  queue: { readonly active: number; readonly waiting: number; readonly capacity: number };
}

export interface Metrics {
  /** Takes the counters of the service itself. */
  registry: Registry;
  /** Counts one request; meant for the server's `onRequestEnd`. */
  count(request: CompletedRequest): void;
}

/** Prometheus metrics: requests by route and status, their duration, the queue and the model's state. */
export function createMetrics({ model, queue }: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'hearsay_http_requests_total',
    help: 'Requests by route and status. 499: the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'hearsay_http_request_duration_seconds',
    help: 'Time from the request head to the end of the response.',
    labelNames: ['method', 'route'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  new Gauge({
    name: 'hearsay_queue_active',
    help: 'Requests inside the engine.',
    registers,
    collect() {
      this.set(queue.active);
    },
  });
  new Gauge({
    name: 'hearsay_queue_waiting',
    help: 'Requests waiting for the engine.',
    registers,
    collect() {
      this.set(queue.waiting);
    },
  });
  new Gauge({
    name: 'hearsay_queue_load',
    help: 'Requests inside the engine or waiting for it, divided by MAX_CONCURRENCY; above 1 some wait.',
    registers,
    collect() {
      this.set((queue.active + queue.waiting) / queue.capacity);
    },
  });
  new Gauge({
    name: 'hearsay_model_state',
    help: '1 for the state that the model is in.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of modelStates) this.set({ state }, state === publicState(model.state) ? 1 : 0);
    },
  });

  return {
    registry,
    count({ method, route, status, seconds }) {
      // The pattern, not the path: the number of label values must stay bounded.
      requests.inc({ method, route: route ?? 'none', status: String(status) });
      duration.observe({ method, route: route ?? 'none' }, seconds);
    },
  };
}

/** GET /metrics in Prometheus' text format. */
export function metricsRoute(app: FastifyInstance, { registry }: Metrics): void {
  route(app, {
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    tag: 'health',
    summary: 'Metrics for Prometheus',
    open: true,
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  });
}
