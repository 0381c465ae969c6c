import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { segment } from '../../../test/fixtures/transcription-app.ts';
import type {
  HearEvent,
  HearJob,
  StreamFrames,
  UtteranceJob,
  VoiceActivityState,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { FRAME } from '../../vad/frames.ts';
import type { HearModels } from '../context.ts';
import { liveEngine } from './live-engine.ts';

const never = new AbortController().signal;
const framesOf = (value: number, count = 1): StreamFrames => ({ frames: new Float32Array(count * FRAME).fill(value) });

/** An engine that answers each frame with its first sample, and keeps the values of each job's streams. */
function echoEngine() {
  const jobs: number[][] = [];
  const echo = {
    jobs,
    /** Runs before a job is answered. */
    onJob: async (_values: number[]) => {},
    models: {
      use: (work) => work({ run: (job: HearJob) => answer(job) } as unknown as Parameters<typeof work>[0]),
    } as Pick<HearModels, 'use'>,
  };
  async function* answer(job: HearJob): AsyncGenerator<HearEvent> {
    if (!('streams' in job)) throw new Error('Not a job of voice activity.');
    const values = job.streams.map(({ frames }) => frames[0]!);
    jobs.push(values);
    await echo.onJob(values);
    yield {
      type: 'voice_activity',
      streams: job.streams.map(({ frames, state }) => ({
        probabilities: new Float32Array(frames.length / FRAME).fill(frames[0]!),
        state: { silentFrames: (state?.silentFrames ?? 0) + 1 } as VoiceActivityState,
      })),
    };
  }
  return echo;
}

describe('findSpeech of all sessions', () => {
  it('sends frames that arrive meanwhile as one job, and answers each session', async () => {
    const echo = echoEngine();
    const engine = liveEngine(echo.models);
    const found = await Promise.all([0.25, 0.5, 0.75].map((value) => engine.findSpeech(framesOf(value, 2), never)));
    expect(echo.jobs).toEqual([[0.25], [0.5, 0.75]]);
    expect(found.map(({ probabilities }) => [...probabilities])).toEqual([
      [0.25, 0.25],
      [0.5, 0.5],
      [0.75, 0.75],
    ]);
    const { state } = await engine.findSpeech({ ...framesOf(1), state: found[0]!.state }, never);
    expect(state?.silentFrames).toBe(2);
  });

  it('leaves a session that closes, and answers the others', async () => {
    const echo = echoEngine();
    const engine = liveEngine(echo.models);
    const closing = new AbortController();
    let answer = () => {};
    echo.onJob = () => new Promise((resolve) => (answer = resolve));
    const closed = engine.findSpeech(framesOf(0.25), closing.signal);
    const other = engine.findSpeech(framesOf(0.5), never);
    closing.abort(new Error('closed'));
    await expect(closed).rejects.toThrow('closed');
    while (echo.jobs.length < 2) {
      answer();
      await turn();
    }
    answer();
    expect([...(await other).probabilities]).toEqual([0.5]);
  });

  it('retries sessions one by one after an engine died, and treats frames on which engines die as silence', async () => {
    const echo = echoEngine();
    const engine = liveEngine(echo.models);
    echo.onJob = async (values) => {
      if (values.includes(0.75)) throw new HearsayError('engine_failed', 'The engine died.');
    };
    const found = await Promise.all([0.25, 0.5, 0.75].map((value) => engine.findSpeech(framesOf(value), never)));
    expect(found.map(({ probabilities }) => [...probabilities])).toEqual([[0.25], [0.5], [0]]);
    expect(echo.jobs).toEqual([[0.25], [0.5, 0.75], [0.5], [0.75]]);
    expect(found[2]!.state).toBeUndefined();
  });

  it.each(['model_warming', 'model_unavailable'] as const)('waits for a model that is reloaded: %s', async (code) => {
    const echo = echoEngine();
    echo.onJob = async () => {
      if (echo.jobs.length === 1) throw new HearsayError(code, 'The model is not ready.');
    };
    const { probabilities } = await liveEngine(echo.models).findSpeech(framesOf(0.5), never);
    expect([...probabilities]).toEqual([0.5]);
    expect(echo.jobs).toHaveLength(2);
  });

  it('fails with an error that no retry mends', async () => {
    const echo = echoEngine();
    echo.onJob = async () => {
      throw new HearsayError('model_failed', 'The model could not be loaded.');
    };
    await expect(liveEngine(echo.models).findSpeech(framesOf(0.5), never)).rejects.toThrow('could not be loaded');
  });
});

describe('transcribe', () => {
  it('separates the text that more audio does not change from the rest', async () => {
    const [first, second, third] = [segment(' One.', 0, 1), segment(' Two.', 1, 2), segment(' Three', 2, 3)];
    async function* run(): AsyncGenerator<HearEvent> {
      yield { type: 'segment', segment: first };
      yield { type: 'settled', end: 1.2, language: 'en', missed: 0.5 };
      yield { type: 'segment', segment: second };
      yield { type: 'settled', end: 2.2, language: 'de', missed: 2 };
      yield { type: 'segment', segment: third };
      yield { type: 'end', language: 'en', languages: ['en'], duration: 3, missed: 3 };
    }
    const models = { use: (work) => work({ run } as unknown as Parameters<typeof work>[0]) } as Pick<HearModels, 'use'>;
    const job: UtteranceJob = {
      task: 'transcribe',
      samples: new Float32Array(FRAME),
      probabilities: new Float32Array(1),
    };
    expect(await liveEngine(models).transcribe(job, never)).toEqual({
      segments: [third],
      language: 'en',
      missed: 1,
      settled: { segments: [first, second], end: 2.2, language: 'de', missed: 2 },
    });
  });
});
