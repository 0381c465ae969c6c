import type { Segment, Word } from '../../src/contracts/transcription.ts';
import { srt, vtt } from '../../src/hear/transcript/subtitles.ts';

/** The answer in `verbose_json`. */
export interface Transcript {
  task: 'transcribe' | 'translate';
  language: string;
  /** Seconds. */
  duration: number;
  text: string;
  segments: Omit<Segment, 'words'>[];
  /** Those of all segments, in order; absent from a translation. */
  words?: Word[];
}

/** A stretch of text: a word, or what stands between words. */
export interface Piece {
  text: string;
  word?: Word;
}

/** A segment, taken apart so that its pieces, joined, are its text. */
export interface Paragraph {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
  pieces: Piece[];
}

/** Words less probable than this are marked for a second look. */
export const UNSURE_BELOW = 0.5;

/** Puts the words back into the segments that they come from. */
export function paragraphs({ segments, words = [] }: Pick<Transcript, 'segments' | 'words'>): Paragraph[] {
  let next = 0;
  return segments.map(({ start, end, text: spaced }) => {
    const text = spaced.trim();
    const pieces: Piece[] = [];
    let cursor = 0;
    for (; next < words.length; next++) {
      const word = words[next]!;
      const written = word.word.trim();
      if (written === '') continue;
      const at = text.indexOf(written, cursor);
      // With other letters between, it is a word of the next segment that happens to stand here too.
      if (at < 0 || /[\p{L}\p{N}]/u.test(text.slice(cursor, at))) break;
      if (at > cursor) pieces.push({ text: text.slice(cursor, at) });
      pieces.push({ text: written, word });
      cursor = at + written.length;
    }
    if (cursor < text.length) pieces.push({ text: text.slice(cursor) });
    return { start, end, text, pieces };
  });
}

/** A place in a list of texts; `to` is not included. */
export interface Match {
  text: number;
  from: number;
  to: number;
}

const MOST_MATCHES = 5000;

/** Every place where the query stands, in upper or lower case. */
export function findAll(texts: readonly string[], query: string): Match[] {
  const wanted = query.trim();
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'), 'giu');
  const found: Match[] = [];
  for (const [index, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      if (found.length === MOST_MATCHES) return found;
      found.push({ text: index, from: match.index, to: match.index + match[0].length });
    }
  }
  return found;
}

export const exportFormats = ['text', 'srt', 'vtt', 'json', 'verbose_json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The transcript as the service would have answered in that format. */
export function exported(transcript: Transcript, format: ExportFormat): string {
  switch (format) {
    case 'text':
      return `${transcript.text}\n`;
    case 'json':
      return JSON.stringify({ text: transcript.text });
    case 'verbose_json':
      return `${JSON.stringify(transcript, null, 2)}\n`;
    case 'srt':
      return srt(withWords(transcript));
    case 'vtt':
      return vtt(withWords(transcript));
  }
}

function withWords(transcript: Transcript): Segment[] {
  const parts = paragraphs(transcript);
  return transcript.segments.map((segment, index) => ({
    ...segment,
    words: parts[index]!.pieces.flatMap(({ word }) => word ?? []),
  }));
}

/** Name and media type of a file of that format, after the recording's own name. */
export function fileOf(format: ExportFormat, recording: string): { name: string; type: string } {
  const base = recording.replace(/\.[^.]{1,5}$/, '') || 'transcript';
  const [ending, type] = {
    text: ['txt', 'text/plain'],
    srt: ['srt', 'application/x-subrip'],
    vtt: ['vtt', 'text/vtt'],
    json: ['json', 'application/json'],
    verbose_json: ['json', 'application/json'],
  }[format] as [string, string];
  return { name: `${base}.${ending}`, type };
}
