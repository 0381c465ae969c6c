import { z } from 'zod';
import type { VoiceActivityOptions } from '../../contracts/transcription.ts';

/** Longest audio before speech; it takes part of the window. */
const MAX_PREFIX_PADDING_MS = 5000;
/** Shorter gaps are within words; each one would make a window. */
const MIN_SILENCE_MS = 100;
const MAX_SILENCE_MS = 10_000;

const number = (name: string, { min, max }: { min: number; max: number }) => {
  const error = `chunking_strategy[${name}] must be a number from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, { error }).max(max, { error }).optional();
};

const strategy = z.object({
  type: z.enum(['auto', 'server_vad'], {
    error: 'chunking_strategy must be auto, or an object with the type server_vad',
  }),
  threshold: number('threshold', { min: 0, max: 1 }),
  prefix_padding_ms: number('prefix_padding_ms', { min: 0, max: MAX_PREFIX_PADDING_MS }),
  silence_duration_ms: number('silence_duration_ms', { min: MIN_SILENCE_MS, max: MAX_SILENCE_MS }),
});

/** For the API description: what clients send. */
const described = z.union([z.literal('auto'), strategy.extend({ type: z.literal('server_vad') })]);

/** The field `chunking_strategy` of a transcription: `auto`, or `server_vad` with any of its numbers. */
export const chunkingStrategy = z
  .unknown()
  .transform((value, context): VoiceActivityOptions | undefined => {
    const result = strategy.safeParse(typeof value === 'string' ? { type: value } : value);
    if (!result.success) {
      const { message, path } = result.error.issues[0]!;
      context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    }
    const { type, threshold, prefix_padding_ms, silence_duration_ms } = result.data;
    if (type === 'auto') return undefined;
    return {
      ...(threshold !== undefined && { threshold }),
      ...(prefix_padding_ms !== undefined && { prefixPadding: prefix_padding_ms / 1000 }),
      ...(silence_duration_ms !== undefined && { silence: silence_duration_ms / 1000 }),
    };
  })
  .optional()
  .meta(jsonSchema(described))
  .describe(
    'How the recording is cut into windows. `auto`, the default, does what is best for the model; `server_vad` uses the given numbers, as `chunking_strategy[type]` … or as JSON, and those of `auto` for omitted ones. `silence_duration_ms` is the pause that ends a window.',
  );

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
