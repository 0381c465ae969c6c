import { controlTokenAt } from '../../text/control-tokens.ts';
import { isPhonemeString, unknownPhonemes } from '../../text/phoneme-alphabet.ts';
import { toAlphabet } from '../../text/phoneme-input.ts';
import type { SpokenToken, TextSegment } from '../../text/types.ts';
import type { Sentence } from './chunker.ts';

/** Characters of one sentence; longer lines are split. No real text has such. */
const MAX_SENTENCE = 10_000;

/**
 * Text in Kokoro's alphabet, one line for each sentence and each pause: what `phonemeSegments` reads.
 * @param read reads a sentence as phonemes
 */
export async function* phonemeLines(
  segments: Iterable<TextSegment>,
  read: (sentence: Sentence) => Promise<{ text: string }>,
): AsyncGenerator<string> {
  for (const segment of segments) {
    if (segment.type === 'pause') yield `[pause:${decimal(segment.seconds)}s]`;
    else if (segment.type === 'sentence') {
      const { text } = await read(segment);
      const line = text.trim();
      if (line !== '') yield line;
    }
  }
}

/** Without an exponent. */
function decimal(seconds: number): string {
  return seconds.toFixed(12).replace(/\.?0+$/, '');
}

type PhonemeSegment = Exclude<TextSegment, { type: 'mark' }>;

/** Segments of given phonemes: each line is a sentence, spaces separate its words, and `[pause:1.5s]` is a pause anywhere. */
export function* phonemeSegments(phonemes: string): Generator<PhonemeSegment> {
  for (const stretch of splitAtPauses(toAlphabet(phonemes))) {
    const pause = pauseOf(stretch);
    if (pause !== undefined) {
      if (pause > 0) yield { type: 'pause', seconds: pause };
    } else yield* sentences(stretch);
  }
}

/** The characters without a counterpart in Kokoro's alphabet, each once. */
export function notPhonemes(phonemes: string): string[] {
  return unknownPhonemes(
    splitAtPauses(toAlphabet(phonemes))
      .filter((stretch) => pauseOf(stretch) === undefined)
      .join(''),
  );
}

/** Lines and pauses. */
function splitAtPauses(phonemes: string): string[] {
  return phonemes.split(/[\r\n]+|(\[pause:[^[\]]{1,40}\])/i).filter(Boolean);
}

/** Seconds of a pause; undefined for a line. */
function pauseOf(stretch: string): number | undefined {
  const token = controlTokenAt(stretch, 0);
  return token?.type === 'pause' ? token.seconds : undefined;
}

function* sentences(line: string): Generator<PhonemeSegment> {
  for (let begin = 0; begin < line.length; ) {
    const space = line.lastIndexOf(' ', begin + MAX_SENTENCE);
    const end = line.length - begin <= MAX_SENTENCE || space <= begin ? begin + MAX_SENTENCE : space;
    // The pattern would take quadratic time for trailing spaces.
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
