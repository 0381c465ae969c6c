import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment, StreamActivity, StreamFrames, UtteranceJob } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { abortable } from '../../scheduling/abortable.ts';
import { FRAME } from '../../vad/frames.ts';
import type { HearModels } from '../context.ts';
import type { HearEngine } from '../launch.ts';
import { assertCapable } from '../transcribe.ts';
import { SpeechFinder } from './speech-finder.ts';

/** Text of a stretch of live speech; times count from the first sample of its job. */
export interface StretchText {
  segments: Segment[];
  /** ISO 639-1 code of the speech. */
  language: string;
  /** Seconds of speech that no segment covers. */
  missed: number;
}

/** Text of a job, which may change with more audio. */
export interface UtteranceText extends StretchText {
  /** The text before it, up to a moment in seconds, which does not change. */
  settled?: StretchText & { end: number };
}

/** The engine as live audio uses it. */
export interface LiveEngine {
  /**
   * Probability of speech for each frame, and the state to continue from; no state after frames on which engines die.
   * @throws HearsayError if there is no engine; the reason of `signal`
   */
  findSpeech(
    stream: StreamFrames,
    signal: AbortSignal,
  ): Promise<Pick<StreamActivity, 'probabilities'> & Partial<StreamActivity>>;
  /** @throws HearsayError; the reason of `signal` */
  transcribe(job: UtteranceJob, signal: AbortSignal): Promise<UtteranceText>;
}

/** Maximum engines that die on the same frames before these count as silence. */
const MAX_DEATHS = 2;
const RETRY_MS = 500;
/** Milliseconds that a session waits for a model that is being reloaded. */
const MAX_OUTAGE_MS = 60_000;

/**
 * Runs the jobs of all live sessions in the serving engine. Jobs are independent: if an engine dies or is replaced,
 * the next one runs them.
 */
export function liveEngine(models: Pick<HearModels, 'use'>): LiveEngine {
  const speech = new SpeechFinder(models);
  return {
    findSpeech: (stream, signal) => findSpeech(speech, stream, signal),
    transcribe: (job, signal) =>
      models.use(
        (engine) => transcribeUtterance(engine, job, signal),
        // Speech on which the engine died is retried once in isolation; a guess is not retried.
        { mayRetry: () => !job.isDraft, signal },
      ),
  };
}

async function findSpeech(
  speech: SpeechFinder,
  stream: StreamFrames,
  signal: AbortSignal,
): ReturnType<LiveEngine['findSpeech']> {
  const started = performance.now();
  for (let deaths = 0; ; ) {
    try {
      // Frames of one session that crash the engine must not affect the other sessions twice.
      return await abortable(deaths === 0 ? speech.find(stream) : speech.findAlone(stream), signal);
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof HearsayError ? error.code : undefined;
      if (code === 'engine_failed') {
        deaths += 1;
        if (deaths === MAX_DEATHS) return { probabilities: new Float32Array(stream.frames.length / FRAME) };
      } else {
        const isComing = code === 'model_warming' || code === 'model_unavailable';
        if (!isComing || performance.now() - started > MAX_OUTAGE_MS) throw error;
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }
}

async function transcribeUtterance(engine: HearEngine, job: UtteranceJob, signal: AbortSignal): Promise<UtteranceText> {
  assertCapable(engine.info, job.task, job);
  const segments: Segment[] = [];
  let settled: UtteranceText['settled'];
  for await (const event of engine.run(job, signal)) {
    if (event.type === 'segment') segments.push(event.segment);
    if (event.type === 'settled') {
      const { end, language, missed } = event;
      settled = { segments: [...(settled?.segments ?? []), ...segments.splice(0)], end, language, missed };
    }
    if (event.type === 'end') {
      const { language, missed } = event;
      return { segments, language, missed: missed - (settled?.missed ?? 0), ...(settled && { settled }) };
    }
  }
  throw new Error('The engine finished an utterance without its end event.');
}
