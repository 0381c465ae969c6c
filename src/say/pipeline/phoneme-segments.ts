import { controlTokenAt } from '../../text/control-tokens.ts';
import { Paragraphs } from '../../text/paragraphs.ts';
import { isPhonemeString, unknownPhonemes } from '../../text/phoneme-alphabet.ts';
import { toAlphabet } from '../../text/phoneme-input.ts';
import { endsWithBlankLine } from '../../text/segments.ts';
import type { SpokenToken, TextSegment } from '../../text/types.ts';
import type { Sentence } from './chunker.ts';

/** Maximum characters of a sentence; longer lines, which do not occur in real text, are split. */
const MAX_SENTENCE = 10_000;

/**
 * Text in Kokoro's alphabet, one line for each sentence and each pause, and an empty one between paragraphs: what
 * `phonemeSegments` reads.
 * @param read reads a sentence as phonemes
 */
export async function* phonemeLines(
  segments: Iterable<TextSegment>,
  read: (sentence: Sentence) => Promise<{ text: string }>,
): AsyncGenerator<string> {
  let isFirst = true;
  for (const segment of segments) {
    if (segment.type === 'pause') yield `[pause:${decimal(segment.seconds)}s]`;
    else if (segment.type === 'sentence') {
      const { text } = await read(segment);
      const line = text.trim();
      if (line === '') continue;
      if (segment.startsParagraph && !isFirst) yield '';
      isFirst = false;
      yield line;
    }
  }
}

/** A number without an exponent. */
function decimal(seconds: number): string {
  return seconds.toFixed(12).replace(/\.?0+$/, '');
}

type PhonemeSegment = Exclude<TextSegment, { type: 'mark' }>;

/**
 * Segments of given phonemes: each line is a sentence, spaces separate its words, an empty line ends a paragraph, and
 * `[pause:1.5s]` is a pause anywhere.
 */
export function* phonemeSegments(phonemes: string): Generator<PhonemeSegment> {
  const paragraphs = new Paragraphs();
  for (const stretch of stretchesOf(toAlphabet(phonemes))) {
    const pause = pauseOf(stretch);
    if (isLineBreak(stretch)) {
      if (endsWithBlankLine(stretch)) paragraphs.end();
    } else if (pause === undefined) {
      for (const sentence of sentences(stretch)) {
        yield paragraphs.sentence() ? { ...sentence, startsParagraph: true } : sentence;
      }
    } else if (pause > 0) {
      yield { type: 'pause', seconds: pause };
      paragraphs.pause();
    }
  }
}

/** The characters without a counterpart in Kokoro's alphabet, each once. */
export function notPhonemes(phonemes: string): string[] {
  return unknownPhonemes(
    stretchesOf(toAlphabet(phonemes))
      .filter((stretch) => pauseOf(stretch) === undefined && !isLineBreak(stretch))
      .join(''),
  );
}

/** Lines, the line breaks between them, and pauses. */
function stretchesOf(phonemes: string): string[] {
  return phonemes.split(/([\r\n]+|\[pause:[^[\]]{1,40}\])/i).filter(Boolean);
}

const isLineBreak = (stretch: string) => /^[\r\n]/.test(stretch);

/** Seconds of a pause; undefined for a line. */
function pauseOf(stretch: string): number | undefined {
  const token = controlTokenAt(stretch, 0);
  return token?.type === 'pause' ? token.seconds : undefined;
}

function* sentences(line: string): Generator<Sentence> {
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
