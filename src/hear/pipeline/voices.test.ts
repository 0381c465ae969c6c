import { describe, expect, it } from 'vitest';
import type { SpeakerModel } from '../../contracts/speakers.ts';
import type { TranscriptionJob } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import type { VoiceActivityModel } from '../../vad/silero.ts';
import { SpeakerModels } from './speaker-models.ts';
import { meanVoice, Voices } from './voices.ts';

const RATE = 16_000;
const files = { modelType: 'scripted', checkpoint: '/voices' };
const never = new AbortController().signal;

/** A voice is the sign of its samples. */
const model: SpeakerModel = {
  info: { model: 'scripted' },
  async embed({ start, samples, speech }, { signal }) {
    signal.throwIfAborted();
    return speech.map((span) => {
      const isHigh = samples[span.start - start + 600]! > 0;
      return { ...span, embedding: Float32Array.of(isHigh ? 1 : 0, isHigh ? 0 : 1) };
    });
  },
};

/** Frames that are not silent are speech. */
const voiceActivity = {
  detector: () => ({
    next: async (frames: Float32Array) =>
      Float32Array.from({ length: frames.length / 512 }, (_, index) => (frames[index * 512 + 256] === 0 ? 0 : 1)),
  }),
} as unknown as VoiceActivityModel;

/** A file of which each byte is a second of one voice: `h` and `l`, and `_` is silence. */
function listening(content: string, known: [name: string, start: number, end: number][]) {
  const job: TranscriptionJob = {
    path: content,
    task: 'transcribe',
    maxAudioSeconds: 100,
    speakers: { model: files, known: known.map(([name, start, end]) => ({ name, recording: { start, end } })) },
  };
  const decode = async function* (
    path: string,
    { maxSeconds, part }: { maxSeconds: number; part?: { start: number; end: number } },
  ) {
    const seconds = path.slice(part!.start, part!.end);
    if (seconds.length > maxSeconds) throw new HearsayError('audio_too_long', 'Too long.', { param: 'file' });
    if (seconds.includes('?')) throw new HearsayError('invalid_audio', 'The file is not audio.', { param: 'file' });
    for (const second of seconds) yield new Float32Array(RATE).fill({ h: 0.5, l: -0.5 }[second] ?? 0);
  };
  return (signal = never) => Voices.of(job, { decode, voiceActivity, models: { get: async () => model } }, signal);
}

/** Four seconds of one voice: enough to count as a speaker. */
const window = (start: number, voice: number) => ({
  start: start * RATE,
  samples: new Float32Array(4 * RATE).fill(voice),
  speech: [{ start: start * RATE, end: (start + 4) * RATE }],
});

describe('Voices', () => {
  it('finds known speakers by their recordings, and other speakers', async () => {
    const voices = await listening('rec..lll', [['Low', 5, 8]])();
    // Windows end in any order.
    await Promise.all([voices.hear(window(5, 1)), voices.hear(window(0, -1)), voices.hear(window(10, -1))]);
    expect((await voices.turns()).map(({ start, speaker }) => [start / RATE, speaker])).toEqual([
      [0, -1],
      [5, 0],
      [10, -1],
    ]);
  });

  it.each([
    ['h', 'known_speaker_references[1] must have 2 to 10 s of audio.'],
    ['hhhhhhhhhhhhhhhhhhhh', 'known_speaker_references[1] must have 2 to 10 s of audio.'],
    ['h?h', 'known_speaker_references[1] cannot be used: The file is not audio.'],
    ['____', 'known_speaker_references[1] has no speech.'],
  ])('rejects a reference of %s', async (reference, message) => {
    const listen = listening(`hhh${reference}`, [
      ['Ann', 0, 3],
      ['Bob', 3, 3 + reference.length],
    ]);
    await expect(listen()).rejects.toMatchObject({
      code: 'invalid_audio',
      param: 'known_speaker_references[]',
      message,
    });
  });

  it('ends with its job', async () => {
    const controller = new AbortController();
    const voices = await listening('', [])(controller.signal);
    controller.abort(new Error('gone'));
    await expect(voices.hear(window(0, 1))).rejects.toThrow('gone');
    await expect(listening('hhh', [['Ann', 0, 3]])(controller.signal)).rejects.toThrow('gone');
  });
});

describe('meanVoice', () => {
  it('has unit length, and more of the longer samples', () => {
    const mean = meanVoice([
      { start: 0, end: 3, embedding: Float32Array.of(1, 0) },
      { start: 3, end: 7, embedding: Float32Array.of(0, 1) },
    ])!;
    expect([...mean]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
    expect(meanVoice([])).toBeUndefined();
  });
});

describe('SpeakerModels', () => {
  it('loads a model once', async () => {
    let loads = 0;
    const models = new SpeakerModels(async () => {
      loads++;
      return model;
    });
    expect(await Promise.all([models.get(files), models.get({ ...files }), models.get(files)])).toEqual(
      Array(3).fill(model),
    );
    expect(loads).toBe(1);
  });

  it('tries again after a failure, which only its jobs see', async () => {
    const failures = [new HearsayError('model_load_failed', 'voices.pt is damaged.'), new Error('a defect')];
    const models = new SpeakerModels(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return model;
    });
    await expect(models.get(files)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: /voices\.pt is damaged/,
    });
    await expect(models.get(files)).rejects.toThrow('a defect');
    expect(await models.get(files)).toBe(model);
  });
});
