import { z } from 'zod';
import type { Segment, TranscriptionTask } from '../../contracts/transcription.ts';
import { runInSlices } from '../../scheduling/slices.ts';
import { languageName } from './languages.ts';
import { milliseconds } from './milliseconds.ts';
import { paragraphText } from './paragraphs.ts';
import { speakerSegment, speakerSegmentSteps } from './speaker-segments.ts';
import type { Steps } from './steps.ts';
import { srtSteps, vttSteps } from './subtitles.ts';
import { logprobSteps, tokenLogprobObject } from './token-logprobs.ts';

/** The transcript of a whole recording. */
export interface Transcript {
  task: TranscriptionTask;
  /** Code of the spoken language. */
  language: string;
  /** Codes of all spoken languages, the most spoken first. */
  languages: readonly string[];
  /** Length of the recording in seconds. */
  duration: number;
  segments: Segment[];
  /** Probability of the language, if only that was detected. */
  probability?: number;
}

export const responseFormats = ['text', 'json', 'verbose_json', 'diarized_json', 'srt', 'vtt'] as const;

/** Formats that a route can request; tab-separated values are not a `response_format`. */
export type ResponseFormat = (typeof responseFormats)[number] | 'tsv';

const durationUsage = z
  .object({ type: z.literal('duration'), seconds: z.number() })
  .describe('Length of the recording in seconds.');

/** In an event the official types know only a count of tokens. */
const tokenUsage = z.object({
  type: z.literal('tokens'),
  input_tokens: z.int().describe('Frames of 20 ms that the recording has.'),
  output_tokens: z.int().describe('Tokens of the segments, timestamps included.'),
  total_tokens: z.int(),
  seconds: z.number().describe('Length of the recording in seconds.'),
});

/** Only what the request asked for, except for `usage` of `verbose_json`. */
const details = {
  languages: z
    .array(z.object({ code: z.string() }))
    .optional()
    .describe('Spoken languages, the most spoken first; empty without speech.'),
  logprobs: z.array(tokenLogprobObject).optional().describe('Tokens of the text. Only with `include[]=logprobs`.'),
  usage: durationUsage.optional(),
};

export const plainTranscript = z
  .object({
    text: z.string().describe('The whole transcript.'),
    ...details,
  })
  .meta({ id: 'Transcription' });

const verboseSegment = z
  .object({
    id: z.int().describe('Number of the segment, from 0.'),
    seek: z.int().describe('Start of the window that the segment was decoded in, in frames of 10 ms.'),
    start: z.number().describe('Seconds from the start of the recording.'),
    end: z.number().describe('Seconds from the start of the recording.'),
    text: z.string().describe('Text with its leading space: the joined texts of all segments are the transcript.'),
    tokens: z.array(z.int()).describe('Token ids of the model.'),
    temperature: z.number().describe('Sampling temperature that was used.'),
    avg_logprob: z.number().describe('Mean natural log probability of the tokens.'),
    compression_ratio: z
      .number()
      .describe('Bytes of the text divided by its bytes after zlib compression; a high ratio means repetition.'),
    no_speech_prob: z.number().describe('Probability that there is no speech here.'),
    speaker: z.string().optional().describe('Speaker of the segment. Only with `speakers=true`.'),
  })
  .meta({ id: 'TranscriptionSegment' });

const verboseWord = z
  .object({
    word: z.string(),
    start: z.number().describe('Seconds from the start of the recording.'),
    end: z.number().describe('Seconds from the start of the recording.'),
    probability: z.number().describe("Mean probability of the word's tokens."),
  })
  .meta({ id: 'TranscriptionWord' });

export const verboseTranscript = z
  .object({
    task: z.enum(['transcribe', 'translate']),
    language: z.string().describe('Code of the language that is spoken in the recording.'),
    duration: z.number().describe('Length of the recording in seconds.'),
    text: z.string().describe('The whole transcript.'),
    segments: z.array(verboseSegment),
    words: z
      .array(verboseWord)
      .optional()
      .describe('Only with `timestamp_granularities[]=word`, and never in a translation.'),
    ...details,
  })
  .meta({ id: 'TranscriptionVerbose' });

