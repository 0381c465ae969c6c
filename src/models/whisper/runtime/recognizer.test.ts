import { describe, expect, it } from 'vitest';
import type { SpeechModelInfo, SpeechWindow, TranscriptionJob } from '../../../contracts/transcription.ts';
import { capabilities, whisperRecognizer, windowLimits, windowSlots } from './recognizer.ts';
import type { TranscribedWindow } from './transcribe.ts';
import type { WorkerInput } from './worker.ts';

const info: SpeechModelInfo = {
  model: 'small',
  device: 'cpu',
  compute_type: 'int8',
  languages: ['en', 'fr'],
  translates: true,
};
const job = (fields: Partial<TranscriptionJob> = {}): TranscriptionJob => ({
  path: '',
  task: 'transcribe',
  maxAudioSeconds: 60,
  ...fields,
});
const window = (start: number): SpeechWindow => ({
  start,
  end: start + 1,
  samples: new Float32Array(1),
  speech: [],
  probabilities: new Float32Array(1),
});

/** A worker whose windows end on demand; the context of each is its start. */
function worker(model: SpeechModelInfo = info) {
  const inputs: WorkerInput[] = [];
  const ends: ((error?: Error) => void)[] = [];
  /** Starts of windows in the order of their spectrograms. */
  const spectrograms: number[] = [];
  const recognizer = whisperRecognizer(model, {
    windowLimits: windowLimits({ audioPositions: 1500 }),
    parallelWindows: 8,
    beamSize: 3,
    spectrogram({ start }) {
      spectrograms.push(start);
      return Float32Array.of(start);
    },
    run(input, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      inputs.push(input);
      return new Promise<TranscribedWindow>((resolve, reject) => {
        ends.push((error) => {
          if (error) reject(error);
          else
            resolve({
              segments: [],
              language: 'fr',
              context: { tokens: [input.window.start], lastSpeech: 0, levels: [] },
            });
        });
      });
    },
  });
  return { recognizer, inputs, ends, spectrograms };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const { signal } = new AbortController();

describe('whisperRecognizer', () => {
  it('gives each window the context of the one before in its job', async () => {
    const { recognizer, inputs, ends } = worker();
    const [mine, other] = [job({ prompt: 'Names' }), job()];
    const results = [
      recognizer.recognize(window(1), { job: mine, signal }),
      recognizer.recognize(window(2), { job: mine, signal }),
      recognizer.recognize(window(3), { job: other, signal }),
    ];
    await settled();
    expect(inputs.map((input) => input.window.start)).toEqual([1, 3]);
    expect(inputs[0]).toMatchObject({ prompt: 'Names', beamSize: 3, task: 'transcribe' });
    expect(inputs[0]!.context).toBeUndefined();
    expect(inputs[0]!.language).toBeUndefined();
    ends[0]!();
    await settled();
    expect(inputs.map((input) => input.window.start)).toEqual([1, 3, 2]);
    expect(inputs[2]!.context).toEqual({ tokens: [1], lastSpeech: 0, levels: [] });
    ends[1]!();
    ends[2]!();
    expect(await Promise.all(results)).toEqual(new Array(3).fill({ segments: [], language: 'fr' }));
  });

  it('expects text in the first window of a job', async () => {
    const { recognizer, inputs, ends } = worker();
    const mine = { ...job(), expected: ' As before.', isLive: true, languageBefore: 'fr' };
    const results = [1, 2].map((start) => recognizer.recognize(window(start), { job: mine, signal }));
    await settled();
    ends[0]!();
    await settled();
    ends[1]!();
    await Promise.all(results);
    expect(inputs.map(({ expected }) => expected)).toEqual([' As before.', undefined]);
    expect(inputs).toMatchObject(new Array(2).fill({ isLive: true, languageBefore: 'fr' }));
  });

  it('starts a window after a pause at once, without context', async () => {
    const { recognizer, inputs, ends } = worker();
    const mine = job({ prompt: 'Names' });
    const paused = (start: number, pause: number) => ({
      ...window(start),
      end: start + 80_000,
      speech: [{ start: start + pause, end: start + 79_000 }],
    });
    const results = [paused(0, 0), paused(80_000, 14_999), paused(160_000, 15_000)].map((each) =>
      recognizer.recognize(each, { job: mine, signal }),
    );
    await settled();
    expect(inputs.map((input) => input.window.start)).toEqual([0, 160_000]);
    ends[0]!();
    await settled();
    expect(inputs[1]!.context).toBeUndefined();
    expect(inputs[1]).toMatchObject({ prompt: 'Names' });
    expect(inputs[2]).toMatchObject({ window: { start: 80_000 }, context: { tokens: [0] } });
    expect(new Set(inputs.map(({ owner }) => owner)).size).toBe(1);
    for (const end of ends.slice(1)) end();
    await Promise.all(results);
  });

  it('makes the spectrogram of only the next window of a job ahead of time', async () => {
    const { recognizer, inputs, ends, spectrograms } = worker();
    const mine = job();
    const results = [1, 2, 3, 4].map((start) => recognizer.recognize(window(start), { job: mine, signal }));
    await settled();
    expect(inputs).toHaveLength(1);
    expect(inputs[0]!.mel).toEqual(Float32Array.of(1));
    expect(spectrograms).toEqual([1, 2]);
    ends[0]!();
    await settled();
    expect(inputs[1]!.mel).toEqual(Float32Array.of(2));
    expect(spectrograms).toEqual([1, 2, 3]);
    for (const index of [1, 2, 3]) {
      ends[index]!();
      await settled();
    }
    await Promise.all(results);
    expect(spectrograms).toEqual([1, 2, 3, 4]);
  });

  it('drops the windows of an aborted job, also one that waits for context', async () => {
    const { recognizer, inputs, ends } = worker();
    const mine = job();
    const controller = new AbortController();
    const running = recognizer.recognize(window(1), { job: mine, signal: controller.signal });
    const waiting = recognizer.recognize(window(2), { job: mine, signal: controller.signal });
    await settled();
    controller.abort(new Error('hung up'));
    await expect(waiting).rejects.toThrow('hung up');
    await expect(running).rejects.toThrow('hung up');
    ends[0]!();
    await settled();
    expect(inputs).toHaveLength(1);
    await expect(recognizer.recognize(window(3), { job: mine, signal: controller.signal })).rejects.toThrow('hung up');
  });

  it('removes its listeners from the signal of a job', async () => {
    const { recognizer, ends } = worker();
    const controller = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = controller.signal;
    controller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(controller.signal, args);
    };
    controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(controller.signal, args);
    };
    const result = recognizer.recognize(window(1), { job: job(), signal: controller.signal });
    await settled();
    expect(listeners).toBe(1);
    ends[0]!();
    await result;
    await settled();
    expect(listeners).toBe(0);
  });

  it('continues without context after a failed window', async () => {
    const { recognizer, inputs, ends } = worker();
    const mine = job();
    const failing = recognizer.recognize(window(1), { job: mine, signal });
    const next = recognizer.recognize(window(2), { job: mine, signal });
    await settled();
    ends[0]!(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    await settled();
    expect(inputs[1]!.context).toBeUndefined();
    ends[1]!();
    await next;
  });

  it('passes known languages on, and rejects unknown languages and unsupported tasks', async () => {
    const { recognizer, inputs, ends } = worker();
    const french = recognizer.recognize(window(1), { job: job({ language: 'fr', task: 'translate' }), signal });
    await settled();
    expect(inputs[0]).toMatchObject({ language: 'fr', task: 'translate' });
    ends[0]!();
    await french;
    await expect(recognizer.recognize(window(1), { job: job({ language: 'xx' }), signal })).rejects.toMatchObject({
      code: 'unsupported_language',
    });
    const turbo = worker({ ...info, translates: false });
    await expect(
      turbo.recognizer.recognize(window(1), { job: job({ task: 'translate' }), signal }),
    ).rejects.toMatchObject({ code: 'unsupported_task' });
  });

  it('transcribes English for every task if it knows no other language', async () => {
    const { recognizer, inputs, ends } = worker({ ...info, languages: ['en'] });
    const result = recognizer.recognize(window(1), { job: job({ task: 'translate' }), signal });
    await settled();
    expect(inputs[0]).toMatchObject({ language: 'en', task: 'transcribe' });
    ends[0]!();
    await result;
  });
});

