import type { Word } from '../../src/contracts/transcription.ts';
import type { Transcript } from './transcript.ts';

/** A word, or the text between words. */
export interface TextPart {
  text: string;
  word?: Word;
}

/** A segment as it is shown and edited. Lines are replaced, never changed. */
export interface Line {
  /** Seconds. */
  start: number;
  end: number;
  /** Trimmed. */
  text: string;
  /** Joined, they are the text. */
  parts: readonly TextPart[];
  /** The segment as it came, if it is unchanged. */
  segment?: Transcript['segments'][number];
  /** Whitespace before the text in the transcript: none between sentences of some scripts. */
  lead: string;
  /** Name of the speaker, if known. */
  speaker?: string;
}

/** Marks words with a lower probability as uncertain. */
const UNCERTAIN_BELOW = 0.5;

export const isUnsure = ({ word }: TextPart): boolean => word !== undefined && word.probability < UNCERTAIN_BELOW;

/** Assigns the words to their segments. */
export function linesOf({ segments, words = [] }: Pick<Transcript, 'segments' | 'words'>): Line[] {
  let next = 0;
  return segments.map((segment, at) => {
    const text = segment.text.trim();
    const after = segments[at + 1];
    const parts: TextPart[] = [];
    let cursor = 0;
    for (; next < words.length; next++) {
      const word = words[next]!;
      const written = word.word.trim();
      if (written === '') continue;
      const index = text.indexOf(written, cursor);
      // After other letters, or where the next segment is spoken and begins with it, it is a word of that one.
      if (index < 0 || /[\p{L}\p{N}]/u.test(text.slice(cursor, index)) || isFirstOf(after, word)) {
        // A word of a segment before, in whose text it is not found, must not hold up the others.
        if (word.end <= segment.start) continue;
        break;
      }
      if (index > cursor) parts.push({ text: text.slice(cursor, index) });
      parts.push({ text: written, word });
      cursor = index + written.length;
    }
    if (cursor < text.length) parts.push({ text: text.slice(cursor) });
    return lineOf(segment, text, parts);
  });
}

/** Whether a segment begins with a word, as to its text and its time: the segment before may have the text of it, too. */
function isFirstOf(segment: Transcript['segments'][number] | undefined, { word, start, end }: Word): boolean {
  return segment !== undefined && (start + end) / 2 >= segment.start && segment.text.trim().startsWith(word.trim());
}

/** The line of a segment whose words are not known. */
export function plainLine(segment: Transcript['segments'][number]): Line {
  const text = segment.text.trim();
  return lineOf(segment, text, [{ text }]);
}

function lineOf(segment: Transcript['segments'][number], text: string, parts: TextPart[]): Line {
  const lead = /^\s*/.exec(segment.text)![0];
  const { start, end, speaker } = segment;
  return { start, end, text, parts, segment, lead, ...(speaker !== undefined && { speaker }) };
}

/** The transcript with these lines. Changed segments omit the model's values. */
export function transcriptOf(original: Transcript, lines: readonly Line[]): Transcript {
  const spoken = lines.filter(({ text }) => text !== '');
  const segments = spoken.map(({ segment, start, end, text, lead, speaker }, id) => {
    const name = speaker !== undefined && { speaker };
    if (!segment) return { id, start, end, text: lead + text, ...name };
    const { speaker: _, ...rest } = segment;
    return 'id' in rest ? { ...rest, id, ...name } : { ...rest, ...name };
  });
  return {
    ...original,
    text: segments
      .map(({ text }) => text)
      .join('')
      .trim(),
    segments,
    ...(original.words && { words: spoken.flatMap(({ parts }) => parts.flatMap(({ word }) => word ?? [])) }),
  };
}
