/** Responses that the console reads, too. It compiles this file, so that it may not need Node.js. */

import { z } from 'zod';
import { telemetry } from '../../http/schemas.ts';
import { gpu } from '../../machine/gpu-schema.ts';

export const sayTelemetry = telemetry.extend({
  gpu: gpu.nullable(),
  activity: z.object({
    active: z.int().describe('Requests in flight: in synthesis, or in the queue for it'),
    waiting: z.int().describe('Always 0; /metrics counts the requests in the queue'),
  }),
  model: z
    .object({ device: z.string(), backend: z.string(), voicepack_count: z.int(), resident: z.boolean() })
    .nullable()
    .describe('null until the model is ready; `resident` is false after an unload'),
});

export type SayTelemetry = z.infer<typeof sayTelemetry>;
