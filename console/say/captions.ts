import { type Cue, cueSteps } from '../../src/hear/transcript/cues.ts';
import type { Steps } from '../../src/hear/transcript/steps.ts';
import { srtOfCues, vttOfCues } from '../../src/hear/transcript/subtitles.ts';
import type { Speech } from './speech.ts';
import type { PlacedWord } from './spoken-words.ts';

export type CaptionFormat = 'srt' | 'vtt' | 'json';

/** The words of a speech with their times, in steps; `json` has seconds. */
export function* captionSteps(speech: Speech, format: CaptionFormat): Steps<string> {
  const { request, marks, duration } = speech;
  const lines = [...spokenLines(speech)];
  if (format === 'json') {
    const words = lines.flatMap((line, index) => line.map((word) => (request.lines ? { ...word, line: index } : word)));
    return `${JSON.stringify({ duration, words, ...(marks.length > 0 && { marks }) }, null, 2)}\n`;
  }
  const cues = yield* cuesOf(lines, duration);
  return yield* format === 'srt' ? srtOfCues(cues) : vttOfCues(cues);
}

/** Cues of one line each: people talk in turn. */
function* cuesOf(lines: readonly SpokenWord[][], duration: number): Steps<Cue[]> {
  const cues: Cue[] = [];
  for (const line of lines) {
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last) continue;
    const words = line.map((word) => ({ ...word, probability: 1 }));
    // Without the text, which has marks that are not spoken, spaces follow the script of the words.
    const [next, ...rest] = yield* cueSteps([{ start: first.start, end: last.end, text: '', words }], { duration });
    const previous = cues.at(-1);
    // Short cues last a second.
    if (previous && next) previous.end = Math.min(previous.end, next.start);
    if (next) cues.push(next, ...rest);
  }
  return cues;
}

interface SpokenWord {
  word: string;
  start: number;
  end: number;
}

/** The words of each line of a dialogue; those of a text are one line. */
function* spokenLines({ request: { input, lines }, words }: Speech): Generator<SpokenWord[]> {
  const spoken = ({ from, to, start, end, word }: PlacedWord) => ({ word: word ?? input.slice(from, to), start, end });
  if (!lines) {
    yield words.map(spoken);
    return;
  }
  let at = 0;
  for (const [index] of lines.entries()) {
    const next = lines[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const first = at;
    while (at < words.length && words[at]!.from < next) at++;
    yield words.slice(first, at).map(spoken);
  }
}
