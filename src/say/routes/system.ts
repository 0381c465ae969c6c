import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { systemRoute } from '../../http/system.ts';
import type { Gpu } from '../../machine/gpu.ts';
import { spokenVoices } from '../capabilities.ts';
import type { SayContext } from '../context.ts';

const telemetry = {
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
};

/** GET /system. */
export function saySystemRoute(app: FastifyInstance, context: SayContext, readGpu: () => Promise<Gpu | null>): void {
  const { models, gate } = context;
  systemRoute(app, models, telemetry, async () => {
    const { state, info } = models;
    const voices = await spokenVoices(context);
    return {
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
  });
}
