import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { DiarizationOptions, SpeakerModelFiles, SpeakerTurn } from '../contracts/speakers.ts';
import type {
  HearEvent,
  Segment,
  SpeechModelInfo,
  TranscriptionEvent,
  TranscriptionJob,
  TranscriptionTask,
} from '../contracts/transcription.ts';
import { labelSegments } from '../diarization/label-segments.ts';
import { HearsayError } from '../errors.ts';
import { runInSlices } from '../scheduling/slices.ts';
import { type Attributes, during, type RequestSpan } from '../tracing/tracing.ts';
import { SAMPLE_RATE } from '../vad/frames.ts';
import type { HearContext } from './context.ts';
import { isForeignSpeech } from './foreign-speech.ts';
import { sizesKnowing, translatingSizes } from './presets.ts';
import { GET_A_SPEAKER_MODEL, type SpeakerSource } from './speaker-source.ts';
import { languageName } from './transcript/languages.ts';
import { milliseconds } from './transcript/milliseconds.ts';
import type { Transcript } from './transcript/response.ts';

interface TranscribeOptions {
  signal: AbortSignal;
  log: FastifyBaseLogger;
  /** Head of the request, for its trace. */
  head?: IncomingMessage;
  /** Whether the job may start again after its engine died. Default: it may. */
  mayRetry?: () => boolean;
  /** Whether an engine has died on this job before. Default: false. */
  isSuspect?: boolean;
  /** Awaited before the job starts again. */
  beforeRetry?: () => Promise<void>;
  onSegment?: (segment: Segment) => void;
}

/** Runs a job in the engine and collects its transcript, with speakers if the job asks for them. */
export async function transcribe(
  { models, speakers: source, onTranscribed }: Pick<HearContext, 'models' | 'speakers' | 'onTranscribed'>,
  { speakers, ...plain }: TranscriptionJob,
  { signal, log, head, mayRetry = () => true, isSuspect = false, beforeRetry, onSegment }: TranscribeOptions,
): Promise<Transcript> {
  const job: TranscriptionJob = speakers
    ? { ...plain, speakers: { ...speakers, model: await loadable(source, signal) } }
    : plain;
  let isRetry = false;
  const infer = (annotate: (attributes: Attributes) => void, span: RequestSpan | undefined) =>
    models.use(
      async (engine) => {
        if (isRetry) await beforeRetry?.();
        isRetry = true;
        // Another model may have been activated since the request arrived.
        assertCapable(engine.info, job.task, job);
        const started = performance.now();
        const { segments, turns, end } = await collected(engine.run(job, signal), onSegment);
        const { type, decodedAfter = 0, ...facts } = end;
        span?.start('decode', started).end({ atMs: started + decodedAfter * 1000 });
        const inference = (performance.now() - started) / 1000;
        annotate({ 'hearsay.model': engine.info.model, 'hearsay.audio.seconds': facts.duration });
        const labelled = turns ? await withSpeakers(segments, turns, speakers) : segments;
        return { task: job.task, ...facts, segments: labelled, inference, known: engine.info.languages };
      },
      { mayRetry, isSuspect, signal },
    );
  const { missed, known, inference, batching, ...transcript } = await during(head, 'inference', infer);
  const isForeign = known.length === 1 && isForeignSpeech(transcript.segments);
  onTranscribed({ duration: transcript.duration, inference, batching, missed, isForeign });
  if (missed > 0) log.warn({ missedSeconds: milliseconds(missed) }, 'Some speech gave no text');
  if (isForeign) log.warn({ language: known[0] }, 'The speech does not sound like the only language of the model');
  return transcript;
}

/** The events of a job: its segments, the turns of its speakers, and its end. */
async function collected(events: AsyncIterable<HearEvent>, onSegment?: (segment: Segment) => void) {
  const segments: Segment[] = [];
  let turns: SpeakerTurn[] | undefined;
  let end: Extract<TranscriptionEvent, { type: 'end' }> | undefined;
  for await (const event of events) {
    if (event.type === 'end') {
      end = event;
    } else if (event.type === 'segment') {
      segments.push(event.segment);
      onSegment?.(event.segment);
    } else if (event.type === 'turns') {
      turns = event.turns;
    }
  }
  if (!end) throw new Error('The engine finished a recording without its end event.');
  return { segments, turns, end };
}

/** Segments with their speakers, cut where those change. Runs in slices. */
export function withSpeakers(
  segments: readonly Segment[],
  turns: readonly SpeakerTurn[],
  { known = [] }: DiarizationOptions = {},
): Promise<Segment[]> {
  return runInSlices(labelSegments(segments, turns, { sampleRate: SAMPLE_RATE, known: known.map(({ name }) => name) }));
}

/** @throws HearsayError `model_unavailable`, also if the model has gone since it was asked for; the reason of `signal` */
async function loadable(source: SpeakerSource, signal: AbortSignal): Promise<SpeakerModelFiles> {
  const files = await source.files({ signal }).catch((cause) => {
    if (!(cause instanceof HearsayError)) throw cause;
    throw new HearsayError('model_unavailable', cause.message, { cause });
  });
  if (!files) throw new HearsayError('model_unavailable', noSpeakerModel('speakers').message);
  return files;
}

/** @param param field that asks for speakers */
export function noSpeakerModel(param: string): HearsayError {
  const message = `There is no speaker model: ${GET_A_SPEAKER_MODEL}.`;
  return new HearsayError(param === 'response_format' ? 'unsupported_response_format' : 'invalid_request', message, {
    param,
  });
}

/**
 * @param fields names of the fields that the languages come from
 * @throws HearsayError `unsupported_task` or `unsupported_language`
 */
export function assertCapable(
  info: SpeechModelInfo,
  task: TranscriptionTask,
  { language, languages }: { language?: string | undefined; languages?: readonly string[] | undefined },
  fields = { language: 'language', languages: 'languages[]' },
): void {
  if (task === 'translate' && !info.translates) {
    throw new HearsayError('unsupported_task', `The model ${info.model} cannot translate; ${translatingSizes()} can.`);
  }
  if (language !== undefined && !info.languages.includes(language)) {
    const name = languageName(language) ?? language;
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: ${language}. The model ${info.model} does not know ${name}; ${sizesKnowing(language)} does.`,
      { param: fields.language },
    );
  }
  if (languages?.length && !languages.some((code) => info.languages.includes(code))) {
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: the model ${info.model} knows none of ${languages.join(', ')}; ${sizesKnowing(languages[0]!)} does.`,
      { param: fields.languages },
    );
  }
}
