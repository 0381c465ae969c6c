import { z } from 'zod';
import { isObject, withoutNulls } from '../../files/json.ts';
import type { TurnDetection } from './turn-detector.ts';

export const MAX_PADDING_MS = 10_000;

const serverVad = z
  .object({
    type: z.literal('server_vad'),
    threshold: z.number().min(0.01).max(1).default(0.5),
    prefix_padding_ms: z.int().min(0).max(MAX_PADDING_MS).default(300),
    silence_duration_ms: z.int().min(0).max(MAX_PADDING_MS).default(500),
    idle_timeout_ms: z.int().min(5000).max(30_000).nullish(),
  })
  // For the API description: the type may be omitted, as by older clients.
  .meta({ required: undefined });

const semanticVad = z.object({
  type: z.literal('semantic_vad'),
  eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
});

/** The field `turn_detection` of a session. */
export const turnDetection = z.preprocess(
  (value) => {
    const given = withoutNulls(value);
    return isObject(given) ? { type: 'server_vad', ...given } : given;
  },
  z.discriminatedUnion('type', [serverVad, semanticVad]),
);

export type ChosenTurnDetection = z.output<typeof turnDetection>;

/** The part of a session that decides. */
interface Asked {
  turn_detection?: ChosenTurnDetection | null;
  transcription: { model?: string | null | undefined } | null;
}

const defaultTurnDetection = serverVad.parse({ type: 'server_vad' });

/** Upstream, these models have no turn detection: clients that name one omit the field, and commit by themselves. */
const MODELS_WITHOUT_TURNS = ['gpt-realtime-whisper', 'gpt-live-transcribe'];

/** The field as sessions show it: if it was never given, the model decides. */
export function resolvedTurnDetection({ turn_detection, transcription }: Asked): ChosenTurnDetection | null {
  if (turn_detection !== undefined) return turn_detection;
  const model = transcription?.model ?? '';
  return MODELS_WITHOUT_TURNS.some((name) => model.startsWith(name)) ? null : defaultTurnDetection;
}

/**
 * Milliseconds of silence that end a turn. The API allows 8, 4 and 2 s for a model that detects the end of a thought;
 * with silence alone they have to be shorter.
 */
const SILENCE_BY_EAGERNESS = { low: 2000, medium: 1000, auto: 1000, high: 500 } as const;

/** When turns begin and end; undefined if the client commits. */
export function turnDetectionOf(config: Asked): TurnDetection | undefined {
  const detection = resolvedTurnDetection(config);
  if (detection === null) return undefined;
  if (detection.type === 'semantic_vad') {
    const silenceDurationMs = SILENCE_BY_EAGERNESS[detection.eagerness];
    return { threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs };
  }
  return {
    threshold: detection.threshold,
    prefixPaddingMs: detection.prefix_padding_ms,
    silenceDurationMs: detection.silence_duration_ms,
    ...(detection.idle_timeout_ms && { idleTimeoutMs: detection.idle_timeout_ms }),
  };
}
