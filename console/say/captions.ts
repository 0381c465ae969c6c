import type { Steps } from '../../src/hear/transcript/steps.ts';
import { srtSteps, vttSteps } from '../../src/hear/transcript/subtitles.ts';
import type { Speech } from './speech.ts';

export type CaptionFormat = 'srt' | 'vtt' | 'json';

/** The words of a speech with their times, in steps; `json` has seconds. */
export function* captionSteps({ request, words, duration }: Speech, format: CaptionFormat): Steps<string> {
  const spoken = words.map(({ from, to, start, end }) => ({ word: request.input.slice(from, to), start, end }));
  if (format === 'json') return `${JSON.stringify({ duration, words: spoken }, null, 2)}\n`;
  const segment = {
    start: 0,
    end: duration,
    // Without the text, which has marks that are not spoken, spaces follow the script of the words.
    text: '',
    words: spoken.map((word) => ({ ...word, probability: 1 })),
  };
  return yield* format === 'srt' ? srtSteps([segment]) : vttSteps([segment]);
}
