import { endsSentence } from '../../diarization/word-ends.ts';
import type { TimedText } from './cue-units.ts';

/** Seconds of silence after a sentence that begin a new paragraph. */
const PARAGRAPH_PAUSE = 1.5;
/** After this many characters, a sentence ends its paragraph even without a pause. */
const LONG_PARAGRAPH = 1200;

/** Text of one speaker without a long pause. */
export interface Paragraph {
  /** Seconds. */
  start: number;
  text: string;
  speaker?: string | undefined;
}

/** The text of segments as paragraphs, cut at pauses and where another speaker begins. */
export function paragraphs(segments: readonly Omit<TimedText, 'words'>[]): Paragraph[] {
  const cut: Paragraph[] = [];
  let end = 0;
  for (const segment of segments) {
    const last = cut.at(-1);
    const isSentence = last !== undefined && endsSentence(last.text.trimEnd());
    const isAnother = last?.speaker !== segment.speaker;
    const isPause = isSentence && (segment.start - end >= PARAGRAPH_PAUSE || last.text.length >= LONG_PARAGRAPH);
    if (!last || isAnother || isPause) cut.push({ start: segment.start, text: segment.text, speaker: segment.speaker });
    else last.text += segment.text;
    end = segment.end;
  }
  return cut.map((paragraph) => ({ ...paragraph, text: paragraph.text.trim() }));
}

/** A paragraph with the name of its speaker, if that is known. */
export const named = (speaker: string | undefined, text: string): string =>
  speaker === undefined ? text : `${speaker}: ${text}`;

/** Paragraphs with their speakers, as plain text. */
export const paragraphText = (segments: readonly Omit<TimedText, 'words'>[]): string =>
  `${paragraphs(segments)
    .map(({ speaker, text }) => named(speaker, text))
    .join('\n\n')}\n`;