export const diarizedTranscript = z
  .object({
    task: z.enum(['transcribe', 'translate']),
    duration: z.number().describe('Length of the recording in seconds.'),
    text: z.string().describe('The whole transcript.'),
    segments: z.array(speakerSegment),
    usage: durationUsage,
  })
  .meta({ id: 'TranscriptionDiarized' });

/** The verbose one first: generated clients take the first that fits. */
export const transcriptAnswer = z.union([verboseTranscript, diarizedTranscript, plainTranscript]);

// Their ids put the events into the API description.
z.object({
  type: z.literal('transcript.text.delta'),
  delta: z.string(),
  logprobs: details.logprobs,
  start: z.number().optional().describe('Seconds, with `verbose_json`.'),
  end: z.number().optional().describe('Seconds, with `verbose_json`.'),
}).meta({ id: 'TranscriptTextDelta' });
z.object({ type: z.literal('transcript.text.done'), text: z.string(), ...details, usage: tokenUsage }).meta({
  id: 'TranscriptTextDone',
});

/** A stream, in the API description. Tools disagree on how to describe events, which have their own schemas there. */
export const transcriptEvents = z
  .unknown()
  .describe(
    'Events `TranscriptTextDelta`, with speakers `TranscriptTextSegment`, then one `TranscriptTextDone`, each as JSON. With `verbose_json` the last one also has the other members of `TranscriptionVerbose`.',
  );

type PlainTranscript = z.infer<typeof plainTranscript>;
export type VerboseTranscript = z.infer<typeof verboseTranscript>;

const plainText = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** The joined texts of the segments, trimmed. */
export function transcriptText(segments: readonly Pick<Segment, 'text'>[]): string {
  return segments
    .map(({ text }) => text)
    .join('')
    .trim();
}

/** What a request asks for besides the transcript. */
export interface TranscriptOptions {
  /** Adds word times to `verbose_json`, except for a translation. */
  words: boolean;
  /** Adds the tokens of the text to JSON. Default: false. */
  logprobs?: boolean;
  /** Adds languages and usage to JSON, which has the text alone otherwise. Default: false. */
  isExtended?: boolean;
  /** Whether the JSON is the last event of a stream, whose usage is in tokens. Default: false. */
  isEvent?: boolean;
}

/** Renders a transcript as a response body. Runs in slices: the transcript of hours takes long. */
export async function renderTranscript(
  transcript: Transcript,
  format: ResponseFormat,
  options: TranscriptOptions,
): Promise<{ contentType: string; body: string }> {
  const { segments, duration } = transcript;
  switch (format) {
    case 'text':
      return {
        contentType: plainText,
        body: hasSpeakers(segments) ? paragraphText(segments) : `${transcriptText(segments)}\n`,
      };
    case 'json':
      return { contentType: json, body: await runInSlices(plainSteps(transcript, options)) };
    case 'verbose_json':
      return { contentType: json, body: await runInSlices(verboseSteps(transcript, options)) };
    case 'diarized_json':
      return { contentType: json, body: await runInSlices(diarizedSteps(transcript)) };
    case 'tsv':
      return { contentType: plainText, body: await runInSlices(tsvSteps(segments)) };
    case 'srt':
      return { contentType: plainText, body: await runInSlices(srtSteps(segments, duration)) };
    case 'vtt':
      return { contentType: plainText, body: await runInSlices(vttSteps(segments, duration)) };
  }
}

const hasSpeakers = ([first]: readonly Segment[]) => first?.speaker !== undefined;

/** Renders the language of a recording, as whisper-asr-webservice does. */
export function renderLanguage({ language, probability = 0 }: Transcript): { contentType: string; body: string } {
  const name = languageName(language)?.toLowerCase() ?? language;
  const body = { detected_language: name, language_code: language, confidence: fourDecimals(probability) };
  return { contentType: json, body: JSON.stringify(body) };
}

