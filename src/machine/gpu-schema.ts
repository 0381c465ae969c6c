import { z } from 'zod';

/** The first GPU of this machine. */
export const gpu = z.object({
  name: z.string(),
  memory_used_bytes: z.int(),
  memory_total_bytes: z.int(),
  utilization_pct: z.number().optional(),
  temperature_c: z.number().optional(),
  power_w: z.number().optional(),
});

export type Gpu = z.infer<typeof gpu>;
