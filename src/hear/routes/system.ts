import type { FastifyInstance } from 'fastify';
import { systemRoute } from '../../http/system.ts';
import type { HearContext } from '../context.ts';
import { hearTelemetry } from './schemas.ts';

export interface SystemOptions extends Pick<HearContext, 'models' | 'gate' | 'speakers'> {
  maxRealtimeSessions: number;
  audioSeconds: () => Promise<number>;
}

/** GET /system. */
export function hearSystemRoute(app: FastifyInstance, options: SystemOptions): void {
  const { models, gate, speakers, maxRealtimeSessions, audioSeconds } = options;
  systemRoute(app, models, hearTelemetry, async () => ({
    activity: { active: gate.active, waiting: gate.waiting, audio_seconds: await audioSeconds() },
    capabilities: { live: maxRealtimeSessions > 0, speakers: (await speakers.name()) !== undefined },
  }));
}
