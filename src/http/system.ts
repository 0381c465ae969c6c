import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { version } from '../config/version.ts';
import { type HealthSource, publicState } from './health.ts';
import { route } from './route.ts';

const telemetry = z.object({
  version: z.string(),
  status: z.enum(['uninitialized', 'warming', 'ready', 'failed']).describe('State of the model'),
});

/**
 * GET /system: what the console of a service shows. Unlike /metrics, it may be public.
 * @param fields those of the service, which follow the version and the state of the model
 */
export function systemRoute<Fields extends z.ZodRawShape>(
  app: FastifyInstance,
  model: Pick<HealthSource, 'state'>,
  fields: Fields,
  read: () => Promise<z.output<z.ZodObject<Fields>>>,
): void {
  route(app, {
    method: 'GET',
    url: '/system',
    operationId: 'getSystem',
    tag: 'health',
    summary: 'Telemetry',
    open: true,
    response: { 200: telemetry.extend(fields) },
    handler: async (_request, reply) => {
      const shared: z.infer<typeof telemetry> = { version, status: publicState(model.state) };
      return reply.header('cache-control', 'no-store').send({ ...shared, ...(await read()) });
    },
  });
}
