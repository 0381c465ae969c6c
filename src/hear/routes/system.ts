import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { version } from '../../config/version.ts';
import { publicState } from '../../http/health.ts';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';

const telemetry = z.object({
  version: z.string(),
  status: z.enum(['uninitialized', 'warming', 'ready', 'failed']).describe('State of the model'),
  activity: z.object({
    active: z.int().describe('Requests inside the engine'),
    waiting: z.int().describe('Requests waiting for the engine'),
    audio_seconds: z.number().describe('Seconds of audio transcribed since the start'),
  }),
  capabilities: z.object({
    live: z.boolean().describe('Whether live sessions are open to clients'),
    speakers: z.boolean().describe('Whether there is a model that tells speakers apart'),
  }),
});

export type Telemetry = z.infer<typeof telemetry>;

export interface SystemOptions extends Pick<HearContext, 'models' | 'gate' | 'speakers'> {
  maxRealtimeSessions: number;
  audioSeconds: () => Promise<number>;
}

/** GET /system: what the console shows, which may be had where /metrics may not. */
export function systemRoute(app: FastifyInstance, options: SystemOptions): void {
  const { models, gate, speakers, maxRealtimeSessions, audioSeconds } = options;
  route(app, {
    method: 'GET',
    url: '/system',
    operationId: 'getSystem',
    tag: 'health',
    summary: 'Telemetry',
    open: true,
    response: { 200: telemetry },
    handler: async (_request, reply) => {
      const body: Telemetry = {
        version,
        status: publicState(models.state),
        activity: { active: gate.active, waiting: gate.waiting, audio_seconds: await audioSeconds() },
        capabilities: { live: maxRealtimeSessions > 0, speakers: (await speakers.name()) !== undefined },
      };
      return reply.header('cache-control', 'no-store').send(body);
    },
  });
}
