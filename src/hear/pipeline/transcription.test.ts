import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeMedia } from '../../../test/fixtures/media.ts';
import { multilingual, segment } from '../../../test/fixtures/transcription-app.ts';
import { type DecodeOptions, decodeAudio } from '../../audio/decode.ts';
import type { SpeakerModel } from '../../contracts/speakers.ts';
import type {
  RecognizedWindow,
  Span,
  SpeechWindow,
  TranscriptionEvent,
  TranscriptionJob,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import type { VoiceActivityModel } from '../../vad/silero.ts';
import type { Decode } from './decoders.ts';
import { TranscriptionPipeline } from './transcription.ts';

const sampleRate = 16_000;
let directory: string;
let job: TranscriptionJob;

/** One minute: a second of sound, a second of silence, and so on. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hearsay-test-'));
  const path = join(directory, 'sound.wav');
  const samples = new Float32Array(60 * sampleRate).map((_, index) =>
    Math.floor(index / sampleRate) % 2 === 0 ? 0.5 * Math.sin(index / 5) : 0,
  );
  await writeMedia(path, 'wav s16', { samples, sampleRate });
  job = { path, task: 'transcribe', maxAudioSeconds: 100 };
});
afterEach(() => void vi.useRealTimers());
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Tells voices by the second they are in. */
const speakerModel: SpeakerModel = {
  info: { model: 'scripted' },
  async embed({ samples, speech }) {
    expect(samples.some((sample) => sample !== 0)).toBe(true);
    const second = Math.round(speech[0]!.start / sampleRate);
    return speech.map((span) => ({
      ...span,
      embedding: Float32Array.of(second % 4 === 0 ? 1 : 0, second % 4 === 0 ? 0 : 1),
    }));
  },
};

/** Sound is speech, and each second of it a window. */
function engine(
  recognize: (window: SpeechWindow) => Promise<RecognizedWindow>,
  /** @param recording number, from 0; @param index frame in the recording */
  onFrame: (recording: number, index: number) => Promise<void> = async () => {},
  decode: Decode = decodeAudio,
) {
  let recordings = 0;
  const detector = () => {
    const recording = recordings++;
    let frames = 0;
    const next = async (samples: Float32Array) => {
      const probabilities = new Float32Array(samples.length / 512);
      for (const index of probabilities.keys()) {
        await onFrame(recording, frames++);
        const frame = samples.subarray(index * 512, (index + 1) * 512);
        probabilities[index] = frame.some((sample) => sample !== 0) ? 1 : 0;
      }
      return probabilities;
    };
    return { next };
  };
  const voiceActivity = { detector } as unknown as VoiceActivityModel;
  const windowLimits = { maxLength: 28, enoughSpeech: 0.5, longPause: 0.5 };
  return new TranscriptionPipeline(
    { info: multilingual, parallelWindows: 2, windowLimits, recognize: (window) => recognize(window) },
    voiceActivity,
    decode,
    { get: async () => speakerModel },
  );
}

const recognized = ({ start, end }: SpeechWindow): RecognizedWindow => ({
  segments: [segment(' Hello.', start / sampleRate, end / sampleRate)],
  language: 'en',
});
describe('a job that detects the language', () => {
  it('ends after the first window', async () => {
    let windows = 0;
    const detecting = engine(async () => {
      windows++;
      return { segments: [], language: 'de', probability: 0.75 };
    });
    const events = [];
    for await (const event of detecting.run({ ...job, detectOnly: true }, never)) events.push(event);
    expect(events).toEqual([
      { type: 'end', language: 'de', languages: ['de'], probability: 0.75, duration: expect.any(Number), missed: 0 },
    ]);
    // One more may be in flight for each that the model can use.
    expect(windows).toBeLessThanOrEqual(3);
  });
});

const never = new AbortController().signal;
/** A frame after the first window and before the end of the second. */
const betweenWindows = 80;

function barrier(): { released: Promise<void>; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

describe('TranscriptionPipeline', () => {
  it('yields a segment before it has found the next speech', async () => {
    const { released, release } = barrier();
    const events = engine(
      async (window) => recognized(window),
      async (_, frame) => (frame === betweenWindows ? released : undefined),
    ).run(job, never);
    expect((await events.next()).value).toMatchObject({ type: 'segment' });
    release();
    const rest: TranscriptionEvent[] = [];
    for await (const event of events) rest.push(event);
    expect(rest).toHaveLength(30);
    expect(rest.at(-1)).toEqual({
      type: 'end',
      language: 'en',
      languages: ['en'],
      duration: 60,
      missed: 0,
      decodedAfter: expect.any(Number),
    });
  });

  it('finds speakers over the whole recording, whatever the recognizer does to its windows', async () => {
    let taken = 0;
    const events = engine(async (window) => {
      // As models do that move samples to another thread.
      structuredClone(window.samples, { transfer: [window.samples.buffer as ArrayBuffer] });
      taken++;
      return recognized(window);
    }).run({ ...job, speakers: { model: { modelType: 'scripted', checkpoint: '' } } }, never);
    const all: TranscriptionEvent[] = [];
    for await (const event of events) all.push(event);
    expect(taken).toBe(30);
    expect(all.map(({ type }) => type)).toEqual([...Array(30).fill('segment'), 'turns', 'end']);
    const { turns } = all[30] as Extract<TranscriptionEvent, { type: 'turns' }>;
    expect(turns.map(({ speaker }) => speaker)).toEqual(Array.from({ length: 30 }, (_, index) => index % 2));
    for (const [index, { start }] of turns.entries()) expect(start / sampleRate).toBeCloseTo(2 * index, 1);
  });

  it('counts speech that gave no text', async () => {
    const windows: SpeechWindow[] = [];
    const events = engine(async (window) => {
      windows.push({ ...window });
      return windows.length === 2 ? { segments: [], language: 'en' } : recognized(window);
    }).run(job, never);
    const all: TranscriptionEvent[] = [];
    for await (const event of events) all.push(event);
    const [{ start, end }] = windows[1]!.speech as [Span];
    expect(all.at(-1)).toMatchObject({ missed: expect.closeTo((end - start) / sampleRate, 3) });
  });

  describe('of several audio tracks', () => {
    const sound = (from: number) =>
      new Float32Array(4 * sampleRate).map((_, i) => (Math.floor(i / sampleRate) === from ? 0.5 * Math.sin(i / 5) : 0));
    const silence = new Float32Array(4 * sampleRate);
    const longSilence = new Float32Array(6 * sampleRate);
    /** Starts of the segments, and the duration. */
    async function heard(kind: 'matroska pcm' | 'mp4 video', ...tracks: Float32Array[]) {
      const path = join(directory, 'tracks');
      const [first, ...others] = tracks.map((samples) => ({ samples, sampleRate }));
      await writeMedia(path, kind, first!, others);
      const starts: number[] = [];
      let duration = 0;
      for await (const event of engine(async (window) => recognized(window)).run({ ...job, path }, never)) {
        if (event.type === 'segment') starts.push(Math.round(event.segment.start));
        if (event.type === 'end') duration = event.duration;
      }
      return { starts, duration };
    }

    it('gave an empty transcript for a silent default track beside one with speech', async () => {
      expect(await heard('matroska pcm', longSilence, sound(2))).toEqual({ starts: [2], duration: 4 });
      expect(await heard('matroska pcm', silence, longSilence, sound(1), sound(2))).toEqual({
        starts: [1],
        duration: 4,
      });
    });

    it('transcribes one with speech', async () => {
      expect(await heard('matroska pcm', sound(1), sound(2))).toEqual({ starts: [1], duration: 4 });
    });

    it('gives the length of the default track if none has speech', async () => {
      expect(await heard('matroska pcm', silence, longSilence)).toEqual({ starts: [], duration: 4 });
    });
  });

  it('ignores that a further track cannot be decoded if none has speech', async () => {
    const decode = async function* (_: string, { track }: DecodeOptions) {
      if (track === 1) throw new HearsayError('invalid_audio', 'Most of the recording is damaged.');
      if (track === 0) yield new Float32Array(sampleRate);
    };
    const all: TranscriptionEvent[] = [];
    const pipeline = engine(async (window) => recognized(window), undefined, decode);
    for await (const event of pipeline.run(job, never)) all.push(event);
    expect(all).toEqual([expect.objectContaining({ type: 'end', duration: 1, languages: [] })]);
  });

  it.each([
    ['the first track cannot be decoded', 0],
    ['a further track cannot be decoded after its speech', 1],
  ])('fails if %s', async (_what, damaged) => {
    const decode = async function* (path: string, { track, ...options }: DecodeOptions) {
      if (track === 0) yield new Float32Array(sampleRate);
      if (track === 1) yield* decodeAudio(path, options);
      if (track === damaged) throw new HearsayError('invalid_audio', 'Most of the recording is damaged.');
    };
    const run = async () => {
      for await (const _ of engine(async (window) => recognized(window), undefined, decode).run(job, never));
    };
    await expect(run()).rejects.toMatchObject({ code: 'invalid_audio' });
  });

  it('looks for speech in the tracks after one that cannot be decoded', async () => {
    const decode = async function* (path: string, { track, ...options }: DecodeOptions) {
      if (track === 1) throw new HearsayError('invalid_audio', 'Most of the recording is damaged.');
      if (track === 0) yield new Float32Array(sampleRate);
      if (track === 2) yield* decodeAudio(path, options);
    };
    const all: TranscriptionEvent[] = [];
    const pipeline = engine(async (window) => recognized(window), undefined, decode);
    for await (const event of pipeline.run(job, never)) all.push(event);
    expect(all.filter(({ type }) => type === 'segment')).toHaveLength(30);
  });

  it('looks ahead by as many windows as the model can use, and one more', async () => {
    const started: number[] = [];
    let frames = 0;
    const { released, release } = barrier();
    const count = async () => {
      frames++;
    };
    const events = engine(async (window) => {
      started.push(window.start);
      await released;
      return recognized(window);
    }, count).run(job, never);
    const first = events.next();
    while (started.length < 3) await nextTurn();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(started).toHaveLength(3);
    // Each frame is seen by two detectors.
    expect(frames / 2).toBeLessThan(8 * (sampleRate / 512));
    release();
    const starts = [await first];
    for (let next = await events.next(); !next.done; next = await events.next()) starts.push(next);
    expect(starts).toHaveLength(31);
    expect([...started].sort((a, b) => a - b)).toEqual(started);
  });

  it('looks ahead only while every other request has a window', async () => {
    // No wait is cut short, however slow the machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const looked = [0, 0];
    const held = barrier();
    const model = barrier();
    const arrived = barrier();
    const windows: { start: number; lookedAhead: number }[] = [];
    const both = engine(
      async (window) => {
        windows.push({ start: window.start, lookedAhead: looked[0]! });
        await model.released;
        return recognized(window);
      },
      async (recording, frame) => {
        looked[recording] = frame;
        // As the model, which lets other recordings have frames in between.
        await nextTurn();
        if (recording === 1) arrived.release();
        if (recording === 0 && frame === betweenWindows) await held.released;
      },
    );
    const first = both.run(job, never).next();
    while (looked[0] !== betweenWindows) await nextTurn();
    const second = both.run({ ...job }, never).next();
    await arrived.released;
    held.release();
    while (windows.length < 2) await nextTurn();
    // The first window of the second request; the other has only finished its chunk of half a second.
    expect(windows[1]!.start).toBe(windows[0]!.start);
    expect(windows[1]!.lookedAhead).toBeLessThanOrEqual(betweenWindows + 16);
    model.release();
    expect([await first, await second].map(({ value }) => value?.type)).toEqual(['segment', 'segment']);
  });

  it('stops looking for speech when a window fails', async () => {
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
    // Each frame is seen by two detectors.
    expect(frames / 2).toBeLessThan(8 * (sampleRate / 512));
  });
});
