import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { version } from '../config/version.ts';
import { type HealthSource, publicState } from './health.ts';
import { route } from './route.ts';
import type { Telemetry } from './schemas.ts';

/**
 * GET /system: what the console of a service shows. Unlike /metrics, it may be public.
 * @param schema of the response
 * @param read reads all of it but the version and the state of the model
 */
export function systemRoute<Response extends Telemetry>(
  app: FastifyInstance,
  model: Pick<HealthSource, 'state'>,
  schema: z.ZodType<Response>,
  read: () => Promise<Omit<Response, keyof Telemetry>>,
): void {
  route(app, {
    method: 'GET',
    url: '/system',
    operationId: 'getSystem',
    tag: 'health',
    summary: 'Telemetry',
    open: true,
    response: { 200: schema },
    handler: async (_request, reply) => {
      const shared: Telemetry = { version, status: publicState(model.state) };
      return reply.header('cache-control', 'no-store').send({ ...shared, ...(await read()) });
    },
  });
}