describe('capabilities', () => {
  const languages = ['en', 'fr', 'de'];
  const of = (name: string, encoderLayers: number, decoderLayers: number, multilingual = true) =>
    capabilities(name, { multilingual, encoderLayers, decoderLayers }, languages);

  it('include all languages and translation if encoder and decoder are equally deep', () => {
    expect(of('small', 12, 12)).toEqual({ languages, translates: true });
    expect(of('/models/large-v3', 32, 32)).toEqual({ languages, translates: true });
  });

  it('exclude translation if the decoder has fewer layers', () => {
    expect(of('large-v3-turbo', 32, 4)).toEqual({ languages, translates: false });
    expect(of('someone/whisper-large-v3-french-distil-dec2', 32, 2)).toEqual({ languages, translates: false });
  });

  it('are English only for English-only models and distillates trained on English', () => {
    for (const english of [
      of('tiny.en', 4, 4, false),
      of('Systran/faster-distil-whisper-large-v3', 32, 2),
      of('distil-large-v3', 32, 2),
      of('distil-whisper/distil-large-v3.5', 32, 2),
    ]) {
      expect(english).toEqual({ languages: ['en'], translates: true });
    }
  });
});

describe('windowSlots', () => {
  it.each([
    ['base in int8', 2 * 6 * 1500 * 512, 8],
    ['medium in float32', 2 * 24 * 1500 * 1024 * 4, 3],
    ['large-v3 in float32', 2 * 32 * 1500 * 1280 * 4, 2],
    ['large-v3 in int8', 2 * 32 * 1500 * 1280, 8],
  ])('keep the encoded audio below a gigabyte: %s', (_, windowBytes, windows) => {
    expect(windowSlots({ windowBytes, form: 'cpu' })).toBe(windows);
  });

  const largeInHalves = 2 * 2 * 32 * (1500 + 448) * 1280 * 2;
  it.each([
    ['base in float32 on an unknown one', 2 * 2 * 6 * (1500 + 448) * 512 * 4, undefined, 32],
    ['large-v3 in float16 on an unknown one', largeInHalves, undefined, 6],
    ['large-v3 in float16 on one of 6 GB', largeInHalves, 6 * 2 ** 30, 2],
    ['large-v3 in float16 on one of 80 GB', largeInHalves, 80 * 2 ** 30, 32],
  ])('keep windows in a quarter of the memory of a GPU: %s', (_, windowBytes, gpuBytes, windows) => {
    expect(windowSlots({ windowBytes, form: 'gpu' }, gpuBytes)).toBe(windows);
  });
});

describe('windowLimits', () => {
  it('fill the window of the encoder', () => {
    expect(windowLimits({ audioPositions: 1500 })).toEqual({ maxLength: 29.4, enoughSpeech: 24, longPause: 3 });
  });
});
