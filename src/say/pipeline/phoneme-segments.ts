import { controlTokenAt } from '../../text/control-tokens.ts';
import { isPhonemeString, unknownPhonemes } from '../../text/phoneme-alphabet.ts';
import type { SpokenToken, TextSegment } from '../../text/types.ts';
import type { Sentence } from './reader.ts';

/** Longest sentence that is spoken as one; no text has such. */
const LONGEST_SENTENCE = 10_000;

/**
 * What Kokoro is given for a text, in the form that `phonemeSegments` reads: one line for each sentence and each pause.
 */
export async function* phonemeLines(
  segments: Iterable<TextSegment>,
  read: (sentence: Sentence) => Promise<{ text: string }>,
): AsyncGenerator<string> {
  for (const segment of segments) {
    if (segment.type === 'pause') yield `[pause:${decimal(segment.seconds)}s]`;
    else {
      const { text } = await read(segment);
      const line = text.trim();
      if (line !== '') yield line;
    }
  }
}

/** Not in powers of ten, as small numbers are written otherwise. */
function decimal(seconds: number): string {
  return seconds.toFixed(12).replace(/\.?0+$/, '');
}

/**
 * Phonemes as sentences and pauses: each line is a sentence, blanks separate its words, and `[pause:1.5s]` is a pause
 * wherever it stands.
 */
export function* phonemeSegments(phonemes: string): Generator<TextSegment> {
  for (const part of partsOf(phonemes)) {
    const pause = pauseOf(part);
    if (pause !== undefined) {
      if (pause > 0) yield { type: 'pause', seconds: pause };
    } else yield* sentences(part);
  }
}

/** The characters that are no phonemes, each once. */
export function notPhonemes(phonemes: string): string[] {
  return unknownPhonemes(
    partsOf(phonemes)
      .filter((part) => pauseOf(part) === undefined)
      .join(''),
  );
}

function partsOf(phonemes: string): string[] {
  return phonemes.split(/[\r\n]+|(\[pause:[^[\]]{1,40}\])/i).filter(Boolean);
}

function pauseOf(part: string): number | undefined {
  const token = controlTokenAt(part, 0);
  return token?.type === 'pause' ? token.seconds : undefined;
}

function* sentences(line: string): Generator<TextSegment> {
  for (let begin = 0; begin < line.length; ) {
    const blank = line.lastIndexOf(' ', begin + LONGEST_SENTENCE);
    const end = line.length - begin <= LONGEST_SENTENCE || blank <= begin ? begin + LONGEST_SENTENCE : blank;
    // Blanks that no word follows would be walked through at each of them.
    const words = line
      .slice(begin, end)
      .trimEnd()
      .match(/ *[^ —]+—?| *—/g);
    if (words) yield { type: 'sentence', tokens: words.map(tokenOf), phonemes: words };
    begin = end;
  }
}

function tokenOf(word: string): SpokenToken {
  const written = word.trim();
  return isPhonemeString(written) ? { written, spoken: '', ipa: written } : { written, spoken: written };
}
