import type { VoiceSample } from '../contracts/speakers.ts';
import { dot } from './voice-group.ts';

/**
 * Gives each sample the speaker whose voice is nearest, as long as changes of speaker are worth it: the Viterbi algorithm.
 * @param voices of the speakers, of unit length
 * @param penalty of a change of speaker, as a cosine
 * @returns the index of a speaker for each sample
 */
export function smoothLabels(
  samples: readonly VoiceSample[],
  voices: readonly ArrayLike<number>[],
  penalty: number,
): Int32Array {
  const count = voices.length;
  const from = new Int32Array(samples.length * count);
  let scores = new Float64Array(count);
  for (const [index, sample] of samples.entries()) {
    let best = 0;
    for (let speaker = 1; speaker < count; speaker++) if (scores[speaker]! > scores[best]!) best = speaker;
    const next = new Float64Array(count);
    for (let speaker = 0; speaker < count; speaker++) {
      const changes = scores[best]! - penalty > scores[speaker]!;
      from[index * count + speaker] = changes ? best : speaker;
      next[speaker] = (changes ? scores[best]! - penalty : scores[speaker]!) + dot(sample.embedding, voices[speaker]!);
    }
    scores = next;
  }
  const labels = new Int32Array(samples.length);
  let speaker = scores.indexOf(Math.max(...scores));
  for (let index = samples.length - 1; index >= 0; index--) {
    labels[index] = speaker;
    speaker = from[index * count + speaker]!;
  }
  return labels;
}
