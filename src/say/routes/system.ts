import type { FastifyInstance } from 'fastify';
import { systemRoute } from '../../http/system.ts';
import type { Gpu } from '../../machine/gpu-schema.ts';
import { spokenVoices } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { sayTelemetry } from './schemas.ts';

/** GET /system. */
export function saySystemRoute(app: FastifyInstance, context: SayContext, readGpu: () => Promise<Gpu | null>): void {
  const { models, gate } = context;
  systemRoute(app, models, sayTelemetry, async () => {
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
