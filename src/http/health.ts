import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';
import type { Drain } from '../scheduling/drain.ts';
import type { ModelState } from '../scheduling/model-state.ts';
import { route } from './route.ts';
import { type Health, health, readiness, type Telemetry } from './schemas.ts';

/** The model of a service, as the health routes see it. */
export interface HealthSource {
  readonly state: ModelState;
  readonly info: { device: string; compute_type: string; model: string } | undefined;
  /** Reason for the states `failed` and `restarting`. */
  readonly error: string | undefined;
}

/** The state that clients see: a model that is being reloaded is `warming`. */
export function publicState(state: ModelState): Telemetry['status'] {
  return state === 'restarting' ? 'warming' : state;
}

/** @throws HearsayError `model_warming` or `model_failed` while the model cannot serve requests */
export function assertReady({ state }: Pick<HealthSource, 'state'>): void {
  if (state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
}

function healthBody({ state, info, error }: HealthSource): Health {
  switch (state) {
    case 'warming':
      return { status: 'warming', model_loaded: false };
    case 'restarting':
      return { status: 'warming', model_loaded: false, ...(error !== undefined && { error }) };
    case 'uninitialized':
      return { status: 'healthy', model_loaded: false };
    case 'failed':
      return { status: 'failed', error: error ?? 'The model could not be loaded.' };
    case 'ready':
      return {
        status: 'healthy',
        model_loaded: true,
        ...(info && { device: info.device, compute_type: info.compute_type, model: info.model }),
      };
  }
}

/** GET /health (liveness) and GET /ready (readiness). */
export function healthRoutes(app: FastifyInstance, model: HealthSource, drain: Pick<Drain, 'isAnnounced'>): void {
  route(app, {
    method: 'GET',
    url: '/health',
    operationId: 'getHealth',
    tag: 'health',
    summary: 'Liveness',
    description: '503 if the model could not be loaded: then the process is about to end.',
    open: true,
    response: { 200: health, 503: health },
    handler: (_request, reply) => reply.code(model.state === 'failed' ? 503 : 200).send(healthBody(model)),
  });
  route(app, {
    method: 'GET',
    url: '/ready',
    operationId: 'getReadiness',
    tag: 'health',
    summary: 'Readiness',
    description: 'Every status but `ready` has `Retry-After: 10`.',
    open: true,
    response: { 200: readiness, 503: readiness },
    handler: (_request, reply) => {
      const status = drain.isAnnounced ? 'draining' : publicState(model.state);
      if (status === 'ready') return reply.send({ status });
      return reply.code(503).header('retry-after', '10').send({ status });
    },
  });
}
