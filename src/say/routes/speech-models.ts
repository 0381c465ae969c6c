export const modelIds = ['tts-1', 'tts-1-hd', 'tts-native', 'chat-4o-mini-tts'] as const;

/** Accepted for compatibility, but not listed. */
const ALIASES: ReadonlySet<string> = new Set([...modelIds, 'kokoro', 'gpt-4o-mini-tts']);

/** Releases of the models of other services, such as `gpt-4o-mini-tts-2025-12-15` and `tts-1-hd-1106`. */
const RELEASE = /^(tts-1|tts-1-hd|gpt-4o-mini-tts|chat-4o-mini-tts)-(\d{4}|\d{4}-\d{2}-\d{2}|latest|preview)$/;

/** Whether a request may name this model; all are the loaded one. */
export function isKnownModel(id: string): boolean {
  return ALIASES.has(id) || RELEASE.test(id);
}

/** Whether a model sends events on request: OpenAI's older ones send audio anyway. */
export function streamsEvents(id: string): boolean {
  return !/^tts-1(-|$)/.test(id);
}
