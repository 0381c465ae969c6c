import { nextTask } from '../shared/slices.ts';
import { SAMPLE_RATE } from './pcm.ts';
import type { Speech } from './speech.ts';
import type { PlacedWord } from './spoken-words.ts';

/** Samples taken over in one task: half a minute. */
const SAMPLES_PER_TASK = 30 * SAMPLE_RATE;

/** Fills a speech with its stored sound and words. */
export async function speechOfSamples(
  speech: Speech,
  stored: Blob | undefined,
  words: readonly PlacedWord[],
): Promise<void> {
  const samples = new Int16Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0));
  for (let from = 0; from < samples.length; from += SAMPLES_PER_TASK) {
    speech.appendPlaced(samples.subarray(from, from + SAMPLES_PER_TASK), from === 0 ? words : []);
    await nextTask();
  }
  speech.complete = true;
}
