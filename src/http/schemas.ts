/** Responses that the consoles read, too. They compile this file, so that it may not need Node.js. */

import { z } from 'zod';

export const health = z.object({
  status: z.enum(['warming', 'healthy', 'failed']),
  model_loaded: z.boolean().optional(),
  device: z.string().optional(),
  compute_type: z.string().optional(),
  model: z.string().optional(),
  error: z.string().optional().describe('Why the model failed, or why it is being reloaded'),
});

export type Health = z.infer<typeof health>;

export const readiness = z.object({ status: z.enum(['ready', 'warming', 'failed', 'uninitialized', 'draining']) });

export type Readiness = z.infer<typeof readiness>;

/** What both services tell at /system. */
export const telemetry = z.object({
  version: z.string(),
  status: z.enum(['uninitialized', 'warming', 'ready', 'failed']).describe('State of the model'),
});

export type Telemetry = z.infer<typeof telemetry>;
