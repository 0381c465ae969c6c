import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { systemRoute } from '../../http/system.ts';
import type { HearContext } from '../context.ts';

const telemetry = {
  activity: z.object({
    active: z.int().describe('Requests inside the engine'),
    waiting: z.int().describe('Requests waiting for the engine'),
    audio_seconds: z.number().describe('Seconds of audio transcribed since the start'),
  }),
  capabilities: z.object({
    live: z.boolean().describe('Whether live sessions are open to clients'),
    speakers: z.boolean().describe('Whether there is a model that tells speakers apart'),
  }),
};

export interface SystemOptions extends Pick<HearContext, 'models' | 'gate' | 'speakers'> {
  maxRealtimeSessions: number;
  audioSeconds: () => Promise<number>;
}

/** GET /system. */
export function hearSystemRoute(app: FastifyInstance, options: SystemOptions): void {
  const { models, gate, speakers, maxRealtimeSessions, audioSeconds } = options;
  systemRoute(app, models, telemetry, async () => ({
    activity: { active: gate.active, waiting: gate.waiting, audio_seconds: await audioSeconds() },
    capabilities: { live: maxRealtimeSessions > 0, speakers: (await speakers.name()) !== undefined },
  }));
}
