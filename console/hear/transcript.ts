import type { Word } from '../../src/contracts/transcription.ts';
import type { TimedText } from '../../src/hear/transcript/cue-units.ts';
import { named, paragraphs, paragraphText } from '../../src/hear/transcript/paragraphs.ts';
import type { Steps } from '../../src/hear/transcript/steps.ts';
import { srtSteps, vttSteps } from '../../src/hear/transcript/subtitles.ts';
import { clock } from '../shared/format.ts';
import { linesOf } from './lines.ts';

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

export type ExportFormat = 'text' | 'markdown' | 'srt' | 'vtt' | 'json' | 'verbose_json';

/** The transcript in a format, in steps: recordings of hours take long. The JSON formats and subtitles are the service's. */
export function* exportSteps(transcript: Transcript, format: ExportFormat): Steps<string> {
  switch (format) {
    case 'text':
      return paragraphText(transcript.segments);
    case 'markdown':
      return `${paragraphs(transcript.segments)
        .map(({ start, speaker, text }) => `**${clock(start)}** ${markdownText(named(speaker, text))}`)
        .join('\n\n')}\n`;
    case 'json':
      return JSON.stringify({ text: transcript.text });
    case 'verbose_json':
      return yield* verboseSteps(transcript);
    case 'srt':
      return yield* srtSteps(withWords(transcript), transcript.duration);
    case 'vtt':
      return yield* vttSteps(withWords(transcript), transcript.duration);
  }
}

/** JSON with a line for each segment and word. */
function* verboseSteps({ segments, words, ...rest }: Transcript): Steps<string> {
  const fields = Object.entries(rest).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  for (const [name, items] of Object.entries({ segments, ...(words && { words }) })) {
    const lines: string[] = [];
    for (const item of items) {
      lines.push(`    ${JSON.stringify(item)}`);
      yield;
    }
    fields.push(lines.length === 0 ? `  "${name}": []` : `  "${name}": [\n${lines.join(',\n')}\n  ]`);
  }
  return `{\n${fields.join(',\n')}\n}\n`;
}

function withWords(transcript: Transcript): TimedText[] {
  const lines = linesOf(transcript);
  return transcript.segments.map((segment, index) => ({
    ...segment,
    words: lines[index]!.parts.flatMap(({ word }) => word ?? []),
  }));
}

/** Signs that Markdown would take for markup. */
const markdownText = (text: string) => text.replace(/[\\`*_[\]<>&]/g, '\\$&');

/** Name and media type of the exported file, after the recording's name. */
export function fileOf(format: ExportFormat, recording: string): { name: string; type: string } {
  const [extension, type] = {
    text: ['txt', 'text/plain'],
    markdown: ['md', 'text/markdown'],
    srt: ['srt', 'application/x-subrip'],
    vtt: ['vtt', 'text/vtt'],
    json: ['json', 'application/json'],
    verbose_json: ['json', 'application/json'],
  }[format] as [string, string];
  return { name: `${titleOf(recording)}.${extension}`, type };
}

/** The recording's name without its ending. */
export const titleOf = (recording: string): string => recording.replace(/\.[^.]{1,5}$/, '') || 'transcript';
