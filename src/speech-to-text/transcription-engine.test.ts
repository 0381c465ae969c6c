import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMedia } from '../../test/fixtures/media.ts';
import { multilingual, segment } from '../../test/fixtures/transcription-app.ts';
import type { VoiceActivityModel } from '../silero/voice-activity.ts';
import type { RecognizedWindow, SpeechWindow, TranscriptionEvent, TranscriptionJob } from '../transcript.ts';
import { TranscriptionEngine } from './transcription-engine.ts';

const sampleRate = 16_000;
let folder: string;
let job: TranscriptionJob;

/** One minute: a second of sound, a second of silence, and so on. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearsay-test-'));
  const path = join(folder, 'sound.wav');
  const samples = new Float32Array(60 * sampleRate).map((_, index) =>
    Math.floor(index / sampleRate) % 2 === 0 ? 0.5 * Math.sin(index / 5) : 0,
  );
  await writeMedia(path, 'wav s16', { samples, sampleRate });
  job = { path, task: 'transcribe', maxAudioSeconds: 100 };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sound is speech, and every second of it a window. */
function engine(recognize: (window: SpeechWindow) => Promise<RecognizedWindow>, onFrame = async () => {}) {
  const next = async (frame: Float32Array) => {
    await onFrame();
    return frame.some((sample) => sample !== 0) ? 1 : 0;
  };
  const voiceActivity = { detector: () => ({ next }) } as unknown as VoiceActivityModel;
  const windowLimits = { longest: 28, enoughSpeech: 0.5, longPause: 0.5 };
  return new TranscriptionEngine(
    { info: multilingual, parallelWindows: 2, windowLimits, recognize: (window) => recognize(window) },
    voiceActivity,
  );
}

const recognized = ({ start, end }: SpeechWindow): RecognizedWindow => ({
  segments: [segment(' Hello.', start / sampleRate, end / sampleRate)],
  language: 'en',
});
const never = new AbortController().signal;

describe('TranscriptionEngine', () => {
  it('hands out what is recognized before it has found the next speech', async () => {
    let frames = 0;
    let release = () => {};
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    const events = engine(
      async (window) => recognized(window),
      // The first window is complete by then, and the second is not.
      async () => (++frames > 60 ? silence : undefined),
    ).run(job, never);
    expect((await events.next()).value).toMatchObject({ type: 'segment' });
    release();
    const rest: TranscriptionEvent[] = [];
    for await (const event of events) rest.push(event);
    expect(rest).toHaveLength(30);
    expect(rest.at(-1)).toEqual({ type: 'end', language: 'en', duration: 60 });
  });

  it('looks no further ahead than the model works side by side, and one window', async () => {
    const started: number[] = [];
    let frames = 0;
    let release = () => {};
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    const count = async () => {
      frames++;
    };
    const events = engine(async (window) => {
      started.push(window.start);
      await busy;
      return recognized(window);
    }, count).run(job, never);
    const first = events.next();
    while (started.length < 3) await nextTurn();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(started).toHaveLength(3);
    expect(frames).toBeLessThan(8 * (sampleRate / 512));
    release();
    const starts = [await first];
    for (let next = await events.next(); !next.done; next = await events.next()) starts.push(next);
    expect(starts).toHaveLength(31);
    expect([...started].sort((a, b) => a - b)).toEqual(started);
  });

  it('ends its search for speech when a window cannot be recognized', async () => {
    let frames = 0;
    const events = engine(
      async () => {
        throw new Error('no such language');
      },
      async () => {
        frames++;
      },
    ).run(job, never);
    await expect(events.next()).rejects.toThrow('no such language');
    const known = frames;
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(frames).toBe(known);
    expect(frames).toBeLessThan(8 * (sampleRate / 512));
  });
});
