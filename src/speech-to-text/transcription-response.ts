import { z } from 'zod';
import type { Segment, TranscriptionTask } from '../transcript.ts';
import { srt, vtt } from './subtitles.ts';

/** A whole recording in text. */
export interface Transcript {
  task: TranscriptionTask;
  /** Code of the language that is spoken in the recording. */
  language: string;
  /** Length of the recording in seconds. */
  duration: number;
  segments: Segment[];
}

export const responseFormats = ['text', 'json', 'verbose_json', 'srt', 'vtt'] as const;

export type ResponseFormat = (typeof responseFormats)[number];

export const plainTranscript = z.object({
  text: z.string().describe('The whole transcript.'),
});

export const verboseSegment = z.object({
  id: z.int().describe('Number of the segment, from 0.'),
  seek: z.int().describe('Start of the window that the segment was decoded in, in frames of 10 ms.'),
  start: z.number().describe('Seconds from the start of the recording.'),
  end: z.number().describe('Seconds from the start of the recording.'),
  text: z.string().describe('Text with its leading blank: the texts of all segments, joined, are the transcript.'),
  tokens: z.array(z.int()).describe('Token ids of the model.'),
  temperature: z.number().describe('Sampling temperature that was used.'),
  avg_logprob: z.number().describe('Mean natural log probability of the tokens.'),
  compression_ratio: z.number().describe('Bytes of the text over bytes of its zlib form; a high one means repetition.'),
  no_speech_prob: z.number().describe('Probability that there is no speech here.'),
});

export const verboseWord = z.object({
  word: z.string(),
  start: z.number().describe('Seconds from the start of the recording.'),
  end: z.number().describe('Seconds from the start of the recording.'),
  probability: z.number().describe("Mean probability of the word's tokens."),
});

export const verboseTranscript = z.object({
  task: z.enum(['transcribe', 'translate']),
  language: z.string().describe('Code of the language that is spoken in the recording.'),
  duration: z.number().describe('Length of the recording in seconds.'),
  text: z.string().describe('The whole transcript.'),
  segments: z.array(verboseSegment),
  words: z
    .array(verboseWord)
    .optional()
    .describe('Only where `timestamp_granularities[]=word` was asked for, and never in a translation.'),
});

export type VerboseTranscript = z.infer<typeof verboseTranscript>;

const plainText = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** The text of the segments in one piece, without blanks around it. */
export function transcriptText(segments: readonly Pick<Segment, 'text'>[]): string {
  return segments
    .map(({ text }) => text)
    .join('')
    .trim();
}

/**
 * The answer to a request in the format it asked for. `words` adds the word times to `verbose_json`, except for a
 * translation, and does nothing in the other formats. An object as `body` is still to be written as JSON.
 */
export function renderTranscript(
  transcript: Transcript,
  format: ResponseFormat,
  { words }: { words: boolean },
): { contentType: string; body: string | object } {
  const { segments } = transcript;
  switch (format) {
    case 'text':
      return { contentType: plainText, body: `${transcriptText(segments)}\n` };
    case 'json':
      return { contentType: json, body: { text: transcriptText(segments) } satisfies z.infer<typeof plainTranscript> };
    case 'verbose_json':
      return { contentType: json, body: verbose(transcript, words) };
    case 'srt':
      return { contentType: plainText, body: srt(segments) };
    case 'vtt':
      return { contentType: plainText, body: vtt(segments) };
  }
}

function verbose({ task, language, duration, segments }: Transcript, words: boolean): VerboseTranscript {
  return {
    task,
    language,
    duration: milliseconds(duration),
    text: transcriptText(segments),
    segments: segments.map((segment, id) => ({
      id,
      seek: segment.seek,
      start: milliseconds(segment.start),
      end: milliseconds(segment.end),
      text: segment.text,
      tokens: segment.tokens,
      temperature: fourDecimals(segment.temperature),
      avg_logprob: fourDecimals(segment.avg_logprob),
      compression_ratio: fourDecimals(segment.compression_ratio),
      no_speech_prob: fourDecimals(segment.no_speech_prob),
    })),
    ...(words &&
      task === 'transcribe' && {
        words: segments.flatMap((segment) =>
          segment.words.map(({ word, start, end, probability }) => ({
            word,
            start: milliseconds(start),
            end: milliseconds(end),
            probability: fourDecimals(probability),
          })),
        ),
      }),
  };
}

// Dividing two whole numbers gives the double nearest to the decimal, which prints without noise; + 0 turns -0 into 0.
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000 + 0;
const fourDecimals = (value: number) => Math.round(value * 10_000) / 10_000 + 0;
