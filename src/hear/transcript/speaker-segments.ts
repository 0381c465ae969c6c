import { z } from 'zod';
import type { Segment } from '../../contracts/transcription.ts';
import { milliseconds } from './milliseconds.ts';
import type { Steps } from './steps.ts';

/** A segment of `diarized_json`, which is an event of a stream, too. */
export const speakerSegment = z
  .object({
    type: z.literal('transcript.text.segment'),
    id: z.string().describe('`seg_0`, `seg_1` …'),
    start: z.number().describe('Seconds from the start of the recording.'),
    end: z.number().describe('Seconds from the start of the recording.'),
    speaker: z
      .string()
      .describe('Name of a known speaker; `A`, `B` … for others, in the order in which they first speak.'),
    text: z.string().describe('Text with its leading space: the joined texts of all segments are the transcript.'),
  })
  .meta({ id: 'TranscriptTextSegment' });

/** Renders segments with speakers as JSON, one by one. */
export function* speakerSegmentSteps(segments: readonly Segment[], add: (json: string) => void): Steps<void> {
  for (const [index, { start, end, speaker = 'A', text }] of segments.entries()) {
    const segment: z.infer<typeof speakerSegment> = {
      type: 'transcript.text.segment',
      id: `seg_${index}`,
      start: milliseconds(start),
      end: milliseconds(end),
      speaker,
      text,
    };
    add(JSON.stringify(segment));
    yield;
  }
}
