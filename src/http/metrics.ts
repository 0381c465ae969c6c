import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { gpuMetrics } from '../machine/gpu-metrics.ts';
import type { Gpu } from '../machine/gpu-schema.ts';
import { processMemory } from '../machine/process-memory.ts';
import { errorSpecs } from './errors.ts';
import { type HealthSource, publicState } from './health.ts';
import type { CompletedRequest } from './observe-request.ts';
import { route } from './route.ts';
import { telemetry } from './schemas.ts';

/** Buckets of times from the head of a request. */
const REQUEST_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export interface MetricsSources {
  model: Pick<HealthSource, 'state'> & { readonly deaths: number; readonly pid: number | undefined };
  queue: {
    readonly active: number;
    readonly waiting: number;
    readonly capacity: number;
    onSlot: (waitedMs: number) => void;
  };
  readGpu: () => Promise<Gpu | null>;
}

export interface Metrics {
  /** Registry to which the service adds its own metrics. */
  registry: Registry;
  /** Counts one job of the engine: its duration and that of its audio, both in seconds. */
  inferred(inference: number, audio: number): void;
  /** Counts one request; meant for the server's `onRequestEnd`. */
  count(request: CompletedRequest): void;
}

/** Prometheus metrics of both services: requests, the queue, inference, the engine and the GPU. */
export function createMetrics({ model, queue, readGpu }: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const count = requestMetrics(registry);
  queueMetrics(registry, queue);
  const inferred = inferenceMetrics(registry);
  engineMetrics(registry, model);
  gpuMetrics(registry, readGpu);
  return { registry, inferred, count };
}

function requestMetrics(registry: Registry): Metrics['count'] {
  const registers = [registry];
  const requests = new Counter({
    name: 'hearsay_http_requests_total',
    help: 'Requests by route and status. `none`: an unknown route, or a malformed head. 499: the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'hearsay_http_request_duration_seconds',
    help: 'Time from the request head to the end of the response.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const firstByte = new Histogram({
    name: 'hearsay_first_byte_seconds',
    help: 'Time from the request head to the head of the response; streamed audio and events follow at once.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'hearsay_errors_total',
    help: 'Rejected and failed requests, and live sessions with an error, by error code.',
    labelNames: ['code'],
    registers,
  });
  // Initialized with 0, so that the first error of a code shows as an increase.
  for (const code of Object.keys(errorSpecs)) errors.inc({ code }, 0);
  return ({ method = 'none', route: pattern, status, seconds, firstByteSeconds, code }) => {
    const route = routeLabel(pattern);
    requests.inc({ method, route, status: String(status) });
    if (seconds !== undefined) duration.observe({ method, route }, seconds);
    if (firstByteSeconds !== undefined) firstByte.observe({ method, route }, firstByteSeconds);
    if (code !== undefined) errors.inc({ code });
  };
}

function queueMetrics(registry: Registry, queue: MetricsSources['queue']): void {
  const registers = [registry];
  const queueWait = new Histogram({
    name: 'hearsay_queue_wait_seconds',
    help: 'Time that a request waited for a slot; requests that gave up are not counted.',
    buckets: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  queue.onSlot = (waitedMs) => queueWait.observe(waitedMs / 1000);
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
    help: 'Requests inside the engine or waiting for it, divided by MAX_CONCURRENCY; above 1, some wait.',
    registers,
    collect() {
      this.set((queue.active + queue.waiting) / queue.capacity);
    },
  });
}

function inferenceMetrics(registry: Registry): Metrics['inferred'] {
  const registers = [registry];
  const inferenceTime = new Histogram({
    name: 'hearsay_inference_seconds',
    help: 'Time that a recording or a speech took in the engine, including decoding, excluding waits for slow clients.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers,
  });
  const realTimeFactor = new Histogram({
    name: 'hearsay_real_time_factor',
    help: 'Time in the engine for each second of audio; below 1 is faster than real time.',
    buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers,
  });
  return (inference, audio) => {
    inferenceTime.observe(inference);
    // Empty audio has no real-time factor.
    if (audio > 0) realTimeFactor.observe(inference / audio);
  };
}

function engineMetrics(registry: Registry, model: MetricsSources['model']): void {
  const registers = [registry];
  new Gauge({
    name: 'hearsay_engine_memory_bytes',
    help: 'Resident memory of the engine process, which holds the model; 0 while there is none.',
    registers,
    collect() {
      this.set(processMemory(model.pid).resident);
    },
  });
  new Counter({
    name: 'hearsay_engine_restarts_total',
    help: 'Engines that died while serving and were replaced.',
    registers,
    collect() {
      this.reset();
      this.inc(model.deaths);
    },
  });
  new Gauge({
    name: 'hearsay_model_state',
    help: '1 for the current state of the model.',
    labelNames: ['state'],
    registers,
    collect() {
      const current = publicState(model.state);
      for (const state of telemetry.shape.status.options) this.set({ state }, state === current ? 1 : 0);
    },
  });
}

/** Label of a route: its pattern, and one for all files of a page, so that the number of label values stays bounded. */
const routeLabel = (pattern = 'none') => (pattern.startsWith('/web/') ? '/web/*' : pattern);

/** GET /metrics in Prometheus' text format. */
export function metricsRoute(app: FastifyInstance, { registry }: Metrics): void {
  route(app, {
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    tag: 'health',
    summary: 'Metrics for Prometheus',
    open: true,
    response: { 200: { description: "In Prometheus' text format", content: { 'text/plain': { schema: z.string() } } } },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  });
}
