import type { Word } from '../../src/contracts/transcription.ts';
import { srt, type TimedText, vtt } from '../../src/hear/transcript/subtitles.ts';

/** The response in `verbose_json`, or as much of it as is known. */
export interface Transcript {
  task: 'transcribe' | 'translate';
  /** Absent in a part of a transcript. */
  language?: string;
  /** Seconds. */
  duration: number;
  text: string;
  segments: Omit<TimedText, 'words'>[];
  /** Words of all segments, in order; absent in translations. */
  words?: Word[];
}

/**
 * The transcript of a recording of which only the first segments arrived.
 * @param heard segments, without word times
 */
export function partialTranscript(task: Transcript['task'], heard: Transcript['segments']): Transcript {
  const text = heard.map((segment) => segment.text).join('');
  return { task, duration: heard.at(-1)?.end ?? 0, text: text.trim(), segments: [...heard] };
}

/** A word, or the text between words. */
export interface TextPart {
  text: string;
  word?: Word;
}

/** A segment split into parts, which together are its text. */
export interface Paragraph {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
  parts: TextPart[];
}

/** Marks words with a lower probability as uncertain. */
export const UNCERTAIN_BELOW = 0.5;

/** Assigns the words to their segments. */
export function paragraphs({ segments, words = [] }: Pick<Transcript, 'segments' | 'words'>): Paragraph[] {
  let next = 0;
  return segments.map(({ start, end, text: spaced }) => {
    const text = spaced.trim();
    const parts: TextPart[] = [];
    let cursor = 0;
    for (; next < words.length; next++) {
      const word = words[next]!;
      const written = word.word.trim();
      if (written === '') continue;
      const index = text.indexOf(written, cursor);
      // After other letters, it is a word of the next segment that also occurs here.
      if (index < 0 || /[\p{L}\p{N}]/u.test(text.slice(cursor, index))) break;
      if (index > cursor) parts.push({ text: text.slice(cursor, index) });
      parts.push({ text: written, word });
      cursor = index + written.length;
    }
    if (cursor < text.length) parts.push({ text: text.slice(cursor) });
    return { start, end, text, parts };
  });
}

/** A range of one of several texts; `to` is exclusive. */
export interface Match {
  /** Index of the text. */
  text: number;
  from: number;
  to: number;
}

const MAX_MATCHES = 5000;

/** All matches of a query, ignoring case. */
export function findAll(texts: readonly string[], query: string): Match[] {
  const phrase = query.trim();
  if (phrase === '') return [];
  const pattern = new RegExp(phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'), 'giu');
  const matches: Match[] = [];
  for (const [index, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      if (matches.length === MAX_MATCHES) return matches;
      matches.push({ text: index, from: match.index, to: match.index + match[0].length });
    }
  }
  return matches;
}

export const exportFormats = ['text', 'srt', 'vtt', 'json', 'verbose_json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The transcript as the service's response in a format. */
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

function withWords(transcript: Transcript): TimedText[] {
  const split = paragraphs(transcript);
  return transcript.segments.map((segment, index) => ({
    ...segment,
    words: split[index]!.parts.flatMap(({ word }) => word ?? []),
  }));
}

/** Name and media type of the exported file, after the recording's name. */
export function fileOf(format: ExportFormat, recording: string): { name: string; type: string } {
  const base = recording.replace(/\.[^.]{1,5}$/, '') || 'transcript';
  const [extension, type] = {
    text: ['txt', 'text/plain'],
    srt: ['srt', 'application/x-subrip'],
    vtt: ['vtt', 'text/vtt'],
    json: ['json', 'application/json'],
    verbose_json: ['json', 'application/json'],
  }[format] as [string, string];
  return { name: `${base}.${extension}`, type };
}
