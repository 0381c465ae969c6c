import { deflateSync } from 'node:zlib';

// People repeat themselves too; these limits exceed the repetitions of speech.
const MAX_PERIOD = 16;
const MIN_LOOP_TOKENS = 24;
const MIN_LOOP_REPEATS = 4;

/** Characters per second of fast speakers: text that repeats itself faster was not said. */
export const MAX_REPETITION_RATE = 25;

/** Number of tokens at the end that only loop over the ones before them; 0 if there is no loop. */
export function loopLength(tokens: readonly number[]): number {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let run = 0;
    for (let index = tokens.length - 1; index >= period && tokens[index] === tokens[index - period]; index--) run++;
    const repeats = Math.floor(run / period);
    if (repeats >= MIN_LOOP_REPEATS - 1 && run + period >= MIN_LOOP_TOKENS) return run;
  }
  return 0;
}

/** openai/whisper's `compression_ratio`: bytes over bytes deflated by zlib. High for repetitive text. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

/** Tokens in a row that are a repetition if they have come before. */
const PHRASE_TOKENS = 5;

/** Share of tokens that lie in phrases which have come before, 0 to 1. */
export function repeatedShare(tokens: readonly number[]): number {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (let start = 0; start + PHRASE_TOKENS <= tokens.length; start++) {
    const phrase = tokens.slice(start, start + PHRASE_TOKENS);
    const key = phrase.join(' ');
    if (seen.has(key)) for (const offset of phrase.keys()) repeated.add(start + offset);
    seen.add(key);
  }
  return repeated.size / Math.max(1, tokens.length);
}
