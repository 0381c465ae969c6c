import type { SpeechRequest } from './speech.ts';

/** What to ask the service for: `/v1/audio/<kind>`, and the fields of the body without those of its format. */
export function speechBody(request: SpeechRequest): { kind: 'speech' | 'dialogue'; content: Record<string, unknown> } {
  const { input, voice, speed, volume, lexicon, language, isSsml, lines } = request;
  if (!lines) {
    return {
      kind: 'speech',
      content: {
        input,
        ...(isSsml && { input_type: 'ssml' }),
        voice,
        ...(language !== undefined && { lang_code: language }),
        ...(speed !== 1 && { speed }),
        ...(volume !== 1 && { volume_multiplier: volume }),
        ...(lexicon && { lexicon }),
      },
    };
  }
  return {
    kind: 'dialogue',
    content: {
      lines: lines.map((line) => ({
        input: line.input,
        voice: line.voice,
        ...(language !== undefined && { lang_code: language }),
        ...(line.speed * speed !== 1 && { speed: rounded(line.speed * speed) }),
        ...(volume !== 1 && { volume_multiplier: volume }),
        ...(line.pauseAfter > 0 && { pause_after: line.pauseAfter }),
      })),
      ...(lexicon && { lexicon }),
    },
  };
}

/** The speed of a line times that of all, within what the service speaks. */
const rounded = (speed: number) => Math.min(4, Math.max(0.25, Math.round(speed * 100) / 100));