/** Renders segments in lines of start, end and text, with times in milliseconds, as openai/whisper does. */
function* tsvSteps(segments: readonly Segment[]): Steps<string> {
  const lines = ['start\tend\ttext'];
  for (const { start, end, text } of segments) {
    lines.push([Math.round(start * 1000), Math.round(end * 1000), text.trim().replaceAll('\t', ' ')].join('\t'));
    yield;
  }
  return `${lines.join('\n')}\n`;
}

/** Renders a PlainTranscript as JSON. */
function* plainSteps(transcript: Transcript, options: TranscriptOptions): Steps<string> {
  const head = JSON.stringify({ text: transcriptText(transcript.segments) });
  return `${head.slice(0, -1)}${yield* detailSteps(transcript, options)}}`;
}

/** Renders a VerboseTranscript as JSON. */
function* verboseSteps(transcript: Transcript, options: TranscriptOptions): Steps<string> {
  const { task, language, duration, segments } = transcript;
  const segmentItems: string[] = [];
  const wordLists: string[] = [];
  for (const [id, segment] of segments.entries()) {
    const item: z.infer<typeof verboseSegment> = {
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
      ...(segment.speaker !== undefined && { speaker: segment.speaker }),
    };
    segmentItems.push(JSON.stringify(item));
    const words = segment.words.map(
      ({ word, start, end, probability }): z.infer<typeof verboseWord> => ({
        word,
        start: milliseconds(start),
        end: milliseconds(end),
        probability: fourDecimals(probability),
      }),
    );
    if (words.length > 0) wordLists.push(JSON.stringify(words).slice(1, -1));
    yield;
  }
  const head = JSON.stringify({ task, language, duration: milliseconds(duration), text: transcriptText(segments) });
  const words = options.words && task === 'transcribe' ? `,"words":[${wordLists.join()}]` : '';
  const details = yield* detailSteps(transcript, { ...options, hasUsage: task === 'transcribe' });
  return `${head.slice(0, -1)},"segments":[${segmentItems.join()}]${words}${details}}`;
}

/** Renders a transcript with speakers as JSON, as upstream does. */
function* diarizedSteps({ task, duration, segments }: Transcript): Steps<string> {
  const items: string[] = [];
  yield* speakerSegmentSteps(segments, (json) => items.push(json));
  const head = JSON.stringify({ task, duration: milliseconds(duration), text: transcriptText(segments) });
  const usage = durationOf({ duration });
  return `${head.slice(0, -1)},"segments":[${items.join()}],"usage":${JSON.stringify(usage)}}`;
}

function durationOf({ duration }: Pick<Transcript, 'duration'>): z.infer<typeof durationUsage> {
  return { type: 'duration', seconds: milliseconds(duration) };
}

function tokensOf({ duration, segments }: Transcript): z.infer<typeof tokenUsage> {
  const seconds = milliseconds(duration);
  const frames = Math.ceil(seconds * 50);
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens.length, 0);
  return { type: 'tokens', input_tokens: frames, output_tokens: tokens, total_tokens: frames + tokens, seconds };
}

/** Renders the members that a request asks for, each with a comma before it. */
function* detailSteps(
  transcript: Transcript,
  { logprobs, isExtended = false, isEvent = false, hasUsage }: TranscriptOptions & { hasUsage?: boolean },
): Steps<string> {
  const { languages, segments } = transcript;
  const codes: PlainTranscript['languages'] = languages.map((code) => ({ code }));
  const usage = isEvent ? tokensOf(transcript) : durationOf(transcript);
  return [
    isExtended ? `,"languages":${JSON.stringify(codes)}` : '',
    logprobs ? `,"logprobs":${yield* logprobSteps(segments)}` : '',
    hasUsage || isExtended ? `,"usage":${JSON.stringify(usage)}` : '',
  ].join('');
}

const fourDecimals = (value: number) => Math.round(value * 10_000) / 10_000 + 0;
