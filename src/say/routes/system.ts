import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { version } from '../../config/version.ts';
import { publicState } from '../../http/health.ts';
import { route } from '../../http/route.ts';
import type { Gpu } from '../../machine/gpu.ts';
import { spokenVoices } from '../capabilities.ts';
import type { SayContext } from '../context.ts';

const telemetry = z.object({
  version: z.string(),
  status: z.enum(['uninitialized', 'warming', 'ready', 'failed']).describe('State of the model'),
  gpu: z
    .object({
      name: z.string(),
      memory_used_bytes: z.int(),
      memory_total_bytes: z.int(),
      utilization_pct: z.number().optional(),
      temperature_c: z.number().optional(),
      power_w: z.number().optional(),
    })
    .nullable(),
  activity: z.object({
    active: z.int().describe('Requests in flight: in synthesis, or in the queue for it'),
    waiting: z.int().describe('Always 0; /metrics counts the requests in the queue'),
  }),
  model: z
    .object({ device: z.string(), backend: z.string(), voicepack_count: z.int(), resident: z.boolean() })
    .nullable()
    .describe('null until the model is ready; `resident` is false after an unload'),
});

/** GET /system. */
export function systemRoute(app: FastifyInstance, context: SayContext, readGpu: () => Promise<Gpu | null>): void {
  route(app, {
    method: 'GET',
    url: '/system',
    operationId: 'getSystem',
    tag: 'health',
    summary: 'Telemetry',
    open: true,
    response: { 200: telemetry },
    handler: async (_request, reply) => {
      const { models, gate } = context;
      const { state, info } = models;
      const voices = await spokenVoices(context);
      const body: z.infer<typeof telemetry> = {
        version,
        status: publicState(state),
        gpu: await readGpu(),
        activity: { active: gate.active + gate.waiting, waiting: 0 },
        model:
          state === 'ready' && info
            ? {
                device: info.device,
                backend: info.backend,
                voicepack_count: voices.length,
                resident: models.resident,
              }
            : null,
      };
      return reply.header('cache-control', 'no-store').send(body);
    },
  });
}
