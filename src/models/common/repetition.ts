import { deflateSync } from 'node:zlib';

/** People do repeat themselves; a model in a loop never stops. These are more repetitions than speech has. */
const LONGEST_PERIOD = 16;
const LOOP_TOKENS = 24;
const LOOP_REPEATS = 4;

/** How many tokens at the end only repeat the ones before them, over and over; 0 while they do not. */
export function loopLength(tokens: readonly number[]): number {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    let run = 0;
    for (let index = tokens.length - 1; index >= period && tokens[index] === tokens[index - period]; index--) run++;
    const repeats = Math.floor(run / period);
    if (repeats >= LOOP_REPEATS - 1 && run + period >= LOOP_TOKENS) return run;
  }
  return 0;
}

/** As openai/whisper's `compression_ratio`: bytes over bytes deflated by zlib. A high one means repetition. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}
